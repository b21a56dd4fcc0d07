/* The stream between a relay and a client [13], read from the front of what has come so far. */
#ifndef RELAY_H
#define RELAY_H

#include "base.h"

enum {
    room_at = 5, room_bytes = 16, token_at = 22, max_token = 64, record_head = 8, min_sealed = 305, max_sealed = 1048625,
    longest_to_relay = 9, longest_to_client = 1 + 4 * 4095
};

enum stream_state { stream_unfinished, stream_version, stream_whole };

struct greeting {
    enum stream_state state;
    struct slice room, token;
    size_t size;
};

struct greeting read_greeting(struct task *task, struct slice input); /* RELAY-003 */

enum notice_kind {
    notice_members = 1, notice_arrived, notice_departed, notice_ping, notice_pong, notice_closing, notice_taken
};

struct record {
    enum stream_state state; /* never `stream_version` */
    uint32_t number;
    struct slice payload;
    size_t size;
};

struct record read_record(struct task *task, struct slice input, bool to_relay); /* RELAY-009 */

/* Judges a notice: its kind, its length, its fields [RELAY-009, RELAY-013]. */
enum notice_kind check_notice(struct task *task, struct slice payload, bool to_relay);

#endif
