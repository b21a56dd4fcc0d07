/* Level L3: a relay's rooms and its stream. */
#include "operations.h"
#include "relay.h"
#include "seal.h"

static void relay_room(const struct request *in, struct reply *out) {
    struct slice digest_key = field_fixed(in, "digestKey", key_size);
    struct slice fleet = field_fixed(in, "fleet", fleet_size);
    struct hash room = relay_room_of_fleet(in->task, digest_key, fleet);
    reply_hex(out, "room", (struct slice){room.bytes, room_size});
}

static void relay_channel(const struct request *in, struct reply *out) {
    struct slice channel_key = field_fixed(in, "channelKey", key_size);
    struct slice own = field_fixed(in, "own", fleet_size);
    struct slice contact = field_fixed(in, "contact", fleet_size);
    struct hash room = relay_room_of_channel(in->task, channel_key, own, contact);
    reply_hex(out, "room", (struct slice){room.bytes, room_size});
}

static void relay_greeting(const struct request *in, struct reply *out) {
    static const char *const states[] = {"unfinished", "version", "whole"};
    struct greeting greeting = read_greeting(in->task, field_hex(in, "bytes"));
    reply_text(out, "state", states[greeting.state]);
    if (greeting.state != stream_whole) return;
    reply_number(out, "size", greeting.size);
    reply_hex(out, "room", greeting.room);
    reply_hex(out, "token", greeting.token);
}

static void reply_members(struct reply *out, struct slice payload) {
    struct writer text = writer_begin(out->task);
    for (size_t at = 1; at < payload.size; at += 4) {
        if (at > 1) write_text(&text, " ");
        write_decimal(&text, slice_number((struct slice){payload.bytes + at, 4}));
    }
    reply_raw(out, "members", written(&text));
}

static void reply_notice(struct reply *out, enum notice_kind kind, struct slice payload) {
    static const char *const names[] = {"", "members", "arrived", "departed", "ping", "pong", "closing", "taken"};
    reply_text(out, "notice", names[kind]);
    if (kind == notice_members) reply_members(out, payload);
    if (kind == notice_arrived || kind == notice_departed || kind == notice_taken)
        reply_number(out, "who", slice_number((struct slice){payload.bytes + 1, 4}));
    if (kind == notice_taken) reply_number(out, "bytes", slice_number((struct slice){payload.bytes + 5, 4}));
    if (kind == notice_closing && payload.bytes[1] >= 1 && payload.bytes[1] <= 7) reply_number(out, "reason", payload.bytes[1]);
}

static void relay_record(const struct request *in, struct reply *out) {
    struct slice bytes = field_hex(in, "bytes");
    bool to_relay = field_number(in, "toRelay", 0, 1);
    struct record record = read_record(in->task, bytes, to_relay);
    reply_text(out, "state", record.state == stream_whole ? "whole" : "unfinished");
    if (failed(in->task) || record.state != stream_whole) return;
    reply_number(out, "size", record.size);
    reply_number(out, "number", record.number);
    if (record.number) return;
    enum notice_kind kind = check_notice(in->task, record.payload, to_relay);
    if (!failed(in->task)) reply_notice(out, kind, record.payload);
}

const struct operation relay_operations[] = {
    {"relay.room", relay_room},
    {"relay.channel", relay_channel},
    {"relay.greeting.decode", relay_greeting},
    {"relay.record.decode", relay_record},
    {NULL, NULL}};
