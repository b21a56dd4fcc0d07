/* The bodies of `sketch_req` and `sketch_resp` [WIRE-080, WIRE-081, WIRE-082]. */
#include "frames.h"

/* Cells up to number `max_cells`, the first of them being number `first`; their count is judged before they are. */
static struct slice read_cells(struct cursor *cursor, uint64_t first) {
    size_t count = read_count(cursor, 1, failed(cursor->task) ? 0 : max_cells - first, cell_size);
    return read_fixed(cursor, count * cell_size);
}

/* Prefixes of row ids, strictly ascending [WIRE-081]. */
static struct slice read_id_prefixes(struct cursor *cursor) {
    size_t count = read_count(cursor, 1, max_cells, id_prefix_size);
    struct slice all = {cursor->next, count * id_prefix_size}, previous = {cursor->next, 0};
    for (size_t i = 0; i < count && !failed(cursor->task); i++) {
        struct slice prefix = read_fixed(cursor, id_prefix_size);
        check_ascending(cursor->task, slice_compare(previous, prefix), "WIRE-081"); /* nothing is below the first */
        previous = prefix;
    }
    return all;
}

struct sketch_req read_sketch_req(struct cursor *cursor) {
    struct sketch_req body = {0};
    body.request = read_limited(cursor, 1, MAX_REQUEST, "WIRE-080");
    body.namespace = read_bytes(cursor, 1, max_name);
    body.set = read_choice(cursor, set_live, set_tombstones);
    body.form = read_choice(cursor, sketch_open, sketch_rows);
    if (failed(cursor->task)) return body;
    if (body.form == sketch_open) {
        body.count = read_uvarint(cursor);
        body.counters = read_fixed(cursor, counter_count);
        body.cells = read_cells(cursor, 0);
    } else if (body.form == sketch_more) {
        body.first = read_limited(cursor, 0, max_cells, "WIRE-080");
        body.wanted = read_limited(cursor, 1, failed(cursor->task) ? 0 : max_cells - body.first, "WIRE-080");
    } else {
        body.rows = read_id_prefixes(cursor);
    }
    return body;
}

struct sketch_resp read_sketch_resp(struct cursor *cursor) {
    struct sketch_resp body = {0};
    body.request = read_limited(cursor, 1, MAX_REQUEST, "WIRE-082");
    body.namespace = read_bytes(cursor, 1, max_name);
    body.set = read_choice(cursor, set_live, set_tombstones);
    body.form = read_choice(cursor, sketch_cells, sketch_too_many);
    body.count = read_uvarint(cursor);
    if (failed(cursor->task)) return body;
    if (body.form == sketch_cells) {
        body.first = read_limited(cursor, 0, max_cells, "WIRE-082");
        body.cells = read_cells(cursor, body.first);
    } else {
        body.estimate = read_uvarint(cursor);
    }
    return body;
}

static void write_list(struct writer *writer, struct slice elements, size_t size) {
    write_uvarint(writer, elements.size / size);
    write_raw(writer, elements);
}

void write_sketch_req(struct writer *writer, const struct sketch_req *body) {
    write_uvarint(writer, body->request);
    write_bytes(writer, body->namespace);
    write_u8(writer, body->set);
    write_u8(writer, body->form);
    if (body->form == sketch_open) {
        write_uvarint(writer, body->count);
        write_raw(writer, body->counters);
        write_list(writer, body->cells, cell_size);
    } else if (body->form == sketch_more) {
        write_uvarint(writer, body->first);
        write_uvarint(writer, body->wanted);
    } else {
        write_list(writer, body->rows, id_prefix_size);
    }
}

void write_sketch_resp(struct writer *writer, const struct sketch_resp *body) {
    write_uvarint(writer, body->request);
    write_bytes(writer, body->namespace);
    write_u8(writer, body->set);
    write_u8(writer, body->form);
    write_uvarint(writer, body->count);
    if (body->form == sketch_cells) {
        write_uvarint(writer, body->first);
        write_list(writer, body->cells, cell_size);
    } else {
        write_uvarint(writer, body->estimate);
    }
}
