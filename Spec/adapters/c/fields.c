#include "fields.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct name name_of(const char *format, ...) {
    struct name name;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name.text, sizeof name.text, format, arguments);
    va_end(arguments);
    return name;
}

static const struct field *find_field(const struct request *request, const char *name) {
    struct slice wanted = slice_from_text(name);
    size_t low = 0, high = request->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = slice_compare(request->fields[middle].name, wanted);
        if (order == 0) return &request->fields[middle];
        if (order < 0) low = middle + 1;
        else high = middle;
    }
    return NULL;
}

bool has_field(const struct request *request, const char *name) {
    return find_field(request, name) != NULL;
}

struct slice field_text(const struct request *request, const char *name) {
    const struct field *field = find_field(request, name);
    if (field) return field->value;
    fail(request->task, error_internal, "a field is missing");
    return slice_from_text("");
}

static int hex_digit(uint8_t character) {
    if (character >= '0' && character <= '9') return character - '0';
    if (character >= 'a' && character <= 'f') return character - 'a' + 10;
    return -1;
}

struct slice parse_hex(struct task *task, struct slice text) {
    size_t size = failed(task) ? 0 : text.size / 2;
    uint8_t *bytes = task_allocate(task, size, 1);
    if (failed(task)) return slice_from_text("");
    if (text.size % 2) fail(task, error_internal, "hexadecimal of odd length");
    for (size_t i = 0; i < size; i++) {
        int high = hex_digit(text.bytes[2 * i]), low = hex_digit(text.bytes[2 * i + 1]);
        if (high < 0 || low < 0) fail(task, error_internal, "not hexadecimal");
        bytes[i] = (uint8_t)((high < 0 ? 0 : high) << 4 | (low < 0 ? 0 : low));
    }
    return (struct slice){bytes, size};
}

uint64_t parse_number(struct task *task, struct slice text) {
    uint64_t value = 0;
    bool has_leading_zero = text.size > 1 && text.bytes[0] == '0';
    if (text.size == 0 || has_leading_zero) fail(task, error_internal, "not a number"); /* 11, Operations */
    for (size_t i = 0; i < text.size; i++) {
        uint8_t digit = (uint8_t)(text.bytes[i] - '0');
        if (digit > 9) fail(task, error_internal, "not a number");
        else if (value > (UINT64_MAX - digit) / 10) fail(task, error_internal, "not a number");
        else value = 10 * value + digit;
    }
    return failed(task) ? 0 : value;
}

struct slice check_bytes(struct task *task, struct slice bytes, size_t min, size_t max) {
    if (bytes.size < min || bytes.size > max) fail(task, error_range, "PRIM-004");
    return bytes;
}

struct slice check_fixed(struct task *task, struct slice bytes, size_t size) {
    static const uint8_t zeros[hash_size];
    if (bytes.size != size) fail(task, error_range, "PRIM-004"); /* 11, Operations */
    return failed(task) ? (struct slice){zeros, size} : bytes;
}

struct slice check_replica(struct task *task, struct slice bytes) {
    struct slice replica = check_fixed(task, bytes, id_size);
    if (slice_is_zero(replica)) fail(task, error_range, "PRIM-007");
    return replica;
}

uint64_t check_number(struct task *task, uint64_t value, uint64_t min, uint64_t max) {
    if (value < min || value > max) fail(task, error_range, "CONV-007");
    return failed(task) ? min : value;
}

struct slice field_hex(const struct request *request, const char *name) {
    return parse_hex(request->task, field_text(request, name));
}

struct slice field_bytes(const struct request *request, const char *name, size_t min, size_t max) {
    return check_bytes(request->task, field_hex(request, name), min, max);
}

struct slice field_fixed(const struct request *request, const char *name, size_t size) {
    return check_fixed(request->task, field_hex(request, name), size);
}

struct slice field_replica(const struct request *request, const char *name) {
    return check_replica(request->task, field_hex(request, name));
}

uint64_t field_number(const struct request *request, const char *name, uint64_t min, uint64_t max) {
    return check_number(request->task, parse_number(request->task, field_text(request, name)), min, max);
}

uint64_t field_time(const struct request *request, const char *name) {
    return field_number(request, name, 1, MAX_TIME);
}

struct slice cut_part(struct slice *text, char separator) {
    const uint8_t *found = text->size ? memchr(text->bytes, separator, text->size) : NULL;
    size_t size = found ? (size_t)(found - text->bytes) : text->size;
    size_t skipped = found ? size + 1 : size;
    struct slice part = {text->bytes, size};
    *text = (struct slice){text->bytes + skipped, text->size - skipped};
    return part;
}

void write_hex(struct writer *writer, struct slice bytes) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < bytes.size; i++) {
        write_u8(writer, (uint8_t)digits[bytes.bytes[i] >> 4]);
        write_u8(writer, (uint8_t)digits[bytes.bytes[i] & 15]);
    }
}

void write_decimal(struct writer *writer, uint64_t value) {
    write_text(writer, name_of("%" PRIu64, value).text);
}

/* Names and values need no escapes: they are numbers, hexadecimal, and words of this program. */
void reply_raw(struct reply *reply, const char *name, struct slice value) {
    if (reply->out.size) write_text(&reply->out, ",");
    write_text(&reply->out, "\"");
    write_text(&reply->out, name);
    write_text(&reply->out, "\":\"");
    write_raw(&reply->out, value);
    write_text(&reply->out, "\"");
}

void reply_text(struct reply *reply, const char *name, const char *value) {
    reply_raw(reply, name, slice_from_text(value));
}

void reply_number(struct reply *reply, const char *name, uint64_t value) {
    reply_text(reply, name, name_of("%" PRIu64, value).text);
}

void reply_hex(struct reply *reply, const char *name, struct slice value) {
    struct writer text = writer_begin(reply->task);
    write_hex(&text, value);
    reply_raw(reply, name, written(&text));
}
