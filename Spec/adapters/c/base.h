/* What every file shares: byte slices, error classes, limits, and the task that carries memory and the first fault. */
#ifndef BASE_H
#define BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The closed registry of 09 [ERR-001]. `internal` is no class of it: the caller's misuse, or memory at its end. */
enum error_class {
    error_none, error_auth, error_seal_format, error_version, error_type, error_truncated, error_trailing,
    error_too_large, error_noncanonical, error_range, error_order, error_duplicate, error_text,
    error_unexpected, error_stale, error_internal
};

const char *error_class_name(enum error_class class);

/* The limits of 00. */
enum {
    max_key = 512, min_message_key = 17, max_group = 512, max_name = 64, max_body = 983040, max_vector = 1024,
    max_namespaces = 64, max_ranges = 1024, max_parts = 1024, max_sightings = 64, max_rule = 16, max_detail = 256,
    max_plaintext = 1048576, max_row_content = 16777216, min_padded = 256, fleet_size = 16, key_size = 32, hash_size = 32,
    tag_size = 16, id_size = 16
};
#define MAX_TIME ((uint64_t)INT64_MAX)
#define MAX_REQUEST ((uint64_t)INT64_MAX)

/* A view of bytes that somebody else owns. */
struct slice {
    const uint8_t *bytes;
    size_t size;
};

/* Compares as CONV-002 says: unsigned bytes, a proper prefix first. Negative, zero or positive. */
int slice_compare(struct slice a, struct slice b);
bool slice_equal(struct slice a, struct slice b);
bool slice_is_zero(struct slice a);
bool slice_has_prefix(struct slice a, struct slice prefix);
struct slice slice_from_text(const char *text);
int number_compare(uint64_t a, uint64_t b);

/* Up to 8 bytes as a big-endian number [CONV-001]. */
uint64_t slice_number(struct slice bytes);

/* The first rule that was broken, with its sentence and the byte offset that was reached [ERR-002]. */
struct fault {
    enum error_class class;
    const char *rule;
    size_t offset;
};

/* One piece of work: owns all memory that it allocates, and keeps the first fault only [CONV-005]. */
struct task {
    struct fault fault;
    size_t offset; /* how far the input is read */
    struct block *blocks;
    size_t allocated;
};

void task_begin(struct task *task);
void task_end(struct task *task); /* wipes the memory: it may hold keys [SEC-001] */
bool failed(const struct task *task);
void fail(struct task *task, enum error_class class, const char *rule);

/* Zeroed memory that lives until the task ends. The caller has checked `count` against its input [CONV-004]. Never null:
   where memory is refused the task fails and the result is a spare element, so a caller must look at `failed` before it
   goes beyond the first. `size` is at most 256. */
void *task_allocate(struct task *task, size_t count, size_t size);

#endif
