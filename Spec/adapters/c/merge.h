/* Merges of all policies (07). Every one is a join: commutative, associative, idempotent. */
#ifndef MERGE_H
#define MERGE_H

#include "rows.h"

/* merge_log.c: the state of a namespace. Events and markers strictly ascend. */
enum log_code { log_erase = 1, log_hide = 2 };

struct log {
    enum log_code code;
    size_t event_count, event_capacity;
    struct event *events;
    size_t marker_count, marker_capacity;
    struct marker *markers;
};

void log_merge_event(struct task *task, struct log *log, const struct event *event);
void log_merge_marker(struct task *task, struct log *log, const struct marker *marker);
bool log_is_buried(const struct log *log, struct slice group);

/* merge_causal.c: two rows of one key. A result beyond a limit is refused [CONV-009]. */
struct causal_row merge_causal(struct task *task, const struct causal_row *a, const struct causal_row *b);

/* The entry that a read returns, or null for a tombstone [MERGE-012]. */
const struct causal_entry *causal_read(const struct causal_row *row);

/* merge_last_writer.c, merge_message.c */
struct last_writer_row merge_last_writer(const struct last_writer_row *a, const struct last_writer_row *b);
struct message merge_message(const struct message *a, const struct message *b);

/* channel.c: what a contact may say, and what it is told (06). */
bool channel_accepts(const struct message *operation, struct slice own, struct slice contact);
bool channel_tells(const struct message *row, struct slice own, struct slice contact, struct message *operation);

#endif
