/* Sealing (05): keys, the envelope and its padding. */
#ifndef SEAL_H
#define SEAL_H

#include "hash.h"

enum {
    envelope_version = 1, room_size = 16, key_id_size = 8, nonce_size = 24, nonce_offset = 9, box_offset = 33, envelope_size = 49,
    smallest_sealed = envelope_size + min_padded, largest_sealed = envelope_size + max_plaintext,
    largest_frame = max_plaintext - 1
};

struct seal_key {
    uint8_t id[key_id_size];
    uint8_t box_key[key_size];
};

struct seal_key fleet_seal_key(struct task *task, struct slice seal_key, struct slice fleet);

/* One direction of a channel [SEAL-040, SEAL-041]; between a fleet and itself there is none [SEAL-042]. */
struct seal_key channel_seal_key(struct task *task, struct slice channel_key, struct slice sender, struct slice receiver);

/* A relay's rooms, the first 16 bytes of these [RELAY-001, RELAY-002]. */
struct hash relay_room_of_fleet(struct task *task, struct slice digest_key, struct slice fleet);
struct hash relay_room_of_channel(struct task *task, struct slice channel_key, struct slice own, struct slice contact);

/* The size of the padded plaintext of a frame of `size` bytes, which is at most `largest_frame` [SEAL-008]. */
size_t padded_size(size_t size);

/* The frame in a sealed envelope; it is not decoded here [SEAL-005]. */
struct slice seal_open(struct task *task, const struct seal_key *key, struct slice sealed);

/* A caller draws the nonce from the system's random source, new for each frame [SEAL-004]. */
struct slice seal_frame(struct task *task, const struct seal_key *key, struct slice nonce, struct slice frame);

#endif
