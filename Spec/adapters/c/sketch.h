/* Sketches (12): short sums of sets of row ids, whose difference can be taken apart. */
#ifndef SKETCH_H
#define SKETCH_H

#include "hash.h"

enum {
    place_size = 3, row_id_size = 6, check_size = 3, cell_size = row_id_size + check_size + 1, id_prefix_size = 4,
    max_cells = 65536, counter_count = 128, most_cells_of_id = 16 + 96
};

/* A row id as a number of 48 bits [SKETCH-002]. */
uint64_t row_id(struct task *task, const struct hash *ns_key, struct slice key, struct slice leaf);

/* What word 0 of an id says [SKETCH-004]. */
struct id_marks {
    uint32_t check;
    uint8_t counter;
    bool up, dense;
};

struct id_marks id_marks(uint64_t id);

/* Writes the cells below `size` that an id is in, ascending, and gives their number [SKETCH-005]. */
size_t cells_of_id(uint64_t id, size_t size, uint32_t indexes[most_cells_of_id]);

struct cell {
    uint64_t ids;
    uint32_t checks;
    uint8_t number;
};

/* The first `size` cells of a set. There is always room for one cell, also where the task fails. */
struct sketch {
    size_t size;
    struct cell *cells;
};

struct sketch sketch_begin(struct task *task, size_t size);
void sketch_add(struct sketch *sketch, uint64_t id);
void sketch_subtract(struct sketch *from, const struct sketch *other); /* of one size [SKETCH-010] */

/* As bytes: `cell_size` a cell [SKETCH-007]. */
struct sketch sketch_of_bytes(struct task *task, struct slice bytes);
void write_sketch(struct writer *writer, const struct sketch *sketch);

/* Counts an id in 128 counters [SKETCH-008]; the estimate that those of two sets give [SKETCH-014]. */
void count_id(uint8_t counters[counter_count], uint64_t id);
uint64_t estimate_of_counters(const uint8_t *a, const uint8_t *b);

/* How many cells answer a sketch that did not decode, or 0 where there are too many differences [SYNC-042]. */
uint64_t cells_for_estimate(uint64_t estimate, uint64_t count_a, uint64_t count_b);

/* sketch_difference.c: the ids in which two sets differ, ascending. Not decoded, there are none. */
struct difference {
    bool decoded;
    size_t count_a, count_b;
    uint64_t *only_a, *only_b;
};

/* Takes the cells of a less those of b apart, which it uses up; the sets have `size_a` and `size_b` ids. Whatever the cells
   hold, the work is bounded by their number [SKETCH-013]. */
struct difference take_apart(struct task *task, struct sketch *cells, uint64_t size_a, uint64_t size_b);

#endif
