/* Feeds mutated golden bytes to every decoder. What one takes must be spelt the same when it is written again [CONV-003],
   contents of one policy must merge to the same bytes in any order, and what a sketch tells must make that sketch.
   Usage: fuzz ROUNDS SEED VECTOR-FILE... */
#define _POSIX_C_SOURCE 200809L
#include "fields.h"
#include "fuzz.h"
#include "frames.h"
#include "merge.h"
#include "seal.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Decodes all of `input` and writes the value again. */
typedef void recode(struct task *task, struct slice input, struct writer *again);

static void uvarint_again(struct task *task, struct slice input, struct writer *again) {
    struct cursor cursor = cursor_over(task, input);
    write_uvarint(again, read_uvarint(&cursor));
    read_end(&cursor, "PRIM-011");
}

static void bytes_again(struct task *task, struct slice input, struct writer *again) {
    struct cursor cursor = cursor_over(task, input);
    write_bytes(again, read_bytes(&cursor, 0, max_body));
    read_end(&cursor, "PRIM-011");
}

static void stamp_again(struct task *task, struct slice input, struct writer *again) {
    struct cursor cursor = cursor_over(task, input);
    write_stamp(again, read_stamp(&cursor));
    read_end(&cursor, "PRIM-011");
}

static void vector_again(struct task *task, struct slice input, struct writer *again) {
    struct cursor cursor = cursor_over(task, input);
    struct vector vector = read_vector(&cursor);
    read_end(&cursor, "PRIM-011");
    if (!failed(task)) write_vector(again, &vector);
}

static void frame_again(struct task *task, struct slice input, struct writer *again) {
    struct frame frame = frame_decode(task, input);
    if (failed(task)) return;
    frame_encode(again, &frame);
    if (frame.skipped) write_raw(again, (struct slice){input.bytes + 1, input.size - 1}); /* nothing else is read */
}

static void event_again(struct task *task, struct slice input, struct writer *again) {
    struct event_row row = read_event_content(task, input);
    if (!failed(task)) write_event_content(again, &row);
}

static void marker_again(struct task *task, struct slice input, struct writer *again) {
    struct marker marker = read_marker_content(task, input);
    write_marker_content(again, &marker);
}

static void causal_again(struct task *task, struct slice input, struct writer *again) {
    struct causal_row row = read_causal_content(task, input);
    if (!failed(task)) write_causal_content(again, &row);
}

static void last_writer_again(struct task *task, struct slice input, struct writer *again) {
    struct last_writer_row row = read_last_writer_content(task, input);
    write_last_writer_content(again, &row);
}

static void message_again(struct task *task, struct slice input, struct writer *again) {
    struct message message = read_message_content(task, input);
    write_message_content(again, &message);
}

static recode *const codecs[] = {uvarint_again, bytes_again,  stamp_again,  vector_again,      frame_again,
                                event_again,   marker_again, causal_again, last_writer_again, message_again};
enum { codec_count = sizeof codecs / sizeof *codecs };

/* Golden bytes and a codec that takes them. */
struct seed {
    struct slice bytes;
    recode *codec;
};

static struct seed *seeds;
static size_t seed_count, accepted_count, merged_count, decoded_count;
static uint64_t random_state;

size_t random_below(size_t limit) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(random_state >> 33) % limit;
}

void stop(const char *what, struct slice bytes) {
    fprintf(stderr, "%s: ", what);
    for (size_t i = 0; i < bytes.size; i++) fprintf(stderr, "%02x", bytes.bytes[i]);
    fprintf(stderr, "\n");
    exit(1);
}

/* Runs a codec on a copy of exactly the input's size, so that the sanitizer sees a read beyond it. */
static bool survives(recode *codec, struct slice bytes) {
    struct task task;
    task_begin(&task);
    uint8_t *copy = malloc(bytes.size + !bytes.size);
    if (!copy) exit(1);
    memcpy(copy, bytes.bytes, bytes.size);
    struct writer again = writer_begin(&task);
    codec(&task, (struct slice){copy, bytes.size}, &again);
    bool accepted = !failed(&task);
    if (task.fault.class == error_internal) stop("memory at its end", bytes);
    if (accepted && !slice_equal(written(&again), bytes)) stop("a second spelling", bytes);
    free(copy);
    task_end(&task);
    return accepted;
}

