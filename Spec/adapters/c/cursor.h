/* Reading the primitives of 02 from the front of some bytes. After the first fault every read gives zero or nothing, so a
   reader can be written straight down; only its loops have to look at `failed`. */
#ifndef CURSOR_H
#define CURSOR_H

#include "base.h"

struct cursor {
    struct task *task;
    const uint8_t *next;
    size_t remaining;
};

struct cursor cursor_over(struct task *task, struct slice input);

uint8_t read_u8(struct cursor *cursor);
uint8_t read_choice(struct cursor *cursor, uint8_t min, uint8_t max);
uint64_t read_uvarint(struct cursor *cursor);
uint64_t read_limited(struct cursor *cursor, uint64_t min, uint64_t max, const char *rule);
struct slice read_fixed(struct cursor *cursor, size_t size);
struct slice read_bytes(struct cursor *cursor, uint64_t min, uint64_t max);
struct slice read_replica(struct cursor *cursor);
uint64_t read_time(struct cursor *cursor);

/* Reads the count of a list whose elements take at least `smallest` bytes each. */
size_t read_count(struct cursor *cursor, uint64_t min, uint64_t max, size_t smallest);
void read_end(struct cursor *cursor, const char *rule);

/* Judges two neighbours of an ascending list, given how the former compares with the latter [PRIM-009, PRIM-010]. */
void check_ascending(struct task *task, int comparison, const char *rule);

/* One entry of a vector: every write by that replica up to that time. */
struct vector_entry {
    struct slice replica;
    uint64_t time;
};

struct vector {
    size_t count;
    struct vector_entry *entries;
};

struct vector read_vector(struct cursor *cursor);

#endif
