/* Taking a difference apart [SKETCH-011, SKETCH-012, SKETCH-013]. The cells may be a peer's, made to do harm. */
#include "sketch.h"

#include <sodium.h>
#include <stdlib.h>

/* The ids noted, in a hash table with open addressing. Its hash has a random key, so that a peer cannot choose ids that
   collide. */
struct noted {
    uint8_t key[crypto_shorthash_KEYBYTES];
    size_t mask, count;
    uint64_t *slots; /* an id plus 1, or 0 */
};

struct pile {
    struct sketch *cells;
    size_t height;
    uint32_t *indexes; /* cells that may be pure, each once */
    bool *is_in;
};

static struct noted noted_begin(struct task *task, size_t most) {
    struct noted noted = {.mask = 1};
    while (noted.mask < 2 * most) noted.mask = 2 * noted.mask + 1;
    noted.slots = task_allocate(task, noted.mask + 1, sizeof *noted.slots);
    crypto_shorthash_keygen(noted.key);
    return noted;
}

/* False where the id was noted before. The table never fills: it has twice the room. */
static bool note(struct noted *noted, uint64_t id) {
    uint64_t hash;
    crypto_shorthash((unsigned char *)&hash, (const unsigned char *)&id, sizeof id, noted->key);
    size_t slot = (size_t)hash & noted->mask;
    for (; noted->slots[slot]; slot = (slot + 1) & noted->mask)
        if (noted->slots[slot] == id + 1) return false;
    noted->slots[slot] = id + 1;
    noted->count++;
    return true;
}

static bool is_pure(const struct cell *cell) {
    return (cell->number == 1 || cell->number == 255) && cell->checks == id_marks(cell->ids).check;
}

static void push_if_pure(struct pile *pile, uint32_t index) {
    if (pile->is_in[index] || !is_pure(&pile->cells->cells[index])) return;
    pile->is_in[index] = true;
    pile->indexes[pile->height++] = index;
}

/* Takes what a pure cell holds out of each cell of its id. */
static void take_out(struct pile *pile, struct cell pure) {
    uint32_t indexes[most_cells_of_id];
    size_t count = cells_of_id(pure.ids, pile->cells->size, indexes);
    for (size_t i = 0; i < count; i++) {
        struct cell *cell = &pile->cells->cells[indexes[i]];
        cell->ids ^= pure.ids;
        cell->checks ^= pure.checks;
        cell->number = (uint8_t)(cell->number - pure.number);
        push_if_pure(pile, indexes[i]);
    }
}

static bool all_zero(const struct sketch *cells) {
    for (size_t i = 0; i < cells->size; i++)
        if (cells->cells[i].ids || cells->cells[i].checks || cells->cells[i].number) return false;
    return true;
}

/* Whether the ids found account for the sizes, without a number that wraps around [SKETCH-012]. */
static bool sizes_fit(const struct difference *found, uint64_t size_a, uint64_t size_b) {
    if (size_a >= size_b) return found->count_a >= found->count_b && found->count_a - found->count_b == size_a - size_b;
    return found->count_b >= found->count_a && found->count_b - found->count_a == size_b - size_a;
}

static int compare_ids(const void *a, const void *b) {
    return number_compare(*(const uint64_t *)a, *(const uint64_t *)b);
}

struct difference take_apart(struct task *task, struct sketch *cells, uint64_t size_a, uint64_t size_b) {
    static const struct difference not_decoded;
    struct difference found = {.only_a = task_allocate(task, cells->size, sizeof *found.only_a),
                               .only_b = task_allocate(task, cells->size, sizeof *found.only_b)};
    struct noted noted = noted_begin(task, cells->size);
    struct pile pile = {cells, 0, task_allocate(task, cells->size, sizeof *pile.indexes),
                        task_allocate(task, cells->size, sizeof *pile.is_in)};
    if (failed(task)) return not_decoded;
    for (size_t i = 0; i < cells->size; i++) push_if_pure(&pile, (uint32_t)i);
    while (pile.height) {
        uint32_t index = pile.indexes[pile.height - 1];
        struct cell cell = cells->cells[index];
        if (!is_pure(&cell)) { /* only now: a cell that its id is not in stays pure, and ends this below */
            pile.is_in[index] = false;
            pile.height--;
            continue;
        }
        if (noted.count == cells->size || !note(&noted, cell.ids)) return not_decoded; /* SKETCH-013 */
        if (cell.number == 1) found.only_a[found.count_a++] = cell.ids;
        else found.only_b[found.count_b++] = cell.ids;
        take_out(&pile, cell);
    }
    found.decoded = all_zero(cells) && sizes_fit(&found, size_a, size_b);
    qsort(found.only_a, found.count_a, sizeof *found.only_a, compare_ids);
    qsort(found.only_b, found.count_b, sizeof *found.only_b, compare_ids);
    return found.decoded ? found : not_decoded;
}