static void add_seed(struct slice bytes) {
    for (size_t i = 0; i < codec_count; i++) {
        if (!survives(codecs[i], bytes)) continue;
        if ((seed_count & (seed_count - 1)) == 0) seeds = realloc(seeds, (2 * seed_count + 1) * sizeof *seeds);
        if (!seeds) exit(1);
        seeds[seed_count++] = (struct seed){bytes, codecs[i]};
    }
}

/* Every string of a vector file that is hexadecimal. */
static void load_seeds(struct task *task, const char *path) {
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    if (!file) exit(1);
    for (ssize_t size; (size = getline(&line, &capacity, file)) >= 0;) {
        struct slice rest = {(const uint8_t *)line, (size_t)size};
        while (rest.size) {
            struct slice string = cut_part(&rest, '"');
            struct task attempt;
            task_begin(&attempt);
            parse_hex(&attempt, string);
            if (!failed(&attempt) && string.size) add_seed(parse_hex(task, string));
            task_end(&attempt);
        }
    }
    free(line);
    fclose(file);
}

enum { largest_mutant = 1 << 16 };
static uint8_t mutant[largest_mutant];

/* Replaces `deleted` bytes at `at` by `inserted`; what does not fit is left alone. */
static size_t splice(size_t size, size_t at, size_t deleted, struct slice inserted) {
    if (size - deleted + inserted.size > largest_mutant) return size;
    memmove(mutant + at + inserted.size, mutant + at + deleted, size - at - deleted);
    memmove(mutant + at, inserted.bytes, inserted.size);
    return size - deleted + inserted.size;
}

static size_t mutate_once(size_t size) {
    static const uint8_t edges[] = {0x00, 0x01, 0x02, 0x03, 0x05, 0x10, 0x7f, 0x80, 0x81, 0xff};
    size_t at = random_below(size + 1), left = size - at;
    size_t length = random_below((left < 40 ? left : 40) + 1);
    uint8_t byte = edges[random_below(sizeof edges)];
    struct slice other = seeds[random_below(seed_count)].bytes;
    size_t from = random_below(other.size), span = random_below((other.size - from < 40 ? other.size - from : 40) + 1);
    switch (random_below(6)) {
    case 0: if (left) mutant[at] ^= (uint8_t)(1u << random_below(8)); return size;
    case 1: if (left) mutant[at] = byte; return size;
    case 2: return splice(size, at, left > 0, (struct slice){&byte, 1});
    case 3: return splice(size, at, length, (struct slice){&byte, 0});
    case 4: return splice(size, at, 0, (struct slice){mutant + at, length});
    default: return splice(size, at, random_below(2) ? length : 0, (struct slice){other.bytes + from, span});
    }
}

/* A mutant of a seed, in memory that lives until the next one. */
static struct slice mutate(struct slice seed) {
    size_t size = seed.size < largest_mutant ? seed.size : largest_mutant;
    memcpy(mutant, seed.bytes, size);
    for (size_t count = 1 + random_below(3); count; count--) size = mutate_once(size);
    return (struct slice){mutant, size};
}

/* The merge of two contents as a content, empty where one of them or the result is refused. */
static struct slice merge_contents(struct task *task, recode *codec, struct slice a, struct slice b) {
    struct writer out = writer_begin(task);
    if (codec == causal_again) {
        struct causal_row left = read_causal_content(task, a), right = read_causal_content(task, b);
        struct causal_row merged = failed(task) ? left : merge_causal(task, &left, &right);
        if (!failed(task)) write_causal_content(&out, &merged);
    } else if (codec == last_writer_again) {
        struct last_writer_row left = read_last_writer_content(task, a), right = read_last_writer_content(task, b);
        struct last_writer_row merged = merge_last_writer(&left, &right);
        write_last_writer_content(&out, &merged);
    } else if (codec == message_again) {
        struct message left = read_message_content(task, a), right = read_message_content(task, b);
        struct message merged = merge_message(&left, &right);
        write_message_content(&out, &merged);
    }
    return written(&out);
}

