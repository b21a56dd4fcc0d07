/* The body of an `error` frame [WIRE-060, WIRE-061]. */
#include "frames.h"

static bool is_rule(struct slice text) {
    for (size_t i = 0; i < text.size; i++) {
        uint8_t c = text.bytes[i];
        if (!((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-')) return false;
    }
    return true;
}

/* The size of the well-formed UTF-8 sequence (RFC 3629) at the front of `size` bytes, or 0. */
static size_t utf8_sequence(const uint8_t *bytes, size_t size) {
    uint8_t first = bytes[0];
    if (first < 0x80) return 1;
    size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || length > size) return 0;
    uint8_t low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;  /* no longer spelling */
    uint8_t high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf; /* no surrogate, nothing above 10ffff */
    if (bytes[1] < low || bytes[1] > high) return 0;
    for (size_t i = 2; i < length; i++)
        if ((bytes[i] & 0xc0) != 0x80) return 0;
    return length;
}

static bool is_utf8(struct slice text) {
    for (size_t at = 0; at < text.size;) {
        size_t length = utf8_sequence(text.bytes + at, text.size - at);
        if (!length) return false;
        at += length;
    }
    return true;
}

struct error_body read_error_body(struct cursor *cursor) {
    struct error_body body;
    body.class = (enum error_class)read_choice(cursor, error_auth, error_stale);
    body.request = read_limited(cursor, 0, MAX_REQUEST, "WIRE-061");
    body.rule = read_bytes(cursor, 0, max_rule);
    if (!is_rule(body.rule)) fail(cursor->task, error_text, "WIRE-061");
    body.detail = read_bytes(cursor, 0, max_detail);
    if (!is_utf8(body.detail)) fail(cursor->task, error_text, "WIRE-061");
    return body;
}

void write_error_body(struct writer *writer, const struct error_body *body) {
    write_u8(writer, (uint8_t)body->class);
    write_uvarint(writer, body->request);
    write_bytes(writer, body->rule);
    write_bytes(writer, body->detail);
}
