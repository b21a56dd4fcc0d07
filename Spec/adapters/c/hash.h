/* Hashes of 01, 04 and 05. */
#ifndef HASH_H
#define HASH_H

#include "rows.h"

struct hash {
    uint8_t bytes[hash_size];
};

struct slice hash_slice(const struct hash *hash);

/* BLAKE2b with 32 bytes of result; an empty key is none (00, Notation). */
struct hash blake2b(struct slice key, struct slice message);

/* leaf.c */
struct hash namespace_key(struct task *task, struct slice digest_key, struct slice name);
struct hash leaf_of_content(struct task *task, const struct hash *ns_key, enum row_type type, struct slice content);

/* digest.c: a key of a set, and its leaf. */
struct member {
    struct slice key, leaf;
};

/* Members strictly ascend by key. */
struct member_list {
    size_t count;
    const struct member *members;
};

struct member_list members_in_range(struct member_list all, struct slice lo, struct slice hi);
struct hash sum_of_leaves(struct member_list list);
struct hash fingerprint_of_range(struct task *task, const struct hash *ns_key, uint8_t set, struct member_list list);

/* Writes the entries that describe [.., hi), which holds the members of `list` [DIG-009]. */
void write_description(struct writer *writer, const struct hash *ns_key, uint8_t set, struct member_list list, struct slice hi);
struct hash namespace_root(struct task *task, const struct hash *ns_key, struct slice live, struct slice tombstones);

struct schema_entry {
    struct slice name;
    uint8_t code;
};

/* Sorts the entries by name. */
struct hash schema_fingerprint(struct task *task, struct slice digest_key, size_t count, struct schema_entry *entries);

struct summary_part {
    struct slice name, root;
    struct vector knowledge;
};

/* The first 16 bytes are the summary [DIG-008]. */
struct hash summary_hash(struct task *task, struct slice digest_key, struct slice epoch, size_t count,
                         const struct summary_part *parts);

#endif
