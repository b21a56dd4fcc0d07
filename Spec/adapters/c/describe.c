#include "describe.h"

/* The name of a field below a prefix: `prefix` ends in a dot or is empty. */
static struct name below(const char *prefix, const char *field) {
    return name_of("%s%s", prefix, field);
}

void describe_vector(struct reply *reply, const char *prefix, const struct vector *vector) {
    reply_number(reply, below(prefix, "count").text, vector->count);
    for (size_t i = 0; i < vector->count; i++) {
        reply_hex(reply, name_of("%s%zu.replica", prefix, i).text, vector->entries[i].replica);
        reply_number(reply, name_of("%s%zu.time", prefix, i).text, vector->entries[i].time);
    }
}

static void describe_hello(struct reply *reply, const struct hello *hello) {
    reply_number(reply, "minVersion", hello->min_version);
    reply_number(reply, "maxVersion", hello->max_version);
    reply_number(reply, "capabilities", hello->capabilities);
    reply_hex(reply, "schema", hello->schema);
    reply_hex(reply, "incarnation", hello->incarnation);
    reply_hex(reply, "challenge", hello->challenge);
    reply_hex(reply, "answer", hello->answer);
    reply_number(reply, "sightings.count", hello->count);
    for (size_t i = 0; i < hello->count; i++) {
        reply_hex(reply, name_of("sightings.%zu.replica", i).text, hello->sightings[i].replica);
        reply_hex(reply, name_of("sightings.%zu.incarnation", i).text, hello->sightings[i].incarnation);
        reply_number(reply, name_of("sightings.%zu.time", i).text, hello->sightings[i].time);
    }
}

static void describe_digest(struct reply *reply, const struct digest *digest) {
    reply_number(reply, "form", digest->form);
    if (digest->form == 0) {
        reply_hex(reply, "summary", digest->summary);
        return;
    }
    reply_number(reply, "namespaces.count", digest->count);
    for (size_t i = 0; i < digest->count; i++) {
        const struct digest_entry *entry = &digest->namespaces[i];
        struct name prefix = name_of("namespaces.%zu.", i);
        reply_hex(reply, below(prefix.text, "name").text, entry->name);
        reply_number(reply, below(prefix.text, "liveCount").text, entry->live_count);
        reply_hex(reply, below(prefix.text, "live").text, entry->live);
        reply_number(reply, below(prefix.text, "tombstoneCount").text, entry->tombstone_count);
        reply_hex(reply, below(prefix.text, "tombstones").text, entry->tombstones);
        describe_vector(reply, below(prefix.text, "knowledge.").text, &entry->knowledge);
    }
}

static void describe_range(struct reply *reply, const char *prefix, const struct range *range) {
    static const char *const modes[] = {"skip", "fingerprint", "items", "keys", "unanswered", "all"};
    reply_hex(reply, below(prefix, "hi").text, range->hi);
    reply_text(reply, below(prefix, "mode").text, modes[range->mode]);
    if (range->mode == mode_fingerprint) reply_hex(reply, below(prefix, "fingerprint").text, range->fingerprint);
    if (range->mode == mode_items) {
        reply_number(reply, below(prefix, "items.count").text, range->count);
        for (size_t i = 0; i < range->count; i++) {
            reply_hex(reply, name_of("%sitems.%zu.key", prefix, i).text, range->items[i].key);
            reply_hex(reply, name_of("%sitems.%zu.tag", prefix, i).text, range->items[i].tag);
        }
    }
    if (range->mode == mode_keys) {
        reply_number(reply, below(prefix, "keys.count").text, range->count);
        for (size_t i = 0; i < range->count; i++)
            reply_hex(reply, name_of("%skeys.%zu", prefix, i).text, range->items[i].key);
    }
}

static void describe_ranges(struct reply *reply, const char *list_name, const struct range_list *list) {
    reply_number(reply, name_of("%s.count", list_name).text, list->count);
    for (size_t i = 0; i < list->count; i++)
        describe_range(reply, name_of("%s.%zu.", list_name, i).text, &list->ranges[i]);
}

