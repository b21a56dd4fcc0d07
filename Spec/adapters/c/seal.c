#include "seal.h"

#include <sodium.h>
#include <string.h>

/* The steps that both kinds of keys share: the key id of `scope`, and the box key bound to it [SEAL-001, SEAL-002]. */
static struct seal_key derive(struct task *task, struct slice secret, const char *id_label, const char *box_label,
                              struct slice scope) {
    struct seal_key key;
    struct writer message = writer_begin(task);
    write_text(&message, id_label);
    write_raw(&message, scope);
    struct hash id = blake2b(secret, written(&message));
    memcpy(key.id, id.bytes, key_id_size);

    message = writer_begin(task);
    write_text(&message, box_label);
    write_u8(&message, envelope_version);
    write_raw(&message, (struct slice){key.id, key_id_size});
    struct hash box_key = blake2b(secret, written(&message));
    memcpy(key.box_key, box_key.bytes, key_size);
    sodium_memzero(&box_key, sizeof box_key); /* SEC-001 */
    return key;
}

struct seal_key fleet_seal_key(struct task *task, struct slice seal_key, struct slice fleet) {
    return derive(task, seal_key, "cenotaph/1 key id", "cenotaph/1 box", fleet);
}

struct seal_key channel_seal_key(struct task *task, struct slice channel_key, struct slice sender, struct slice receiver) {
    struct writer scope = writer_begin(task);
    if (slice_equal(sender, receiver)) fail(task, error_duplicate, "SEAL-042");
    write_raw(&scope, sender);
    write_raw(&scope, receiver);
    return derive(task, channel_key, "cenotaph/1 channel key id", "cenotaph/1 channel box", written(&scope));
}

struct hash relay_room_of_fleet(struct task *task, struct slice digest_key, struct slice fleet) {
    struct writer message = writer_begin(task);
    write_text(&message, "cenotaph/1 relay");
    write_raw(&message, fleet);
    return blake2b(digest_key, written(&message));
}

struct hash relay_room_of_channel(struct task *task, struct slice channel_key, struct slice own, struct slice contact) {
    int own_first = slice_compare(own, contact) < 0;
    struct writer message = writer_begin(task);
    write_text(&message, "cenotaph/1 relay channel");
    write_raw(&message, own_first ? own : contact);
    write_raw(&message, own_first ? contact : own);
    return blake2b(channel_key, written(&message));
}

/* floor(log2 n) of an n of at least 1. */
static unsigned log2_floor(size_t n) {
    unsigned power = 0;
    while (n >>= 1) power++;
    return power;
}

size_t padded_size(size_t size) {
    size_t n = size + 1 > min_padded ? size + 1 : min_padded;
    unsigned e = log2_floor(n), s = log2_floor(e) + 1;
    size_t low_bits = ((size_t)1 << (e - s)) - 1;
    return (n + low_bits) & ~low_bits;
}

/* Takes the padding off: zeros, then one byte 80 [SEAL-007, SEAL-009]. */
static struct slice unpad(struct task *task, struct slice padded) {
    size_t size = padded.size;
    while (size && padded.bytes[size - 1] == 0) size--;
    if (!size || padded.bytes[size - 1] != 0x80 || padded_size(size - 1) != padded.size) {
        fail(task, error_seal_format, "SEAL-009");
        return (struct slice){padded.bytes, 0};
    }
    return (struct slice){padded.bytes, size - 1};
}

/* The checks before a key is tried, in their order [SEAL-005]. */
static void check_envelope(struct task *task, struct slice sealed) {
    if (sealed.size < 1) fail(task, error_truncated, "SEAL-005");
    else if (sealed.bytes[0] != envelope_version) fail(task, error_version, "VER-001");
    else if (sealed.size < smallest_sealed) fail(task, error_truncated, "SEAL-005");
    else if (sealed.size > largest_sealed) fail(task, error_too_large, "SEAL-005");
}

struct slice seal_open(struct task *task, const struct seal_key *key, struct slice sealed) {
    struct slice nothing = {sealed.bytes, 0};
    check_envelope(task, sealed);
    if (failed(task)) return nothing;
    if (memcmp(sealed.bytes + 1, key->id, key_id_size) != 0) fail(task, error_auth, "SEAL-005");
    uint8_t *padded = task_allocate(task, sealed.size - envelope_size, 1);
    if (failed(task)) return nothing;
    int opened = crypto_secretbox_open_easy(padded, sealed.bytes + box_offset, sealed.size - box_offset,
                                            sealed.bytes + nonce_offset, key->box_key);
    if (opened != 0) {
        fail(task, error_auth, "SEAL-006");
        return nothing;
    }
    return unpad(task, (struct slice){padded, sealed.size - envelope_size});
}

struct slice seal_frame(struct task *task, const struct seal_key *key, struct slice nonce, struct slice frame) {
    struct slice nothing = {nonce.bytes, 0};
    if (frame.size > largest_frame) fail(task, error_too_large, "SEAL-010");
    if (failed(task)) return nothing;
    size_t size = padded_size(frame.size);
    uint8_t *padded = task_allocate(task, size, 1); /* zeroed */
    uint8_t *sealed = task_allocate(task, envelope_size + size, 1);
    if (failed(task)) return nothing;
    if (frame.size) memcpy(padded, frame.bytes, frame.size);
    padded[frame.size] = 0x80;
    sealed[0] = envelope_version;
    memcpy(sealed + 1, key->id, key_id_size);
    memcpy(sealed + nonce_offset, nonce.bytes, nonce_size);
    crypto_secretbox_easy(sealed + box_offset, padded, size, nonce.bytes, key->box_key);
    return (struct slice){sealed, envelope_size + size};
}
