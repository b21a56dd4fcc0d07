/* Level L1: primitives and frames. */
#include "cursor.h"
#include "describe.h"
#include "operations.h"
#include "rows.h"

static void uvarint_decode(const struct request *in, struct reply *out) {
    struct cursor cursor = cursor_over(in->task, field_hex(in, "bytes"));
    uint64_t value = read_uvarint(&cursor);
    read_end(&cursor, "PRIM-011");
    reply_number(out, "value", value);
}

static void bytes_decode(const struct request *in, struct reply *out) {
    struct cursor cursor = cursor_over(in->task, field_hex(in, "bytes"));
    uint64_t min = field_number(in, "min", 0, UINT64_MAX);
    uint64_t max = field_number(in, "max", 0, UINT64_MAX);
    struct slice value = read_bytes(&cursor, min, max);
    read_end(&cursor, "PRIM-011");
    reply_hex(out, "value", value);
}

static void stamp_decode(const struct request *in, struct reply *out) {
    struct cursor cursor = cursor_over(in->task, field_hex(in, "bytes"));
    struct stamp stamp = read_stamp(&cursor);
    read_end(&cursor, "PRIM-011");
    reply_number(out, "time", stamp.time);
    reply_hex(out, "replica", stamp.replica);
}

static void vector_decode(const struct request *in, struct reply *out) {
    struct cursor cursor = cursor_over(in->task, field_hex(in, "bytes"));
    struct vector vector = read_vector(&cursor);
    read_end(&cursor, "PRIM-011");
    if (!failed(in->task)) describe_vector(out, "", &vector);
}

static void frame_decode_fields(const struct request *in, struct reply *out) {
    struct frame frame = frame_decode(in->task, field_hex(in, "bytes"));
    if (!failed(in->task)) describe_frame(out, &frame);
}

const struct operation codec_operations[] = {
    {"uvarint.decode", uvarint_decode}, {"bytes.decode", bytes_decode},        {"stamp.decode", stamp_decode},
    {"vector.decode", vector_decode},   {"frame.decode", frame_decode_fields}, {NULL, NULL}};
