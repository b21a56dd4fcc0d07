/* The namespace key and the leaf of a row [LEAF-001, LEAF-003]. */
#include "hash.h"

#include <sodium.h>

struct slice hash_slice(const struct hash *hash) {
    return (struct slice){hash->bytes, hash_size};
}

struct hash blake2b(struct slice key, struct slice message) {
    struct hash hash;
    crypto_generichash(hash.bytes, hash_size, message.bytes, message.size, key.size ? key.bytes : NULL, key.size);
    return hash;
}

struct hash namespace_key(struct task *task, struct slice digest_key, struct slice name) {
    struct writer message = writer_begin(task);
    write_text(&message, "cenotaph/1 namespace");
    write_bytes(&message, name);
    return blake2b(digest_key, written(&message));
}

/* Refuses to hash what is no content [LEAF-004, LEAF-005, LEAF-006]. The secret is a prefix, not a key [LEAF-003]. */
struct hash leaf_of_content(struct task *task, const struct hash *ns_key, enum row_type type, struct slice content) {
    struct writer message = writer_begin(task);
    check_content(task, type, content);
    write_raw(&message, hash_slice(ns_key));
    write_u8(&message, (uint8_t)type);
    write_raw(&message, content);
    return blake2b((struct slice){NULL, 0}, written(&message));
}
