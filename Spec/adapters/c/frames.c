#include "frames.h"

enum { smallest_sighting = 40, smallest_digest_entry = 69 };

static struct slice read_name(struct cursor *cursor) {
    return read_bytes(cursor, 1, max_name);
}

static int sighting_compare(const struct sighting *a, const struct sighting *b) {
    int order = slice_compare(a->replica, b->replica);
    return order ? order : slice_compare(a->incarnation, b->incarnation);
}

static struct hello read_hello(struct cursor *cursor) {
    struct hello hello;
    hello.min_version = read_choice(cursor, 1, UINT8_MAX); /* WIRE-010 */
    hello.max_version = read_choice(cursor, hello.min_version, UINT8_MAX);
    hello.capabilities = read_uvarint(cursor);
    hello.schema = read_fixed(cursor, hash_size);
    hello.incarnation = read_fixed(cursor, id_size);
    hello.challenge = read_fixed(cursor, id_size);
    hello.answer = read_fixed(cursor, id_size);
    hello.count = read_count(cursor, 0, max_sightings, smallest_sighting);
    hello.sightings = task_allocate(cursor->task, hello.count, sizeof *hello.sightings);
    for (size_t i = 0; i < hello.count && !failed(cursor->task); i++) {
        struct sighting *sighting = &hello.sightings[i];
        sighting->replica = read_replica(cursor);
        sighting->incarnation = read_fixed(cursor, id_size);
        sighting->time = read_time(cursor);
        if (i) check_ascending(cursor->task, sighting_compare(sighting - 1, sighting), "WIRE-011");
    }
    return hello;
}

static void write_hello(struct writer *writer, const struct hello *hello) {
    write_u8(writer, hello->min_version);
    write_u8(writer, hello->max_version);
    write_uvarint(writer, hello->capabilities);
    write_raw(writer, hello->schema);
    write_raw(writer, hello->incarnation);
    write_raw(writer, hello->challenge);
    write_raw(writer, hello->answer);
    write_uvarint(writer, hello->count);
    for (size_t i = 0; i < hello->count; i++) {
        write_raw(writer, hello->sightings[i].replica);
        write_raw(writer, hello->sightings[i].incarnation);
        write_u64(writer, hello->sightings[i].time);
    }
}

static struct digest_entry read_digest_entry(struct cursor *cursor) {
    struct digest_entry entry;
    entry.name = read_name(cursor);
    entry.live_count = read_uvarint(cursor);
    entry.live = read_fixed(cursor, hash_size);
    entry.tombstone_count = read_uvarint(cursor);
    entry.tombstones = read_fixed(cursor, hash_size);
    entry.knowledge = read_vector(cursor);
    return entry;
}

static struct digest read_digest(struct cursor *cursor) {
    struct digest digest = {0};
    digest.form = read_choice(cursor, 0, 1);
    if (digest.form == 0) {
        digest.summary = read_fixed(cursor, tag_size);
        return digest;
    }
    digest.count = read_count(cursor, 0, max_namespaces, smallest_digest_entry); /* WIRE-020 */
    digest.namespaces = task_allocate(cursor->task, digest.count, sizeof *digest.namespaces);
    for (size_t i = 0; i < digest.count && !failed(cursor->task); i++) {
        struct digest_entry *entry = &digest.namespaces[i];
        *entry = read_digest_entry(cursor);
        if (i) check_ascending(cursor->task, slice_compare(entry[-1].name, entry->name), "PRIM-010");
    }
    return digest;
}

static void write_digest(struct writer *writer, const struct digest *digest) {
    write_u8(writer, digest->form);
    if (digest->form == 0) {
        write_raw(writer, digest->summary);
        return;
    }
    write_uvarint(writer, digest->count);
    for (size_t i = 0; i < digest->count; i++) {
        const struct digest_entry *entry = &digest->namespaces[i];
        write_bytes(writer, entry->name);
        write_uvarint(writer, entry->live_count);
        write_raw(writer, entry->live);
        write_uvarint(writer, entry->tombstone_count);
        write_raw(writer, entry->tombstones);
        write_vector(writer, &entry->knowledge);
    }
}

static struct reconcile_req read_reconcile_req(struct cursor *cursor) {
    struct reconcile_req body;
    body.request = read_limited(cursor, 1, MAX_REQUEST, "WIRE-040");
    body.namespace = read_name(cursor);
    body.set = read_choice(cursor, set_live, set_tombstones);
    body.ranges = read_ranges(cursor, 1, modes_of_request);
    return body;
}

static void write_reconcile_req(struct writer *writer, const struct reconcile_req *body) {
    write_uvarint(writer, body->request);
    write_bytes(writer, body->namespace);
    write_u8(writer, body->set);
    write_ranges(writer, &body->ranges);
}

static struct message_op read_message_op(struct cursor *cursor) {
    struct message_op body;
    body.namespace = read_name(cursor);
    body.message = read_message(cursor, true);
    return body;
}

static void read_body(struct cursor *cursor, struct frame *frame) {
    switch (frame->kind) {
    case kind_hello: frame->body.hello = read_hello(cursor); break;
    case kind_digest: frame->body.digest = read_digest(cursor); break;
    case kind_reconcile_req: frame->body.request = read_reconcile_req(cursor); break;
    case kind_reconcile_resp:
    case kind_sync_delta: frame->body.rows = read_rows_body(cursor); break;
    case kind_message_op: frame->body.message_op = read_message_op(cursor); break;
    case kind_error: frame->body.error = read_error_body(cursor); break;
    case kind_sketch_req: frame->body.sketch_req = read_sketch_req(cursor); break;
    case kind_sketch_resp: frame->body.sketch_resp = read_sketch_resp(cursor); break;
    default: break;
    }
}

/* The kind is judged before anything else, the header before the body [WIRE-002, WIRE-003, WIRE-004]. */
struct frame frame_decode(struct task *task, struct slice bytes) {
    struct cursor cursor = cursor_over(task, bytes);
    struct frame frame = {0};
    frame.kind = read_u8(&cursor);
    frame.skipped = frame.kind >= first_skippable_kind;
    if (frame.skipped) return frame;
    if (frame.kind < kind_hello || frame.kind > kind_sketch_resp) fail(task, error_type, "WIRE-003");
    frame.sender = read_replica(&cursor);
    frame.recipient = read_fixed(&cursor, id_size);
    frame.epoch = read_fixed(&cursor, id_size);
    if (!failed(task)) read_body(&cursor, &frame);
    read_end(&cursor, "WIRE-001");
    return frame;
}

void frame_encode(struct writer *writer, const struct frame *frame) {
    write_u8(writer, frame->kind);
    if (frame->skipped) return;
    write_raw(writer, frame->sender);
    write_raw(writer, frame->recipient);
    write_raw(writer, frame->epoch);
    switch (frame->kind) {
    case kind_hello: write_hello(writer, &frame->body.hello); break;
    case kind_digest: write_digest(writer, &frame->body.digest); break;
    case kind_reconcile_req: write_reconcile_req(writer, &frame->body.request); break;
    case kind_reconcile_resp:
    case kind_sync_delta: write_rows_body(writer, &frame->body.rows); break;
    case kind_message_op:
        write_bytes(writer, frame->body.message_op.namespace);
        write_message_content(writer, &frame->body.message_op.message);
        break;
    case kind_error: write_error_body(writer, &frame->body.error); break;
    case kind_sketch_req: write_sketch_req(writer, &frame->body.sketch_req); break;
    case kind_sketch_resp: write_sketch_resp(writer, &frame->body.sketch_resp); break;
    default: break;
    }
}
