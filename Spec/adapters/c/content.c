/* Canonical contents of rows, read and written [LEAF-002]. */
#include "rows.h"

enum { smallest_event = 27, smallest_entry = 25 };

int stamp_compare(struct stamp a, struct stamp b) {
    int order = number_compare(a.time, b.time);
    return order ? order : slice_compare(a.replica, b.replica);
}

int event_compare_in_key(const struct event *a, const struct event *b) {
    int order = stamp_compare(a->stamp, b->stamp);
    if (!order) order = slice_compare(a->group, b->group);
    return order ? order : slice_compare(a->body, b->body);
}

int event_compare(const struct event *a, const struct event *b) {
    int order = slice_compare(a->key, b->key);
    return order ? order : event_compare_in_key(a, b);
}

struct stamp read_stamp(struct cursor *cursor) {
    struct stamp stamp;
    stamp.time = read_time(cursor);
    stamp.replica = read_replica(cursor);
    return stamp;
}

void write_stamp(struct writer *writer, struct stamp stamp) {
    write_u64(writer, stamp.time);
    write_raw(writer, stamp.replica);
}

static struct slice read_body(struct cursor *cursor) {
    return read_bytes(cursor, 0, max_body);
}

void check_content_size(struct task *task, size_t size) {
    if (size > max_row_content) fail(task, error_too_large, "LEAF-005");
}

/* The length is judged before anything is read [LEAF-005]. */
static struct cursor begin_content(struct task *task, struct slice content) {
    check_content_size(task, content.size);
    return cursor_over(task, content);
}

struct event_row read_event_content(struct task *task, struct slice content) {
    struct cursor cursor = begin_content(task, content);
    struct slice key = read_bytes(&cursor, 1, max_key);
    struct event_row row = {read_count(&cursor, 1, UINT64_MAX, smallest_event), NULL};
    row.events = task_allocate(task, row.count, sizeof *row.events);
    for (size_t i = 0; i < row.count && !failed(task); i++) {
        struct event *event = &row.events[i];
        event->key = key;
        event->stamp = read_stamp(&cursor);
        event->group = read_bytes(&cursor, 1, max_group);
        event->body = read_body(&cursor);
        if (i) check_ascending(task, event_compare_in_key(event - 1, event), "LEAF-004");
    }
    read_end(&cursor, "PRIM-011");
    return row;
}

void write_event_content(struct writer *writer, const struct event_row *row) {
    write_bytes(writer, row->events[0].key);
    write_uvarint(writer, row->count);
    for (size_t i = 0; i < row->count; i++) {
        write_stamp(writer, row->events[i].stamp);
        write_bytes(writer, row->events[i].group);
        write_bytes(writer, row->events[i].body);
    }
}

struct marker read_marker_content(struct task *task, struct slice content) {
    struct cursor cursor = begin_content(task, content);
    struct marker marker;
    marker.group = read_bytes(&cursor, 1, max_group);
    marker.stamp = read_stamp(&cursor);
    read_end(&cursor, "PRIM-011");
    return marker;
}

void write_marker_content(struct writer *writer, const struct marker *marker) {
    write_bytes(writer, marker->group);
    write_stamp(writer, marker->stamp);
}

struct causal_row read_causal_content(struct task *task, struct slice content) {
    struct cursor cursor = begin_content(task, content);
    struct causal_row row;
    row.key = read_bytes(&cursor, 1, max_key);
    row.count = read_count(&cursor, 1, max_vector, smallest_entry);
    row.entries = task_allocate(task, row.count, sizeof *row.entries);
    for (size_t i = 0; i < row.count && !failed(task); i++) {
        struct causal_entry *entry = &row.entries[i];
        entry->stamp.replica = read_replica(&cursor);
        entry->stamp.time = read_time(&cursor);
        entry->state = read_choice(&cursor, 0, 1);
        if (entry->state) entry->body = read_body(&cursor);
        if (i) check_ascending(task, slice_compare(entry[-1].stamp.replica, entry->stamp.replica), "LEAF-004");
    }
    read_end(&cursor, "PRIM-011");
    return row;
}

void write_causal_content(struct writer *writer, const struct causal_row *row) {
    write_bytes(writer, row->key);
    write_uvarint(writer, row->count);
    for (size_t i = 0; i < row->count; i++) {
        const struct causal_entry *entry = &row->entries[i];
        write_raw(writer, entry->stamp.replica);
        write_u64(writer, entry->stamp.time);
        write_u8(writer, entry->state);
        if (entry->state) write_bytes(writer, entry->body);
    }
}

struct last_writer_row read_last_writer_content(struct task *task, struct slice content) {
    struct cursor cursor = begin_content(task, content);
    struct last_writer_row row = {0};
    row.key = read_bytes(&cursor, 1, max_key);
    row.stamp = read_stamp(&cursor);
    row.state = read_choice(&cursor, 0, 1);
    if (row.state) row.body = read_body(&cursor);
    read_end(&cursor, "PRIM-011");
    return row;
}

void write_last_writer_content(struct writer *writer, const struct last_writer_row *row) {
    write_bytes(writer, row->key);
    write_stamp(writer, row->stamp);
    write_u8(writer, row->state);
    if (row->state) write_bytes(writer, row->body);
}

struct message read_message_content(struct task *task, struct slice content) {
    struct cursor cursor = begin_content(task, content);
    struct message message = read_message(&cursor, false);
    read_end(&cursor, "PRIM-011");
    return message;
}

void check_content(struct task *task, enum row_type type, struct slice content) {
    switch (type) {
    case type_event: read_event_content(task, content); break;
    case type_marker: read_marker_content(task, content); break;
    case type_causal: read_causal_content(task, content); break;
    case type_last_writer: read_last_writer_content(task, content); break;
    case type_message: read_message_content(task, content); break;
    }
}

int causal_set(const struct causal_row *row) {
    for (size_t i = 0; i < row->count; i++)
        if (row->entries[i].state) return set_live; /* MERGE-011 */
    return set_tombstones;
}

int last_writer_set(const struct last_writer_row *row) {
    return row->state ? set_live : set_tombstones; /* MERGE-021 */
}
