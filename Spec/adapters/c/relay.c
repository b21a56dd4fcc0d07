#include "relay.h"

static const uint8_t magic[4] = {0x43, 0x6e, 0x52, 0x6c};

static struct slice part(struct slice whole, size_t from, size_t size) {
    return (struct slice){whole.bytes + from, size};
}

static uint32_t number_at(struct slice whole, size_t from) {
    return (uint32_t)slice_number(part(whole, from, 4));
}

struct greeting read_greeting(struct task *task, struct slice input) {
    struct greeting greeting = {.state = stream_unfinished};
    for (size_t i = 0; i < input.size && i < sizeof magic; i++) {
        if (input.bytes[i] == magic[i]) continue;
        fail(task, error_unexpected, "RELAY-003");
        return greeting;
    }
    if (input.size > sizeof magic && input.bytes[sizeof magic] != 1) {
        greeting.state = stream_version;
        return greeting;
    }
    if (input.size < token_at) return greeting;
    size_t token = input.bytes[token_at - 1];
    if (token > max_token) fail(task, error_range, "RELAY-003");
    if (failed(task) || input.size < token_at + token) return greeting;
    return (struct greeting){stream_whole, part(input, room_at, room_bytes), part(input, token_at, token), token_at + token};
}

struct record read_record(struct task *task, struct slice input, bool to_relay) {
    struct record record = {.state = stream_unfinished};
    if (input.size < record_head) return record;
    uint32_t length = number_at(input, 0), number = number_at(input, 4);
    uint32_t least = number ? min_sealed : 1;
    uint32_t most = number ? max_sealed : to_relay ? longest_to_relay : longest_to_client;
    if (length < least) fail(task, error_truncated, "RELAY-009");
    if (length > most) fail(task, error_too_large, "RELAY-009");
    if (failed(task) || input.size - record_head < length) return record;
    return (struct record){stream_whole, number, part(input, record_head, length), record_head + length};
}

static bool is_sent(uint8_t kind, bool to_relay) {
    if (kind == notice_taken) return true;
    if (kind == notice_ping) return to_relay;
    return kind >= notice_members && kind <= notice_closing && !to_relay;
}

static void check_members(struct task *task, struct slice payload) {
    uint32_t last = 0;
    for (size_t at = 1; at < payload.size && !failed(task); at += 4) {
        uint32_t number = number_at(payload, at);
        if (number == 0) fail(task, error_range, "RELAY-013");
        if (number == last) fail(task, error_duplicate, "RELAY-013");
        if (number < last) fail(task, error_order, "RELAY-013");
        last = number;
    }
}

enum notice_kind check_notice(struct task *task, struct slice payload, bool to_relay) {
    static const size_t lengths[] = {0, 0, 5, 5, 1, 1, 2, 9};
    uint8_t kind = payload.bytes[0];
    if (!is_sent(kind, to_relay)) {
        fail(task, error_type, "RELAY-013");
        return 0;
    }
    bool fits = kind == notice_members ? payload.size % 4 == 1 : payload.size == lengths[kind];
    if (!fits) fail(task, error_range, "RELAY-009");
    else if (kind == notice_members) check_members(task, payload);
    else if (kind == notice_taken && number_at(payload, 5) == 0) fail(task, error_range, "RELAY-013");
    return kind;
}
