#include "base.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

const char *error_class_name(enum error_class class) {
    static const char *const names[] = {
        "none", "auth", "seal-format", "version", "type", "truncated", "trailing", "too-large", "noncanonical",
        "range", "order", "duplicate", "text", "unexpected", "stale", "internal"};
    return names[class <= error_internal ? class : error_internal];
}

int slice_compare(struct slice a, struct slice b) {
    size_t common = a.size < b.size ? a.size : b.size;
    int order = common ? memcmp(a.bytes, b.bytes, common) : 0;
    return order ? order : number_compare(a.size, b.size);
}

bool slice_equal(struct slice a, struct slice b) {
    return slice_compare(a, b) == 0;
}

bool slice_is_zero(struct slice a) {
    for (size_t i = 0; i < a.size; i++)
        if (a.bytes[i]) return false;
    return true;
}

bool slice_has_prefix(struct slice a, struct slice prefix) {
    return a.size >= prefix.size && slice_equal((struct slice){a.bytes, prefix.size}, prefix);
}

struct slice slice_from_text(const char *text) {
    return (struct slice){(const uint8_t *)text, strlen(text)};
}

int number_compare(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

uint64_t slice_number(struct slice bytes) {
    uint64_t value = 0;
    for (size_t i = 0; i < bytes.size; i++) value = value << 8 | bytes.bytes[i];
    return value;
}

/* Memory: a list of blocks, freed together, with one limit on their sum. */
struct block {
    struct block *next;
    size_t size;
    max_align_t memory[];
};

static const size_t max_allocated = (size_t)1 << 30;

void task_begin(struct task *task) {
    *task = (struct task){0};
}

void task_end(struct task *task) {
    while (task->blocks) {
        struct block *next = task->blocks->next;
        sodium_memzero(task->blocks->memory, task->blocks->size);
        free(task->blocks);
        task->blocks = next;
    }
}

bool failed(const struct task *task) {
    return task->fault.class != error_none;
}

void fail(struct task *task, enum error_class class, const char *rule) {
    if (!failed(task)) task->fault = (struct fault){class, rule, task->offset};
}

void *task_allocate(struct task *task, size_t count, size_t size) {
    static max_align_t spare[256 / sizeof(max_align_t)];
    struct block *block = NULL;
    size_t left = max_allocated - task->allocated;
    if (count <= left / size) block = calloc(1, sizeof *block + count * size);
    if (!block) {
        fail(task, error_internal, "memory");
        return memset(spare, 0, sizeof spare);
    }
    task->allocated += count * size;
    block->next = task->blocks;
    block->size = count * size;
    task->blocks = block;
    return block->memory;
}
