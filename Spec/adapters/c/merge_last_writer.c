/* The policy `lastWriter`: the greater write stays [MERGE-020]. */
#include "merge.h"

/* By time; deleted is above a value; by replica; of two values by body. */
static int write_compare(const struct last_writer_row *a, const struct last_writer_row *b) {
    int order = number_compare(a->stamp.time, b->stamp.time);
    if (!order) order = number_compare(!a->state, !b->state);
    if (!order) order = slice_compare(a->stamp.replica, b->stamp.replica);
    if (!order && a->state) order = slice_compare(a->body, b->body);
    return order;
}

struct last_writer_row merge_last_writer(const struct last_writer_row *a, const struct last_writer_row *b) {
    return write_compare(a, b) >= 0 ? *a : *b;
}
