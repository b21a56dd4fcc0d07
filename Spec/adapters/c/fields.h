/* The named fields of a request and of a reply, all of them text (11). Getters judge a field as a cursor judges bytes. */
#ifndef FIELDS_H
#define FIELDS_H

#include "base.h"
#include "writer.h"

struct field {
    struct slice name, value;
};

/* Fields ascend by name, so that one is found by halving. */
struct request {
    struct task *task;
    size_t count;
    struct field *fields;
};

/* Fields of a JSON object without its braces. */
struct reply {
    struct task *task;
    struct writer out;
};

struct name {
    char text[96];
};

/* The name of a field, spelt as by printf: `name_of("%zu.time", i).text`. */
struct name name_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A missing field, and one that is no hexadecimal or decimal, is the caller's misuse: `error_internal`. */
struct slice field_text(const struct request *request, const char *name);
bool has_field(const struct request *request, const char *name);
struct slice field_hex(const struct request *request, const char *name);
struct slice field_bytes(const struct request *request, const char *name, size_t min, size_t max);
struct slice field_fixed(const struct request *request, const char *name, size_t size);
struct slice field_replica(const struct request *request, const char *name);
uint64_t field_number(const struct request *request, const char *name, uint64_t min, uint64_t max);
uint64_t field_time(const struct request *request, const char *name);

/* The same judgements on text that stands inside a field. */
struct slice parse_hex(struct task *task, struct slice text);
uint64_t parse_number(struct task *task, struct slice text);
struct slice check_bytes(struct task *task, struct slice bytes, size_t min, size_t max);
struct slice check_fixed(struct task *task, struct slice bytes, size_t size);
struct slice check_replica(struct task *task, struct slice bytes);
uint64_t check_number(struct task *task, uint64_t value, uint64_t min, uint64_t max);

/* Cuts the next part off `text`, up to `separator` or its end. */
struct slice cut_part(struct slice *text, char separator);

void write_hex(struct writer *writer, struct slice bytes);
void write_decimal(struct writer *writer, uint64_t value);

void reply_text(struct reply *reply, const char *name, const char *value);
void reply_hex(struct reply *reply, const char *name, struct slice value);
void reply_number(struct reply *reply, const char *name, uint64_t value);
void reply_raw(struct reply *reply, const char *name, struct slice value);

#endif
