#include "writer.h"

#include <string.h>

struct writer writer_begin(struct task *task) {
    return (struct writer){task, NULL, 0, 0};
}

struct slice written(const struct writer *writer) {
    static const uint8_t nothing[1];
    return (struct slice){writer->size ? writer->bytes : nothing, writer->size};
}

/* Makes room for `size` more bytes; false when the task has failed. */
static bool reserve(struct writer *writer, size_t size) {
    if (failed(writer->task)) return false;
    if (size <= writer->capacity - writer->size) return true;
    if (size > SIZE_MAX / 4 - writer->size) {
        fail(writer->task, error_internal, "memory");
        return false;
    }
    size_t capacity = 2 * (writer->size + size) + 64;
    uint8_t *bytes = task_allocate(writer->task, capacity, 1);
    if (failed(writer->task)) return false;
    if (writer->size) memcpy(bytes, writer->bytes, writer->size);
    writer->bytes = bytes;
    writer->capacity = capacity;
    return true;
}

void write_raw(struct writer *writer, struct slice bytes) {
    if (bytes.size == 0 || !reserve(writer, bytes.size)) return;
    memcpy(writer->bytes + writer->size, bytes.bytes, bytes.size);
    writer->size += bytes.size;
}

void write_text(struct writer *writer, const char *text) {
    write_raw(writer, slice_from_text(text));
}

void write_u8(struct writer *writer, uint8_t value) {
    write_raw(writer, (struct slice){&value, 1});
}

/* Big-endian, the lowest `size` bytes, at most 8 [CONV-001]. */
void write_number(struct writer *writer, uint64_t value, size_t size) {
    while (size--) write_u8(writer, (uint8_t)(value >> 8 * size));
}

void write_u64(struct writer *writer, uint64_t value) {
    write_number(writer, value, 8);
}

void write_uvarint(struct writer *writer, uint64_t value) {
    for (; value >= 0x80; value >>= 7) write_u8(writer, (uint8_t)(value | 0x80));
    write_u8(writer, (uint8_t)value);
}

void write_bytes(struct writer *writer, struct slice bytes) {
    write_uvarint(writer, bytes.size);
    write_raw(writer, bytes);
}

void write_vector(struct writer *writer, const struct vector *vector) {
    write_uvarint(writer, vector->count);
    for (size_t i = 0; i < vector->count; i++) {
        write_raw(writer, vector->entries[i].replica);
        write_u64(writer, vector->entries[i].time);
    }
}
