/* The policy `causal`: rows merge entry by entry, for each replica the greater one stays [MERGE-010]. */
#include "merge.h"

/* A greater time is above; at equal times covered is above a value; of two values the greater body. */
static int entry_compare(const struct causal_entry *a, const struct causal_entry *b) {
    int order = number_compare(a->stamp.time, b->stamp.time);
    if (!order) order = number_compare(!a->state, !b->state);
    if (!order && a->state) order = slice_compare(a->body, b->body);
    return order;
}

static void check_limits(struct task *task, const struct causal_row *row) {
    struct writer content = writer_begin(task);
    if (row->count > max_vector) fail(task, error_range, "CONV-009");
    write_causal_content(&content, row);
    check_content_size(task, content.size);
}

struct causal_row merge_causal(struct task *task, const struct causal_row *a, const struct causal_row *b) {
    struct causal_row row = {a->key, 0, NULL};
    row.entries = task_allocate(task, a->count + b->count, sizeof *row.entries);
    for (size_t i = 0, k = 0; (i < a->count || k < b->count) && !failed(task);) {
        int order = i == a->count ? 1 : k == b->count ? -1
                    : slice_compare(a->entries[i].stamp.replica, b->entries[k].stamp.replica);
        const struct causal_entry *greater = order <= 0 ? &a->entries[i] : &b->entries[k];
        if (order == 0 && entry_compare(greater, &b->entries[k]) < 0) greater = &b->entries[k];
        i += order <= 0;
        k += order >= 0;
        row.entries[row.count++] = *greater;
    }
    if (!failed(task)) check_limits(task, &row);
    return row;
}

const struct causal_entry *causal_read(const struct causal_row *row) {
    const struct causal_entry *best = NULL;
    for (size_t i = 0; i < row->count; i++) {
        const struct causal_entry *entry = &row->entries[i];
        if (entry->state && (!best || stamp_compare(entry->stamp, best->stamp) > 0)) best = entry;
    }
    return best;
}
