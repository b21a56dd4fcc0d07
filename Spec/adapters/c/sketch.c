/* Row ids, the cells that they are in, and sums of them [SKETCH-001 to SKETCH-010, SKETCH-014]. */
#include "sketch.h"

#include <string.h>

enum { place_mark = 0x30, first_block = 16, block_count = 96, blocks_of_group = 64, word_of_masks = 3, word_of_blocks = 16 };

uint64_t row_id(struct task *task, const struct hash *ns_key, struct slice key, struct slice leaf) {
    struct writer message = writer_begin(task);
    write_raw(&message, hash_slice(ns_key));
    write_u8(&message, place_mark);
    write_bytes(&message, key);
    struct hash place = blake2b((struct slice){NULL, 0}, written(&message)); /* SKETCH-001 */
    uint64_t low = slice_number((struct slice){leaf.bytes, row_id_size - place_size});
    return slice_number((struct slice){place.bytes, place_size}) << 8 * (row_id_size - place_size) | low;
}

/* Word `index` of an id [SKETCH-003]. */
static uint64_t word(uint64_t id, unsigned index) {
    uint64_t z = id + (index + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

struct id_marks id_marks(uint64_t id) {
    uint64_t w = word(id, 0);
    return (struct id_marks){
        .check = (uint32_t)(w >> 40), .counter = w >> 33 & 127, .up = w >> 32 & 1, .dense = (w >> 28 & 15) < 3};
}

/* The first cells: a byte below its limit is in [SKETCH-005, 1]. */
static bool is_in_first(uint64_t id, bool dense, unsigned cell) {
    static const uint16_t limits[2][first_block] = {
        {256, 152, 108, 84, 68, 58, 50, 44, 40, 36, 33, 30, 28, 26, 24, 23},
        {256, 230, 208, 191, 176, 163, 152, 142, 134, 126, 119, 113, 108, 103, 98, 94}};
    uint64_t byte = word(id, 1 + cell / 8) >> (56 - 8 * (cell % 8)) & 255;
    return byte < limits[dense][cell];
}

/* Where block `k` begins [SKETCH-005, 2]. */
static uint64_t block_begin(unsigned k) {
    static const uint64_t begins[] = {1048576, 1143480, 1246974, 1359835, 1482910, 1617125, 1763488, 1923097};
    return begins[k % 8] << k / 8 >> 16;
}

/* The blocks of a group that an id is in, as bits [SKETCH-005, 3]. */
static uint64_t blocks_of_id(uint64_t id, bool dense, unsigned group) {
    unsigned first = word_of_masks + 3 * group;
    uint64_t v = word(id, first), w = word(id, first + 1);
    return dense ? v | w : v & w & word(id, first + 2);
}

size_t cells_of_id(uint64_t id, size_t size, uint32_t indexes[most_cells_of_id]) {
    bool dense = id_marks(id).dense;
    size_t count = 0;
    for (unsigned cell = 0; cell < first_block && cell < size; cell++)
        if (is_in_first(id, dense, cell)) indexes[count++] = cell;
    uint64_t blocks = 0;
    for (unsigned k = 0; k < block_count && block_begin(k) < size; k++) {
        if (k % blocks_of_group == 0) blocks = blocks_of_id(id, dense, k / blocks_of_group);
        if (!(blocks >> k % blocks_of_group & 1)) continue;
        uint64_t begin = block_begin(k), length = block_begin(k + 1) - begin;
        uint64_t cell = begin + ((word(id, word_of_blocks + k) >> 32) * length >> 32); /* SKETCH-005, 4 */
        if (cell < size) indexes[count++] = (uint32_t)cell;
    }
    return count;
}

struct sketch sketch_begin(struct task *task, size_t size) {
    struct cell *cells = task_allocate(task, size, sizeof *cells);
    return (struct sketch){failed(task) ? 0 : size, cells};
}

/* SKETCH-006 */
void sketch_add(struct sketch *sketch, uint64_t id) {
    uint32_t indexes[most_cells_of_id], check = id_marks(id).check;
    size_t count = cells_of_id(id, sketch->size, indexes);
    for (size_t i = 0; i < count; i++) {
        struct cell *cell = &sketch->cells[indexes[i]];
        *cell = (struct cell){cell->ids ^ id, cell->checks ^ check, (uint8_t)(cell->number + 1)};
    }
}

void sketch_subtract(struct sketch *from, const struct sketch *other) {
    for (size_t i = 0; i < from->size && i < other->size; i++) {
        struct cell *a = &from->cells[i], *b = &other->cells[i];
        *a = (struct cell){a->ids ^ b->ids, a->checks ^ b->checks, (uint8_t)(a->number - b->number)};
    }
}

struct sketch sketch_of_bytes(struct task *task, struct slice bytes) {
    struct sketch sketch = sketch_begin(task, bytes.size / cell_size);
    for (size_t i = 0; i < sketch.size; i++) {
        const uint8_t *at = bytes.bytes + i * cell_size;
        sketch.cells[i].ids = slice_number((struct slice){at, row_id_size});
        sketch.cells[i].checks = (uint32_t)slice_number((struct slice){at + row_id_size, check_size});
        sketch.cells[i].number = at[row_id_size + check_size];
    }
    return sketch;
}

void write_sketch(struct writer *writer, const struct sketch *sketch) {
    for (size_t i = 0; i < sketch->size; i++) {
        write_number(writer, sketch->cells[i].ids, row_id_size);
        write_number(writer, sketch->cells[i].checks, check_size);
        write_u8(writer, sketch->cells[i].number);
    }
}

void count_id(uint8_t counters[counter_count], uint64_t id) {
    struct id_marks marks = id_marks(id);
    counters[marks.counter] = (uint8_t)(counters[marks.counter] + (marks.up ? 1 : -1));
}

uint64_t estimate_of_counters(const uint8_t *a, const uint8_t *b) {
    uint64_t sum = 0;
    for (size_t i = 0; i < counter_count; i++) {
        int difference = (uint8_t)(a[i] - b[i]);
        if (difference > 127) difference -= 256;
        sum += (uint64_t)(difference * difference);
    }
    return sum;
}

uint64_t cells_for_estimate(uint64_t estimate, uint64_t count_a, uint64_t count_b) {
    uint64_t size = 48 + estimate + estimate / 2; /* an estimate is at most 128 * 128^2 */
    bool is_less = count_a < size && count_b < size - count_a;
    return size <= max_cells && !is_less ? size : 0;
}
