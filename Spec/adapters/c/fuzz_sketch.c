/* Takes sketches apart that were damaged, or made to do harm [SKETCH-013]. What is decoded must give the cells again. */
#include "fuzz.h"
#include "sketch.h"

enum { most_size = 200, most_ids = 120 };

static uint64_t random_id(void) {
    return (uint64_t)random_below(1 << 24) << 24 | random_below(1 << 24);
}

/* As a peer could make cells: bytes flipped, one cell everywhere, one id claimed by any cells. */
static void damage(struct sketch *cells) {
    struct cell chosen = cells->cells[random_below(cells->size)];
    uint64_t id = random_id();
    switch (random_below(3)) {
    case 0: cells->cells[random_below(cells->size)].number ^= (uint8_t)(1u << random_below(8)); return;
    case 1:
        for (size_t i = 0; i < cells->size; i++) cells->cells[i] = chosen;
        return;
    default:
        for (size_t count = 1 + random_below(4); count; count--)
            cells->cells[random_below(cells->size)] = (struct cell){id, id_marks(id).check, random_below(2) ? 1 : 255};
    }
}

static struct slice bytes_of(struct task *task, const struct sketch *cells) {
    struct writer out = writer_begin(task);
    write_sketch(&out, cells);
    return written(&out);
}

/* The cells of the ids found, as a difference. */
static struct sketch cells_of_difference(struct task *task, size_t size, const struct difference *found) {
    struct sketch a = sketch_begin(task, size), b = sketch_begin(task, size);
    for (size_t i = 0; i < found->count_a; i++) sketch_add(&a, found->only_a[i]);
    for (size_t i = 0; i < found->count_b; i++) sketch_add(&b, found->only_b[i]);
    sketch_subtract(&a, &b);
    return a;
}

static void check_ids(const uint64_t *ids, size_t count, struct slice cells) {
    for (size_t i = 1; i < count; i++)
        if (ids[i - 1] >= ids[i]) stop("an id was found twice", cells);
}

bool check_sketch(void) {
    struct task task;
    task_begin(&task);
    size_t size = 1 + random_below(most_size), only_a = random_below(most_ids), only_b = random_below(most_ids / 4);
    struct sketch a = sketch_begin(&task, size), b = sketch_begin(&task, size);
    for (size_t i = 0; i < only_a; i++) sketch_add(&a, random_id());
    for (size_t i = 0; i < only_b; i++) sketch_add(&b, random_id());
    bool damaged = random_below(2);
    if (damaged) damage(&a);
    sketch_subtract(&a, &b);
    struct slice before = bytes_of(&task, &a);
    struct sketch copy = sketch_of_bytes(&task, before);
    struct difference found = take_apart(&task, &copy, only_a, only_b);
    if (failed(&task)) stop("memory at its end", before);
    if (!damaged && found.decoded && found.count_a != only_a) stop("other ids than there are", before);
    check_ids(found.only_a, found.count_a, before);
    check_ids(found.only_b, found.count_b, before);
    struct sketch again = cells_of_difference(&task, size, &found);
    if (found.decoded && !slice_equal(bytes_of(&task, &again), before)) stop("other cells than there were", before);
    bool decoded = found.decoded;
    task_end(&task);
    return decoded;
}
