/* Writing the body that `reconcile_resp` and `sync_delta` share [WIRE-050]. The table follows from the rows [WIRE-051]. */
#include "frames.h"

#include <stdlib.h>

static int compare_replicas(const void *a, const void *b) {
    return slice_compare(*(const struct slice *)a, *(const struct slice *)b);
}

static size_t count_stamps(const struct row_list *rows) {
    if (rows->type == type_message) return 0;
    if (rows->type != type_causal) return rows->count;
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++) count += rows->of.causal[i].count;
    return count;
}

/* The replicas of all stamps, with repetitions, in the order of the rows. */
static void collect_replicas(const struct row_list *rows, struct slice *replicas) {
    for (size_t i = 0; i < rows->count; i++) {
        switch (rows->type) {
        case type_event: *replicas++ = rows->of.events[i].stamp.replica; break;
        case type_marker: *replicas++ = rows->of.markers[i].stamp.replica; break;
        case type_causal:
            for (size_t k = 0; k < rows->of.causal[i].count; k++)
                *replicas++ = rows->of.causal[i].entries[k].stamp.replica;
            break;
        case type_last_writer: *replicas++ = rows->of.last_writers[i].stamp.replica; break;
        case type_message: break;
        }
    }
}

struct table table_of_rows(struct task *task, const struct row_list *rows) {
    size_t count = count_stamps(rows);
    struct table table = {0, task_allocate(task, count, sizeof *table.replicas), NULL};
    if (failed(task)) return table;
    collect_replicas(rows, table.replicas);
    qsort(table.replicas, count, sizeof *table.replicas, compare_replicas);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || !slice_equal(table.replicas[table.count - 1], table.replicas[i]))
            table.replicas[table.count++] = table.replicas[i];
    return table;
}

/* The index of a replica in the table, by halving. */
static uint64_t find_ref(const struct table *table, struct slice replica) {
    size_t low = 0, high = table->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (slice_compare(table->replicas[middle], replica) <= 0) low = middle;
        else high = middle;
    }
    return low;
}

static void write_ref_stamp(struct writer *writer, const struct table *table, struct stamp stamp) {
    write_uvarint(writer, find_ref(table, stamp.replica));
    write_u64(writer, stamp.time);
}

static void write_state_body(struct writer *writer, uint8_t state, struct slice body) {
    write_u8(writer, state);
    if (state) write_bytes(writer, body);
}

static void write_event(struct writer *writer, const struct table *table, const struct event *row) {
    write_bytes(writer, row->key);
    write_ref_stamp(writer, table, row->stamp);
    write_bytes(writer, row->group);
    write_bytes(writer, row->body);
}

static void write_marker(struct writer *writer, const struct table *table, const struct marker *row) {
    write_bytes(writer, row->group);
    write_ref_stamp(writer, table, row->stamp);
}

static void write_causal(struct writer *writer, const struct table *table, const struct causal_row *row) {
    write_bytes(writer, row->key);
    write_uvarint(writer, row->count);
    for (size_t i = 0; i < row->count; i++) {
        write_ref_stamp(writer, table, row->entries[i].stamp);
        write_state_body(writer, row->entries[i].state, row->entries[i].body);
    }
}

static void write_last_writer(struct writer *writer, const struct table *table, const struct last_writer_row *row) {
    write_bytes(writer, row->key);
    write_ref_stamp(writer, table, row->stamp);
    write_state_body(writer, row->state, row->body);
}

void write_rows_body(struct writer *writer, const struct rows_body *body) {
    write_uvarint(writer, body->request);
    write_uvarint(writer, body->part);
    write_u8(writer, body->last);
    write_bytes(writer, body->namespace);
    write_u8(writer, body->set);
    write_u8(writer, (uint8_t)body->rows.type);
    struct table table = table_of_rows(writer->task, &body->rows);
    write_uvarint(writer, table.count);
    for (size_t i = 0; i < table.count; i++) write_raw(writer, table.replicas[i]);
    write_uvarint(writer, body->rows.count);
    for (size_t i = 0; i < body->rows.count; i++) {
        switch (body->rows.type) {
        case type_event: write_event(writer, &table, &body->rows.of.events[i]); break;
        case type_marker: write_marker(writer, &table, &body->rows.of.markers[i]); break;
        case type_causal: write_causal(writer, &table, &body->rows.of.causal[i]); break;
        case type_last_writer: write_last_writer(writer, &table, &body->rows.of.last_writers[i]); break;
        case type_message: write_message_content(writer, &body->rows.of.messages[i]); break;
        }
    }
    write_ranges(writer, &body->claims);
}
