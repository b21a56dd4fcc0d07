/* Writing the primitives of 02 to a growing buffer that the task owns. Values are taken as they are: whoever writes has
   checked them. */
#ifndef WRITER_H
#define WRITER_H

#include "base.h"
#include "cursor.h"

struct writer {
    struct task *task;
    uint8_t *bytes;
    size_t size;
    size_t capacity;
};

struct writer writer_begin(struct task *task);
struct slice written(const struct writer *writer);

void write_raw(struct writer *writer, struct slice bytes);
void write_text(struct writer *writer, const char *text);
void write_u8(struct writer *writer, uint8_t value);
void write_number(struct writer *writer, uint64_t value, size_t size);
void write_u64(struct writer *writer, uint64_t value);
void write_uvarint(struct writer *writer, uint64_t value);
void write_bytes(struct writer *writer, struct slice bytes);
void write_vector(struct writer *writer, const struct vector *vector);

#endif
