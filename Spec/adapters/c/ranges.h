/* Range lists (03): the key space cut into ranges that touch. */
#ifndef RANGES_H
#define RANGES_H

#include "cursor.h"
#include "writer.h"

enum range_mode { mode_skip, mode_fingerprint, mode_items, mode_keys, mode_unanswered, mode_all };

/* The modes that a frame takes, a bit each [WIRE-035]. */
enum {
    modes_of_request = 1 << mode_skip | 1 << mode_fingerprint | 1 << mode_items | 1 << mode_keys | 1 << mode_all,
    modes_of_answer = 1 << mode_skip | 1 << mode_fingerprint | 1 << mode_items | 1 << mode_unanswered
};

struct item {
    struct slice key;
    struct slice tag; /* the first 16 bytes of the leaf; empty in a keys entry */
};

struct range {
    struct slice hi; /* empty: to the end */
    enum range_mode mode;
    struct slice fingerprint;
    size_t count;
    struct item *items; /* of an items or a keys entry */
};

struct range_list {
    size_t count;
    struct range *ranges;
};

struct range_list read_ranges(struct cursor *cursor, uint64_t min_count, unsigned modes);
void write_range(struct writer *writer, const struct range *range);
void write_ranges(struct writer *writer, const struct range_list *list);

#endif
