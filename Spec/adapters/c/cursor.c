#include "cursor.h"

struct cursor cursor_over(struct task *task, struct slice input) {
    task->offset = 0;
    return (struct cursor){task, input.bytes, input.size};
}

struct slice read_fixed(struct cursor *cursor, size_t size) {
    static const uint8_t nothing[1];
    if (size > cursor->remaining) fail(cursor->task, error_truncated, "PRIM-005");
    if (failed(cursor->task) || size == 0) return (struct slice){nothing, 0};
    struct slice taken = {cursor->next, size};
    cursor->next += size;
    cursor->remaining -= size;
    cursor->task->offset += size;
    return taken;
}

uint8_t read_u8(struct cursor *cursor) {
    struct slice one = read_fixed(cursor, 1);
    return one.size ? one.bytes[0] : 0;
}

uint8_t read_choice(struct cursor *cursor, uint8_t min, uint8_t max) {
    uint8_t value = read_u8(cursor);
    if (value < min || value > max) fail(cursor->task, error_range, "PRIM-008");
    return value;
}

/* LEB128, the shortest spelling only [PRIM-001, PRIM-002, PRIM-003]. */
uint64_t read_uvarint(struct cursor *cursor) {
    uint64_t value = 0;
    for (int index = 0; index < 10; index++) {
        if (cursor->remaining == 0) fail(cursor->task, error_truncated, "PRIM-001");
        uint8_t byte = read_u8(cursor);
        if (index > 0 && byte == 0) fail(cursor->task, error_noncanonical, "PRIM-002");
        if (index == 9 && byte > 1) fail(cursor->task, error_range, "PRIM-003");
        if (failed(cursor->task)) return 0;
        value |= (uint64_t)(byte & 0x7f) << (7 * index);
        if (byte < 0x80) break;
    }
    return value;
}

uint64_t read_limited(struct cursor *cursor, uint64_t min, uint64_t max, const char *rule) {
    uint64_t value = read_uvarint(cursor);
    if (value < min || value > max) fail(cursor->task, error_range, rule);
    return value;
}

/* The limit on the length goes before the bytes that remain [PRIM-004, CONV-008]. */
struct slice read_bytes(struct cursor *cursor, uint64_t min, uint64_t max) {
    uint64_t size = read_limited(cursor, min, max, "PRIM-004");
    if (size > cursor->remaining) fail(cursor->task, error_truncated, "PRIM-005");
    return read_fixed(cursor, failed(cursor->task) ? 0 : (size_t)size);
}

struct slice read_replica(struct cursor *cursor) {
    struct slice replica = read_fixed(cursor, id_size);
    if (slice_is_zero(replica)) fail(cursor->task, error_range, "PRIM-007");
    return replica;
}

uint64_t read_time(struct cursor *cursor) {
    uint64_t time = slice_number(read_fixed(cursor, 8));
    if (time == 0 || time > MAX_TIME) fail(cursor->task, error_range, "PRIM-006");
    return time;
}

size_t read_count(struct cursor *cursor, uint64_t min, uint64_t max, size_t smallest) {
    uint64_t count = read_limited(cursor, min, max, "CONV-007");
    if (count > cursor->remaining / smallest) fail(cursor->task, error_truncated, "CONV-004");
    return failed(cursor->task) ? 0 : (size_t)count;
}

void read_end(struct cursor *cursor, const char *rule) {
    if (cursor->remaining) fail(cursor->task, error_trailing, rule);
}

void check_ascending(struct task *task, int comparison, const char *rule) {
    if (comparison == 0) fail(task, error_duplicate, rule);
    if (comparison > 0) fail(task, error_order, rule);
}

struct vector read_vector(struct cursor *cursor) {
    struct vector vector = {read_count(cursor, 0, max_vector, 24), NULL};
    vector.entries = task_allocate(cursor->task, vector.count, sizeof *vector.entries);
    for (size_t i = 0; i < vector.count && !failed(cursor->task); i++) {
        struct vector_entry *entry = &vector.entries[i];
        entry->replica = read_replica(cursor);
        entry->time = read_time(cursor);
        if (i) check_ascending(cursor->task, slice_compare(entry[-1].replica, entry->replica), "PRIM-009");
    }
    return vector;
}
