/* The rows of all policies, and their canonical contents [LEAF-002]. */
#ifndef ROWS_H
#define ROWS_H

#include "cursor.h"
#include "writer.h"

enum row_type { type_event = 1, type_marker, type_causal, type_last_writer, type_message };
enum { set_live = 0, set_tombstones = 1 };
enum { scope_live = 0, scope_for_me = 1, scope_for_everyone = 2 };
enum { direction_out = 0, direction_in = 1 };

/* A stamp names one write [MODEL-004]. */
struct stamp {
    uint64_t time;
    struct slice replica;
};

struct event {
    struct slice key;
    struct stamp stamp;
    struct slice group;
    struct slice body;
};

/* All events of one log key, as they are hashed. */
struct event_row {
    size_t count;
    struct event *events;
};

struct marker {
    struct slice group;
    struct stamp stamp;
};

struct causal_entry {
    struct stamp stamp;
    uint8_t state; /* 0 covered, 1 value */
    struct slice body;
};

struct causal_row {
    struct slice key;
    size_t count;
    struct causal_entry *entries;
};

struct last_writer_row {
    struct slice key;
    struct stamp stamp;
    uint8_t state; /* 0 deleted, 1 value */
    struct slice body;
};

struct message {
    struct slice key;
    uint8_t scope;
    uint8_t delivered;
    uint8_t has_base;
    uint8_t direction;
    uint64_t posted_at;
    struct slice body;
    uint8_t has_edit;
    uint64_t edited_at;
    struct slice op_id;
    struct slice edit_body;
};

/* Readers of whole contents: the input must end with the content [PRIM-011, LEAF-004, LEAF-005]. */
struct event_row read_event_content(struct task *task, struct slice content);
struct marker read_marker_content(struct task *task, struct slice content);
struct causal_row read_causal_content(struct task *task, struct slice content);
struct last_writer_row read_last_writer_content(struct task *task, struct slice content);
struct message read_message_content(struct task *task, struct slice content);

void write_event_content(struct writer *writer, const struct event_row *row);
void write_marker_content(struct writer *writer, const struct marker *marker);
void write_causal_content(struct writer *writer, const struct causal_row *row);
void write_last_writer_content(struct writer *writer, const struct last_writer_row *row);
void write_message_content(struct writer *writer, const struct message *message);

/* Judges a content without using its row. */
void check_content(struct task *task, enum row_type type, struct slice content);
void check_content_size(struct task *task, size_t size);

int stamp_compare(struct stamp a, struct stamp b);
int event_compare_in_key(const struct event *a, const struct event *b);
int event_compare(const struct event *a, const struct event *b);

struct stamp read_stamp(struct cursor *cursor);
void write_stamp(struct writer *writer, struct stamp stamp);

/* The set that a row is in [DIG-001]. */
int causal_set(const struct causal_row *row);
int last_writer_set(const struct last_writer_row *row);

/* Messages have a file of their own: message.c. A message in a `message_op` may hold fewer choices [WIRE-070]. */
struct message read_message(struct cursor *cursor, bool in_operation);
void check_message_normal(struct task *task, const struct message *message, const char *rule);
bool message_is_row(const struct message *message);
struct message message_normal_form(struct message message);
int message_set(const struct message *message);
bool message_in_view(const struct message *message);
bool message_has_duty(const struct message *message);
struct slice message_text(const struct message *message);

#endif
