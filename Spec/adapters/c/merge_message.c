/* The policy `messages`: component by component the greater stays, then the normal form [MERGE-031]. */
#include "merge.h"

/* None is lowest; then by direction, postedAt, body [MERGE-030]. */
static int base_compare(const struct message *a, const struct message *b) {
    int order = number_compare(a->has_base, b->has_base);
    if (order || !a->has_base) return order;
    order = number_compare(a->direction, b->direction);
    if (!order) order = number_compare(a->posted_at, b->posted_at);
    return order ? order : slice_compare(a->body, b->body);
}

/* None is lowest; then by editedAt, opID, body [MERGE-030]. */
static int edit_compare(const struct message *a, const struct message *b) {
    int order = number_compare(a->has_edit, b->has_edit);
    if (order || !a->has_edit) return order;
    order = number_compare(a->edited_at, b->edited_at);
    if (!order) order = slice_compare(a->op_id, b->op_id);
    return order ? order : slice_compare(a->edit_body, b->edit_body);
}

struct message merge_message(const struct message *a, const struct message *b) {
    struct message merged = *a;
    if (base_compare(a, b) < 0) {
        merged.has_base = b->has_base;
        merged.direction = b->direction;
        merged.posted_at = b->posted_at;
        merged.body = b->body;
    }
    if (edit_compare(a, b) < 0) {
        merged.has_edit = b->has_edit;
        merged.edited_at = b->edited_at;
        merged.op_id = b->op_id;
        merged.edit_body = b->edit_body;
    }
    if (b->scope > merged.scope) merged.scope = b->scope;
    if (b->delivered > merged.delivered) merged.delivered = b->delivered;
    return message_normal_form(merged);
}
