/* Sums, fingerprints, roots, the schema and the summary [DIG-002 to DIG-009, MODEL-013]. */
#include "hash.h"

#include "ranges.h"

#include <stdlib.h>

enum { most_items = 16, description_parts = 16, fingerprint_mark = 0x10, root_mark = 0x20 };

struct member_list members_in_range(struct member_list all, struct slice lo, struct slice hi) {
    while (all.count && slice_compare(all.members[0].key, lo) < 0)
        all = (struct member_list){all.count - 1, all.members + 1};
    while (hi.size && all.count && slice_compare(all.members[all.count - 1].key, hi) >= 0) all.count--;
    return all;
}

/* Adds 256-bit big-endian numbers; the carry out of the first byte is dropped [DIG-002]. */
struct hash sum_of_leaves(struct member_list list) {
    struct hash sum = {{0}};
    for (size_t i = 0; i < list.count; i++) {
        unsigned carry = 0;
        for (int at = hash_size - 1; at >= 0; at--) {
            carry += (unsigned)sum.bytes[at] + list.members[i].leaf.bytes[at];
            sum.bytes[at] = (uint8_t)carry;
            carry >>= 8;
        }
    }
    return sum;
}

/* DIG-003 */
struct hash fingerprint_of_range(struct task *task, const struct hash *ns_key, uint8_t set, struct member_list list) {
    struct hash sum = sum_of_leaves(list);
    struct writer message = writer_begin(task);
    write_raw(&message, hash_slice(ns_key));
    write_u8(&message, (uint8_t)(fingerprint_mark + set));
    write_u64(&message, list.count);
    write_raw(&message, hash_slice(&sum));
    return blake2b((struct slice){NULL, 0}, written(&message));
}

/* The shortest prefix of `next` that is greater than `previous`; next is greater than previous [DIG-009]. */
static struct slice shortest_bound(struct slice previous, struct slice next) {
    size_t size = 0;
    while (size < previous.size && size < next.size && previous.bytes[size] == next.bytes[size]) size++;
    return (struct slice){next.bytes, size + 1};
}

static void write_items(struct writer *writer, struct member_list list, struct slice hi) {
    struct range range = {.hi = hi, .mode = mode_items, .count = list.count};
    range.items = task_allocate(writer->task, list.count, sizeof *range.items);
    for (size_t i = 0; i < list.count && !failed(writer->task); i++)
        range.items[i] = (struct item){list.members[i].key, {list.members[i].leaf.bytes, tag_size}};
    if (!failed(writer->task)) write_range(writer, &range);
}

void write_description(struct writer *writer, const struct hash *ns_key, uint8_t set, struct member_list list, struct slice hi) {
    if (list.count <= most_items) {
        write_items(writer, list, hi);
        return;
    }
    for (size_t part = 0; part < description_parts; part++) {
        size_t first = part * list.count / description_parts, end = (part + 1) * list.count / description_parts;
        bool is_last = part + 1 == description_parts;
        struct member_list held = {end - first, list.members + first};
        struct hash fingerprint = fingerprint_of_range(writer->task, ns_key, set, held);
        struct slice bound = is_last ? hi : shortest_bound(list.members[end - 1].key, list.members[end].key);
        struct range range = {.hi = bound, .mode = mode_fingerprint, .fingerprint = {fingerprint.bytes, tag_size}};
        write_range(writer, &range);
    }
}

/* DIG-006 */
struct hash namespace_root(struct task *task, const struct hash *ns_key, struct slice live, struct slice tombstones) {
    struct writer message = writer_begin(task);
    write_raw(&message, hash_slice(ns_key));
    write_u8(&message, root_mark);
    write_raw(&message, live);
    write_raw(&message, tombstones);
    return blake2b((struct slice){NULL, 0}, written(&message));
}

static int compare_schema_names(const void *a, const void *b) {
    return slice_compare(((const struct schema_entry *)a)->name, ((const struct schema_entry *)b)->name);
}

/* MODEL-013 */
struct hash schema_fingerprint(struct task *task, struct slice digest_key, size_t count, struct schema_entry *entries) {
    struct writer message = writer_begin(task);
    qsort(entries, count, sizeof *entries, compare_schema_names);
    write_text(&message, "cenotaph/1 schema");
    write_uvarint(&message, count);
    for (size_t i = 0; i < count; i++) {
        write_bytes(&message, entries[i].name);
        write_u8(&message, entries[i].code);
    }
    return blake2b(digest_key, written(&message));
}

struct hash summary_hash(struct task *task, struct slice digest_key, struct slice epoch, size_t count,
                         const struct summary_part *parts) {
    struct writer message = writer_begin(task);
    write_text(&message, "cenotaph/1 summary");
    write_raw(&message, epoch);
    for (size_t i = 0; i < count; i++) {
        write_bytes(&message, parts[i].name);
        write_raw(&message, parts[i].root);
        write_vector(&message, &parts[i].knowledge);
    }
    return blake2b(digest_key, written(&message));
}