/* A content with another key in front: contents start with theirs. */
static struct slice with_key(struct task *task, struct slice key, struct slice content) {
    struct cursor cursor = cursor_over(task, content);
    struct writer out = writer_begin(task);
    read_bytes(&cursor, 0, max_key);
    write_bytes(&out, key);
    write_raw(&out, read_fixed(&cursor, cursor.remaining));
    return written(&out);
}

/* A merge is commutative, associative and idempotent, and gives a content (07). */
static void check_merge(recode *codec, struct slice a, struct slice b, struct slice c) {
    struct task task;
    task_begin(&task);
    struct cursor cursor = cursor_over(&task, a);
    struct slice key = read_bytes(&cursor, 0, max_key);
    b = with_key(&task, key, b);
    c = with_key(&task, key, c);
    struct slice ab = merge_contents(&task, codec, a, b), ba = merge_contents(&task, codec, b, a);
    struct slice left = merge_contents(&task, codec, ab, c);
    struct slice right = merge_contents(&task, codec, a, merge_contents(&task, codec, b, c));
    struct slice again = merge_contents(&task, codec, left, b);
    if (!failed(&task) && left.size) {
        merged_count++;
        if (!slice_equal(ab, ba)) stop("a merge is not commutative", a);
        if (!slice_equal(left, right)) stop("a merge is not associative", a);
        if (!slice_equal(left, again)) stop("a merge is not idempotent", a);
        if (!survives(codec, left)) stop("a merge gives no content", a);
    }
    task_end(&task);
}

/* Two more contents of the same policy: a golden one, and another mutant of the first. */
static void check_merges(recode *codec, struct slice seed, struct slice bytes) {
    uint8_t copy[largest_mutant];
    memcpy(copy, bytes.bytes, bytes.size);
    struct seed other = seeds[random_below(seed_count)];
    struct slice third = random_below(2) ? mutate(seed) : seed;
    if (other.codec == codec) check_merge(codec, (struct slice){copy, bytes.size}, other.bytes, third);
}

static void check_seal(struct slice frame) {
    static const uint8_t zeros[key_size] = {1};
    struct task task;
    task_begin(&task);
    struct seal_key key = fleet_seal_key(&task, (struct slice){zeros, key_size}, (struct slice){zeros, fleet_size});
    struct slice sealed = seal_frame(&task, &key, (struct slice){zeros, nonce_size}, frame);
    if (!slice_equal(seal_open(&task, &key, sealed), frame) || failed(&task)) stop("sealed and not opened", frame);
    uint8_t *cut = malloc(sealed.size);
    if (!cut) exit(1);
    memcpy(cut, sealed.bytes, sealed.size);
    size_t at = random_below(sealed.size);
    cut[at] ^= 0x40;
    seal_open(&task, &key, (struct slice){cut, sealed.size - random_below(2) * at});
    if (!failed(&task)) stop("opened what was altered", frame);
    free(cut);
    task_end(&task);
}

int main(int count, char **arguments) {
    struct task task;
    task_begin(&task);
    if (count < 4 || sodium_init() < 0) return 2;
    uint64_t rounds = strtoull(arguments[1], NULL, 10);
    random_state = strtoull(arguments[2], NULL, 10);
    for (int i = 3; i < count; i++) load_seeds(&task, arguments[i]);
    for (uint64_t round = 0; round < rounds && seed_count; round++) {
        struct seed seed = seeds[random_below(seed_count)];
        struct slice bytes = mutate(seed.bytes);
        recode *codec = random_below(8) ? seed.codec : codecs[random_below(codec_count)];
        accepted_count += survives(codec, bytes);
        if (round % 64 == 0) check_seal(bytes);
        if (round % 64 == 1) decoded_count += check_sketch();
        if (codec == seed.codec) check_merges(codec, seed.bytes, bytes);
    }
    printf("%zu seeds, %" PRIu64 " mutants, %zu taken, %zu merged, %zu sketches decoded\n", seed_count, rounds, accepted_count,
           merged_count, decoded_count);
    free(seeds);
    task_end(&task);
    return 0;
}
