/* Frames (03): the header and the body of every kind, as values. All slices point into the bytes decoded. */
#ifndef FRAMES_H
#define FRAMES_H

#include "ranges.h"
#include "rows.h"
#include "sketch.h"

enum frame_kind {
    kind_hello = 1, kind_digest, kind_reconcile_req, kind_reconcile_resp, kind_sync_delta, kind_message_op, kind_error,
    kind_sketch_req, kind_sketch_resp, first_skippable_kind = 0x80
};

struct sighting {
    struct slice replica;
    struct slice incarnation;
    uint64_t time;
};

struct hello {
    uint8_t min_version, max_version;
    uint64_t capabilities;
    struct slice schema, incarnation, challenge, answer;
    size_t count;
    struct sighting *sightings;
};

struct digest_entry {
    struct slice name;
    uint64_t live_count;
    struct slice live;
    uint64_t tombstone_count;
    struct slice tombstones;
    struct vector knowledge;
};

struct digest {
    uint8_t form; /* 0 summary, 1 full */
    struct slice summary;
    size_t count;
    struct digest_entry *namespaces;
};

struct reconcile_req {
    uint64_t request;
    struct slice namespace;
    uint8_t set;
    struct range_list ranges;
};

/* The table of a rows body: replica ids, strictly ascending. */
struct table {
    size_t count;
    struct slice *replicas;
    bool *used;
};

/* The member in use is the one of `type`. */
struct row_list {
    enum row_type type;
    size_t count;
    union {
        struct event *events;
        struct marker *markers;
        struct causal_row *causal;
        struct last_writer_row *last_writers;
        struct message *messages;
    } of;
};

/* `reconcile_resp` and `sync_delta` [WIRE-050]. */
struct rows_body {
    uint64_t request, part;
    uint8_t last;
    struct slice namespace;
    uint8_t set;
    struct table table;
    struct row_list rows;
    struct range_list claims;
};

struct message_op {
    struct slice namespace;
    struct message message;
};

struct error_body {
    enum error_class class;
    uint64_t request;
    struct slice rule, detail;
};

enum { sketch_open, sketch_more, sketch_rows };
enum { sketch_cells, sketch_too_many };

/* Cells and rows are as they stand in the frame: `cell_size` bytes a cell, `id_prefix_size` a row. */
struct sketch_req {
    uint64_t request;
    struct slice namespace;
    uint8_t set, form;
    uint64_t count; /* of the sender's rows */
    struct slice counters, cells;
    uint64_t first, wanted;
    struct slice rows;
};

struct sketch_resp {
    uint64_t request;
    struct slice namespace;
    uint8_t set, form;
    uint64_t count; /* of the sender's rows */
    uint64_t first;
    struct slice cells;
    uint64_t estimate;
};

struct frame {
    uint8_t kind;
    bool skipped; /* a kind of 80 or above: nothing else is set [WIRE-004] */
    struct slice sender, recipient, epoch;
    union {
        struct hello hello;
        struct digest digest;
        struct reconcile_req request;
        struct rows_body rows;
        struct message_op message_op;
        struct error_body error;
        struct sketch_req sketch_req;
        struct sketch_resp sketch_resp;
    } body;
};

struct frame frame_decode(struct task *task, struct slice bytes);

/* Takes a frame that keeps the rules of 03: one that was decoded does. */
void frame_encode(struct writer *writer, const struct frame *frame);

/* frame_rows.c */
struct rows_body read_rows_body(struct cursor *cursor);

/* frame_rows_write.c: of a body to be written, the table is not looked at. */
struct table table_of_rows(struct task *task, const struct row_list *rows);
void write_rows_body(struct writer *writer, const struct rows_body *body);

/* frame_error.c */
struct error_body read_error_body(struct cursor *cursor);
void write_error_body(struct writer *writer, const struct error_body *body);

/* frame_sketches.c */
struct sketch_req read_sketch_req(struct cursor *cursor);
struct sketch_resp read_sketch_resp(struct cursor *cursor);
void write_sketch_req(struct writer *writer, const struct sketch_req *body);
void write_sketch_resp(struct writer *writer, const struct sketch_resp *body);

#endif