static void describe_stamp(struct reply *reply, const char *prefix, struct stamp stamp) {
    reply_number(reply, below(prefix, "time").text, stamp.time);
    reply_hex(reply, below(prefix, "replica").text, stamp.replica);
}

static void describe_state(struct reply *reply, const char *prefix, uint8_t state, struct slice body) {
    reply_number(reply, below(prefix, "state").text, state);
    if (state) reply_hex(reply, below(prefix, "body").text, body);
}

static void describe_message(struct reply *reply, const char *prefix, const struct message *message) {
    reply_hex(reply, below(prefix, "key").text, message->key);
    reply_number(reply, below(prefix, "scope").text, message->scope);
    reply_number(reply, below(prefix, "delivered").text, message->delivered);
    reply_number(reply, below(prefix, "hasBase").text, message->has_base);
    if (message->has_base) {
        reply_number(reply, below(prefix, "direction").text, message->direction);
        reply_number(reply, below(prefix, "postedAt").text, message->posted_at);
        reply_hex(reply, below(prefix, "body").text, message->body);
    }
    reply_number(reply, below(prefix, "hasEdit").text, message->has_edit);
    if (message->has_edit) {
        reply_number(reply, below(prefix, "editedAt").text, message->edited_at);
        reply_hex(reply, below(prefix, "opID").text, message->op_id);
        reply_hex(reply, below(prefix, "editBody").text, message->edit_body);
    }
}

static void describe_event(struct reply *reply, const char *prefix, const struct event *row) {
    reply_hex(reply, below(prefix, "key").text, row->key);
    describe_stamp(reply, prefix, row->stamp);
    reply_hex(reply, below(prefix, "group").text, row->group);
    reply_hex(reply, below(prefix, "body").text, row->body);
}

static void describe_marker(struct reply *reply, const char *prefix, const struct marker *row) {
    reply_hex(reply, below(prefix, "group").text, row->group);
    describe_stamp(reply, prefix, row->stamp);
}

static void describe_causal(struct reply *reply, const char *prefix, const struct causal_row *row) {
    reply_hex(reply, below(prefix, "key").text, row->key);
    reply_number(reply, below(prefix, "count").text, row->count);
    for (size_t i = 0; i < row->count; i++) {
        struct name entry = name_of("%s%zu.", prefix, i);
        describe_stamp(reply, entry.text, row->entries[i].stamp);
        describe_state(reply, entry.text, row->entries[i].state, row->entries[i].body);
    }
}

static void describe_last_writer(struct reply *reply, const char *prefix, const struct last_writer_row *row) {
    reply_hex(reply, below(prefix, "key").text, row->key);
    describe_stamp(reply, prefix, row->stamp);
    describe_state(reply, prefix, row->state, row->body);
}

static void describe_rows(struct reply *reply, const struct row_list *rows) {
    reply_number(reply, "rows.count", rows->count);
    for (size_t i = 0; i < rows->count; i++) {
        struct name prefix = name_of("rows.%zu.", i);
        switch (rows->type) {
        case type_event: describe_event(reply, prefix.text, &rows->of.events[i]); break;
        case type_marker: describe_marker(reply, prefix.text, &rows->of.markers[i]); break;
        case type_causal: describe_causal(reply, prefix.text, &rows->of.causal[i]); break;
        case type_last_writer: describe_last_writer(reply, prefix.text, &rows->of.last_writers[i]); break;
        case type_message: describe_message(reply, prefix.text, &rows->of.messages[i]); break;
        }
    }
}

static void describe_rows_body(struct reply *reply, const struct rows_body *body) {
    reply_number(reply, "request", body->request);
    reply_number(reply, "part", body->part);
    reply_number(reply, "last", body->last);
    reply_hex(reply, "namespace", body->namespace);
    reply_number(reply, "set", body->set);
    reply_number(reply, "rowType", body->rows.type);
    reply_number(reply, "replicas.count", body->table.count);
    for (size_t i = 0; i < body->table.count; i++)
        reply_hex(reply, name_of("replicas.%zu", i).text, body->table.replicas[i]);
    describe_rows(reply, &body->rows);
    describe_ranges(reply, "claims", &body->claims);
}

