/* Level L3: keys and envelopes. */
#include "frames.h"
#include "operations.h"
#include "seal.h"

#include <sodium.h>

static struct seal_key field_seal_key(const struct request *in) {
    struct slice seal_key = field_fixed(in, "sealKey", key_size);
    struct slice fleet = field_fixed(in, "fleet", fleet_size);
    return fleet_seal_key(in->task, seal_key, fleet);
}

static void reply_seal_key(struct reply *out, const struct seal_key *key) {
    reply_hex(out, "keyID", (struct slice){key->id, key_id_size});
    reply_hex(out, "boxKey", (struct slice){key->box_key, key_size});
}

static void seal_key(const struct request *in, struct reply *out) {
    struct seal_key key = field_seal_key(in);
    reply_seal_key(out, &key);
}

static void seal_channel(const struct request *in, struct reply *out) {
    struct slice channel_key = field_fixed(in, "channelKey", key_size);
    struct slice sender = field_fixed(in, "sendingFleet", fleet_size);
    struct slice receiver = field_fixed(in, "receivingFleet", fleet_size);
    struct seal_key key = channel_seal_key(in->task, channel_key, sender, receiver);
    reply_seal_key(out, &key);
}

static void seal_open_frame(const struct request *in, struct reply *out) {
    struct seal_key key = field_seal_key(in);
    struct slice frame = seal_open(in->task, &key, field_hex(in, "bytes"));
    sodium_memzero(&key, sizeof key); /* SEC-001 */
    if (!failed(in->task)) frame_decode(in->task, frame);
    reply_hex(out, "frame", frame);
}

static void seal_seal(const struct request *in, struct reply *out) {
    struct seal_key key = field_seal_key(in);
    struct slice nonce = field_fixed(in, "nonce", nonce_size);
    struct slice sealed = seal_frame(in->task, &key, nonce, field_hex(in, "frame"));
    sodium_memzero(&key, sizeof key); /* SEC-001 */
    reply_hex(out, "bytes", sealed);
}

const struct operation seal_operations[] = {
    {"seal.key", seal_key},   {"seal.channel", seal_channel}, {"seal.open", seal_open_frame},
    {"seal.seal", seal_seal}, {NULL, NULL}};
