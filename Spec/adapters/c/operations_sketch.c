/* Level L2: sketches. Fields are judged in the order of the table in 11. */
#include "operations.h"
#include "sketch.h"

static void write_hex_number(struct writer *writer, uint64_t value, size_t size) {
    struct writer bytes = writer_begin(writer->task);
    write_number(&bytes, value, size);
    write_hex(writer, written(&bytes));
}

static void reply_hex_number(struct reply *out, const char *name, uint64_t value, size_t size) {
    struct writer text = writer_begin(out->task);
    write_hex_number(&text, value, size);
    reply_raw(out, name, written(&text));
}

static void reply_ids(struct reply *out, const char *name, size_t count, const uint64_t *ids) {
    struct writer text = writer_begin(out->task);
    for (size_t i = 0; i < count; i++) {
        if (i) write_text(&text, " ");
        write_hex_number(&text, ids[i], row_id_size);
    }
    reply_raw(out, name, written(&text));
}

static size_t field_size(const struct request *in) {
    return (size_t)field_number(in, "size", 1, max_cells);
}

static void sketch_id(const struct request *in, struct reply *out) {
    struct hash ns_key = field_namespace_key(in);
    struct slice key = field_bytes(in, "key", 1, max_key);
    struct slice leaf = field_fixed(in, "leaf", hash_size);
    uint64_t id = row_id(in->task, &ns_key, key, leaf);
    struct id_marks marks = id_marks(id);
    reply_hex_number(out, "row", id, row_id_size);
    reply_number(out, "dense", marks.dense);
    reply_hex_number(out, "check", marks.check, check_size);
    reply_number(out, "counter", marks.counter);
    reply_number(out, "up", marks.up);
}

static void sketch_indexes(const struct request *in, struct reply *out) {
    uint64_t id = slice_number(field_fixed(in, "row", row_id_size));
    uint32_t indexes[most_cells_of_id];
    size_t count = cells_of_id(id, field_size(in), indexes);
    struct writer text = writer_begin(in->task);
    for (size_t i = 0; i < count; i++) {
        if (i) write_text(&text, " ");
        write_decimal(&text, indexes[i]);
    }
    reply_raw(out, "indexes", written(&text));
}

/* The rows are judged before the size. */
static void sketch_of_rows(const struct request *in, struct reply *out) {
    struct slice text = field_text(in, "rows");
    size_t most = text.size / (2 * row_id_size) + 1, count = 0;
    uint64_t *ids = task_allocate(in->task, most, sizeof *ids);
    while (text.size && !failed(in->task))
        ids[count++] = slice_number(check_fixed(in->task, parse_hex(in->task, cut_part(&text, ' ')), row_id_size));
    uint8_t counters[counter_count] = {0};
    struct sketch sketch = sketch_begin(in->task, field_size(in));
    for (size_t i = 0; i < count && !failed(in->task); i++) {
        sketch_add(&sketch, ids[i]);
        count_id(counters, ids[i]);
    }
    struct writer cells = writer_begin(in->task);
    write_sketch(&cells, &sketch);
    reply_hex(out, "cells", written(&cells));
    reply_hex(out, "counters", (struct slice){counters, counter_count});
}

/* 1 to `max_cells` whole cells. */
static struct sketch field_sketch(const struct request *in, const char *name) {
    struct slice bytes = field_bytes(in, name, cell_size, max_cells * cell_size);
    if (bytes.size % cell_size) fail(in->task, error_range, "SKETCH-007");
    return sketch_of_bytes(in->task, bytes);
}

static void sketch_difference(const struct request *in, struct reply *out) {
    struct sketch a = field_sketch(in, "a"), b = field_sketch(in, "b");
    if (a.size != b.size) fail(in->task, error_range, "SKETCH-010");
    uint64_t count_a = field_number(in, "countA", 0, UINT64_MAX);
    uint64_t count_b = field_number(in, "countB", 0, UINT64_MAX);
    if (failed(in->task)) return;
    sketch_subtract(&a, &b);
    struct difference found = take_apart(in->task, &a, count_a, count_b);
    reply_number(out, "decoded", found.decoded);
    if (!found.decoded) return;
    reply_ids(out, "onlyA", found.count_a, found.only_a);
    reply_ids(out, "onlyB", found.count_b, found.only_b);
}

/* What answers a peer's sketch b [SYNC-042]. */
static void sketch_answer(const struct request *in, struct reply *out) {
    struct sketch a = field_sketch(in, "a"), b = field_sketch(in, "b");
    if (a.size != b.size) fail(in->task, error_range, "SKETCH-010");
    struct slice counters_a = field_bytes(in, "countersA", counter_count, counter_count);
    struct slice counters_b = field_bytes(in, "countersB", counter_count, counter_count);
    uint64_t count_a = field_number(in, "countA", 0, UINT64_MAX);
    uint64_t count_b = field_number(in, "countB", 0, UINT64_MAX);
    if (failed(in->task)) return;
    sketch_subtract(&a, &b);
    struct difference found = take_apart(in->task, &a, count_a, count_b);
    if (found.decoded) {
        bool is_equal = found.count_a + found.count_b == 0;
        reply_text(out, "answer", is_equal ? "equal" : "rows");
        if (is_equal) return;
        reply_ids(out, "onlyA", found.count_a, found.only_a);
        reply_ids(out, "onlyB", found.count_b, found.only_b);
        return;
    }
    uint64_t estimate = estimate_of_counters(counters_a.bytes, counters_b.bytes);
    uint64_t size = cells_for_estimate(estimate, count_a, count_b);
    reply_text(out, "answer", size ? "cells" : "tooMany");
    reply_number(out, size ? "cells" : "estimate", size ? size : estimate);
}

static void sketch_estimate(const struct request *in, struct reply *out) {
    struct slice a = field_bytes(in, "a", counter_count, counter_count);
    struct slice b = field_bytes(in, "b", counter_count, counter_count);
    if (!failed(in->task)) reply_number(out, "estimate", estimate_of_counters(a.bytes, b.bytes));
}

const struct operation sketch_operations[] = {
    {"sketch.id", sketch_id},                 {"sketch.indexes", sketch_indexes},   {"sketch.cells", sketch_of_rows},
    {"sketch.difference", sketch_difference}, {"sketch.estimate", sketch_estimate}, {"sketch.answer", sketch_answer},
    {NULL, NULL}};