static void describe_request(struct reply *reply, const struct reconcile_req *body) {
    reply_number(reply, "request", body->request);
    reply_hex(reply, "namespace", body->namespace);
    reply_number(reply, "set", body->set);
    describe_ranges(reply, "ranges", &body->ranges);
}

static void describe_error(struct reply *reply, const struct error_body *body) {
    reply_text(reply, "class", error_class_name(body->class));
    reply_number(reply, "request", body->request);
    reply_hex(reply, "rule", body->rule);
    reply_hex(reply, "detail", body->detail);
}

static void describe_cells(struct reply *reply, struct slice cells) {
    reply_number(reply, "cells.count", cells.size / cell_size);
    for (size_t i = 0; i < cells.size / cell_size; i++) {
        const uint8_t *at = cells.bytes + i * cell_size;
        reply_hex(reply, name_of("cells.%zu.ids", i).text, (struct slice){at, row_id_size});
        reply_hex(reply, name_of("cells.%zu.checks", i).text, (struct slice){at + row_id_size, check_size});
        reply_number(reply, name_of("cells.%zu.number", i).text, at[row_id_size + check_size]);
    }
}

static void describe_sketch_req(struct reply *reply, const struct sketch_req *body) {
    reply_number(reply, "request", body->request);
    reply_hex(reply, "namespace", body->namespace);
    reply_number(reply, "set", body->set);
    reply_number(reply, "form", body->form);
    if (body->form == sketch_open) {
        reply_number(reply, "count", body->count);
        reply_hex(reply, "counters", body->counters);
        describe_cells(reply, body->cells);
    } else if (body->form == sketch_more) {
        reply_number(reply, "first", body->first);
        reply_number(reply, "wanted", body->wanted);
    } else {
        reply_number(reply, "rows.count", body->rows.size / id_prefix_size);
        for (size_t i = 0; i < body->rows.size / id_prefix_size; i++)
            reply_hex(reply, name_of("rows.%zu", i).text, (struct slice){body->rows.bytes + i * id_prefix_size, id_prefix_size});
    }
}

static void describe_sketch_resp(struct reply *reply, const struct sketch_resp *body) {
    reply_number(reply, "request", body->request);
    reply_hex(reply, "namespace", body->namespace);
    reply_number(reply, "set", body->set);
    reply_number(reply, "form", body->form);
    reply_number(reply, "count", body->count);
    if (body->form == sketch_cells) {
        reply_number(reply, "first", body->first);
        describe_cells(reply, body->cells);
    } else {
        reply_number(reply, "estimate", body->estimate);
    }
}

void describe_frame(struct reply *reply, const struct frame *frame) {
    static const char *const kinds[] = {
        "", "hello", "digest", "reconcile_req", "reconcile_resp", "sync_delta", "message_op", "error", "sketch_req",
        "sketch_resp"};
    reply_text(reply, "kind", frame->skipped ? "skip" : kinds[frame->kind]);
    if (frame->skipped) return;
    reply_hex(reply, "sender", frame->sender);
    reply_hex(reply, "recipient", frame->recipient);
    reply_hex(reply, "epoch", frame->epoch);
    switch (frame->kind) {
    case kind_hello: describe_hello(reply, &frame->body.hello); break;
    case kind_digest: describe_digest(reply, &frame->body.digest); break;
    case kind_reconcile_req: describe_request(reply, &frame->body.request); break;
    case kind_reconcile_resp:
    case kind_sync_delta: describe_rows_body(reply, &frame->body.rows); break;
    case kind_message_op:
        reply_hex(reply, "namespace", frame->body.message_op.namespace);
        describe_message(reply, "", &frame->body.message_op.message);
        break;
    case kind_error: describe_error(reply, &frame->body.error); break;
    case kind_sketch_req: describe_sketch_req(reply, &frame->body.sketch_req); break;
    case kind_sketch_resp: describe_sketch_resp(reply, &frame->body.sketch_resp); break;
    default: break;
    }
}
