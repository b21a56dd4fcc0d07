/* Reading the body that `reconcile_resp` and `sync_delta` share [WIRE-050]: a table names the replicas of its rows. */
#include "frames.h"

enum { smallest_replica = 16, smallest_wire_entry = 10 };

static struct table read_table(struct cursor *cursor) {
    struct table table = {read_count(cursor, 0, max_vector, smallest_replica), NULL, NULL};
    table.replicas = task_allocate(cursor->task, table.count, sizeof *table.replicas);
    table.used = task_allocate(cursor->task, table.count, sizeof *table.used);
    for (size_t i = 0; i < table.count && !failed(cursor->task); i++) {
        table.replicas[i] = read_replica(cursor);
        if (i) check_ascending(cursor->task, slice_compare(table.replicas[i - 1], table.replicas[i]), "PRIM-010");
    }
    return table;
}

/* Every entry is used by a row [WIRE-051]. */
static void check_table_used(struct cursor *cursor, const struct table *table) {
    for (size_t i = 0; i < table->count && !failed(cursor->task); i++)
        if (!table->used[i]) fail(cursor->task, error_noncanonical, "WIRE-051");
}

/* A ref is an index into the table [WIRE-057]. */
static struct slice read_ref(struct cursor *cursor, struct table *table) {
    uint64_t ref = read_uvarint(cursor);
    if (ref >= table->count) fail(cursor->task, error_range, "WIRE-057");
    if (failed(cursor->task)) return (struct slice){cursor->next, 0};
    table->used[ref] = true;
    return table->replicas[ref];
}

static struct stamp read_ref_stamp(struct cursor *cursor, struct table *table) {
    struct stamp stamp;
    stamp.replica = read_ref(cursor, table);
    stamp.time = read_time(cursor);
    return stamp;
}

static struct slice read_state_body(struct cursor *cursor, uint8_t *state) {
    *state = read_choice(cursor, 0, 1);
    return *state ? read_bytes(cursor, 0, max_body) : (struct slice){cursor->next, 0};
}

static void read_event(struct cursor *cursor, struct table *table, struct event *row, bool first) {
    row->key = read_bytes(cursor, 1, max_key);
    row->stamp = read_ref_stamp(cursor, table);
    row->group = read_bytes(cursor, 1, max_group);
    row->body = read_bytes(cursor, 0, max_body);
    if (!first) check_ascending(cursor->task, event_compare(row - 1, row), "WIRE-052");
}

static void read_marker(struct cursor *cursor, struct table *table, struct marker *row, bool first) {
    row->group = read_bytes(cursor, 1, max_group);
    row->stamp = read_ref_stamp(cursor, table);
    if (!first) check_ascending(cursor->task, slice_compare(row[-1].group, row->group), "WIRE-052");
}

static void read_causal(struct cursor *cursor, struct table *table, struct causal_row *row, bool first) {
    row->key = read_bytes(cursor, 1, max_key);
    row->count = read_count(cursor, 1, max_vector, smallest_wire_entry);
    row->entries = task_allocate(cursor->task, row->count, sizeof *row->entries);
    for (size_t i = 0; i < row->count && !failed(cursor->task); i++) {
        struct causal_entry *entry = &row->entries[i];
        entry->stamp = read_ref_stamp(cursor, table);
        entry->body = read_state_body(cursor, &entry->state);
        /* The table ascends, so refs compare as the replicas they name. */
        if (i) check_ascending(cursor->task, slice_compare(entry[-1].stamp.replica, entry->stamp.replica), "WIRE-052");
    }
    if (!first) check_ascending(cursor->task, slice_compare(row[-1].key, row->key), "WIRE-052");
}

static void read_last_writer(struct cursor *cursor, struct table *table, struct last_writer_row *row, bool first) {
    row->key = read_bytes(cursor, 1, max_key);
    row->stamp = read_ref_stamp(cursor, table);
    row->body = read_state_body(cursor, &row->state);
    if (!first) check_ascending(cursor->task, slice_compare(row[-1].key, row->key), "WIRE-052");
}

static void read_message_row(struct cursor *cursor, struct message *row, bool first) {
    *row = read_message(cursor, false); /* WIRE-058 */
    if (!first) check_ascending(cursor->task, slice_compare(row[-1].key, row->key), "WIRE-052");
}

/* The sizes of a row: at least on the wire [WIRE-053], and here. The index is the row's type. */
static const size_t smallest_row[] = {0, 14, 11, 13, 12, 22};
static const size_t size_of_row[] = {
    0, sizeof(struct event), sizeof(struct marker), sizeof(struct causal_row), sizeof(struct last_writer_row),
    sizeof(struct message)};

static struct row_list read_row_list(struct cursor *cursor, enum row_type type, struct table *table) {
    struct row_list rows = {type, read_count(cursor, 0, UINT64_MAX, smallest_row[type]), {NULL}};
    void *memory = task_allocate(cursor->task, rows.count, size_of_row[type]);
    rows.of.events = memory;
    for (size_t i = 0; i < rows.count && !failed(cursor->task); i++) {
        switch (type) {
        case type_event: read_event(cursor, table, &rows.of.events[i], i == 0); break;
        case type_marker: read_marker(cursor, table, &rows.of.markers[i], i == 0); break;
        case type_causal: read_causal(cursor, table, &rows.of.causal[i], i == 0); break;
        case type_last_writer: read_last_writer(cursor, table, &rows.of.last_writers[i], i == 0); break;
        case type_message: read_message_row(cursor, &rows.of.messages[i], i == 0); break;
        }
    }
    return rows;
}

struct rows_body read_rows_body(struct cursor *cursor) {
    struct rows_body body = {0};
    body.request = read_limited(cursor, 0, MAX_REQUEST, "WIRE-057");
    body.part = read_limited(cursor, 0, max_parts - 1, "CONV-007");
    body.last = read_choice(cursor, 0, 1);
    body.namespace = read_bytes(cursor, 1, max_name);
    body.set = read_choice(cursor, set_live, set_tombstones);
    enum row_type type = (enum row_type)read_choice(cursor, type_event, type_message);
    body.table = read_table(cursor);
    if (failed(cursor->task)) return body;
    body.rows = read_row_list(cursor, type, &body.table);
    check_table_used(cursor, &body.table);
    body.claims = read_ranges(cursor, 0, modes_of_answer);
    return body;
}
