#include "ranges.h"

enum { smallest_range = 2, smallest_item = 18, smallest_key = 2 };

/* Keys lie in [lo, hi); an empty hi is open, and no key is below an empty lo [WIRE-031]. */
static struct slice read_key_inside(struct cursor *cursor, struct slice lo, struct slice hi, const struct item *previous) {
    struct slice key = read_bytes(cursor, 1, max_key);
    bool below = slice_compare(key, lo) < 0;
    bool above = hi.size && slice_compare(key, hi) >= 0;
    if (below || above) fail(cursor->task, error_range, "WIRE-031");
    if (previous) check_ascending(cursor->task, slice_compare(previous->key, key), "WIRE-031");
    return key;
}

static void read_items(struct cursor *cursor, struct range *range, struct slice lo) {
    bool tagged = range->mode == mode_items;
    range->count = read_count(cursor, tagged ? 0 : 1, UINT64_MAX, tagged ? smallest_item : smallest_key); /* WIRE-034 */
    range->items = task_allocate(cursor->task, range->count, sizeof *range->items);
    for (size_t i = 0; i < range->count && !failed(cursor->task); i++) {
        struct item *item = &range->items[i];
        item->key = read_key_inside(cursor, lo, range->hi, i ? item - 1 : NULL);
        if (tagged) item->tag = read_fixed(cursor, tag_size);
    }
}

/* The bound ascends, and only the last one may be empty; judged where it ends [WIRE-030]. */
static struct slice read_bound(struct cursor *cursor, const struct range *previous, bool is_last) {
    struct slice hi = read_bytes(cursor, 0, max_key);
    if (hi.size == 0 && !is_last) fail(cursor->task, error_order, "WIRE-030");
    if (hi.size && previous) check_ascending(cursor->task, slice_compare(previous->hi, hi), "WIRE-030");
    return hi;
}

static enum range_mode read_mode(struct cursor *cursor, unsigned modes, const struct range *previous, bool is_last) {
    enum range_mode mode = (enum range_mode)read_choice(cursor, mode_skip, mode_all);
    if (!failed(cursor->task) && !(modes >> mode & 1)) fail(cursor->task, error_range, "WIRE-035");
    if (mode == mode_skip && (is_last || (previous && previous->mode == mode_skip)))
        fail(cursor->task, error_noncanonical, "WIRE-032");
    return mode;
}

struct range_list read_ranges(struct cursor *cursor, uint64_t min_count, unsigned modes) {
    struct range_list list = {read_count(cursor, min_count, max_ranges, smallest_range), NULL};
    list.ranges = task_allocate(cursor->task, list.count, sizeof *list.ranges);
    for (size_t i = 0; i < list.count && !failed(cursor->task); i++) {
        struct range *range = &list.ranges[i];
        const struct range *previous = i ? range - 1 : NULL;
        bool is_last = i + 1 == list.count;
        range->hi = read_bound(cursor, previous, is_last);
        range->mode = read_mode(cursor, modes, previous, is_last);
        struct slice lo = previous ? previous->hi : (struct slice){range->hi.bytes, 0};
        if (range->mode == mode_fingerprint) range->fingerprint = read_fixed(cursor, tag_size);
        if (range->mode == mode_items || range->mode == mode_keys) read_items(cursor, range, lo);
    }
    return list;
}

void write_range(struct writer *writer, const struct range *range) {
    write_bytes(writer, range->hi);
    write_u8(writer, (uint8_t)range->mode);
    if (range->mode == mode_fingerprint) write_raw(writer, range->fingerprint);
    if (range->mode != mode_items && range->mode != mode_keys) return;
    write_uvarint(writer, range->count);
    for (size_t i = 0; i < range->count; i++) {
        write_bytes(writer, range->items[i].key);
        write_raw(writer, range->items[i].tag); /* empty in a keys entry */
    }
}

void write_ranges(struct writer *writer, const struct range_list *list) {
    write_uvarint(writer, list->count);
    for (size_t i = 0; i < list->count; i++) write_range(writer, &list->ranges[i]);
}
