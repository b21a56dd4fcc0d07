/* Level L4: merges of all policies, and a contact's channel. */
#include "fields.h"
#include "merge.h"
#include "operations.h"

/* The contents to merge are `a` and, if present, `b` and `c`; each is judged before the next one is looked at. `a` alone is
   a first arrival, where no row is held. */
static size_t merged_fields(const struct request *in, const char *names[3]) {
    size_t count = 0;
    names[count++] = "a";
    if (has_field(in, "b")) names[count++] = "b";
    if (has_field(in, "c")) names[count++] = "c";
    return count;
}

static void merge_causal_contents(const struct request *in, struct reply *out) {
    struct causal_row rows[3];
    const char *names[3];
    size_t count = merged_fields(in, names);
    for (size_t i = 0; i < count; i++)
        rows[i] = read_causal_content(in->task, field_hex(in, names[i]));
    struct causal_row merged = rows[0];
    for (size_t i = 1; i < count && !failed(in->task); i++) merged = merge_causal(in->task, &merged, &rows[i]);
    if (failed(in->task)) return;
    struct writer content = writer_begin(in->task);
    write_causal_content(&content, &merged);
    reply_hex(out, "merged", written(&content));
    reply_number(out, "set", (uint64_t)causal_set(&merged));
    const struct causal_entry *read = causal_read(&merged);
    if (read) reply_hex(out, "read", read->body);
}

static void merge_last_writer_contents(const struct request *in, struct reply *out) {
    struct last_writer_row rows[3];
    const char *names[3];
    size_t count = merged_fields(in, names);
    for (size_t i = 0; i < count; i++)
        rows[i] = read_last_writer_content(in->task, field_hex(in, names[i]));
    if (failed(in->task)) return;
    struct last_writer_row merged = rows[0];
    for (size_t i = 1; i < count; i++) merged = merge_last_writer(&merged, &rows[i]);
    struct writer content = writer_begin(in->task);
    write_last_writer_content(&content, &merged);
    reply_hex(out, "merged", written(&content));
    reply_number(out, "set", (uint64_t)last_writer_set(&merged));
}

static void merge_message_contents(const struct request *in, struct reply *out) {
    struct message rows[3];
    const char *names[3];
    size_t count = merged_fields(in, names);
    for (size_t i = 0; i < count; i++)
        rows[i] = read_message_content(in->task, field_hex(in, names[i]));
    if (failed(in->task)) return;
    struct message merged = rows[0];
    for (size_t i = 1; i < count; i++) merged = merge_message(&merged, &rows[i]);
    struct writer content = writer_begin(in->task);
    write_message_content(&content, &merged);
    reply_hex(out, "merged", written(&content));
    reply_number(out, "set", (uint64_t)message_set(&merged));
    if (message_in_view(&merged)) reply_hex(out, "read", message_text(&merged));
    if (message_has_duty(&merged)) reply_hex(out, "duty", message_text(&merged));
}

static struct slice step_bytes(struct task *task, struct slice *step, size_t min, size_t max) {
    return check_bytes(task, parse_hex(task, cut_part(step, ':')), min, max);
}

static struct stamp step_stamp(struct task *task, struct slice *step) {
    struct stamp stamp;
    stamp.time = check_number(task, parse_number(task, cut_part(step, ':')), 1, MAX_TIME);
    stamp.replica = check_replica(task, parse_hex(task, cut_part(step, ':')));
    return stamp;
}

/* One step: `event:KEY:TIME:REPLICA:GROUP:BODY` or `marker:GROUP:TIME:REPLICA`. */
static void merge_step(struct task *task, struct log *log, struct slice step) {
    struct slice word = cut_part(&step, ':');
    if (slice_equal(word, slice_from_text("event"))) {
        struct event event;
        event.key = step_bytes(task, &step, 1, max_key);
        event.stamp = step_stamp(task, &step);
        event.group = step_bytes(task, &step, 1, max_group);
        event.body = step_bytes(task, &step, 0, max_body);
        log_merge_event(task, log, &event);
    } else if (slice_equal(word, slice_from_text("marker"))) {
        struct marker marker;
        marker.group = step_bytes(task, &step, 1, max_group);
        marker.stamp = step_stamp(task, &step);
        log_merge_marker(task, log, &marker);
    } else {
        fail(task, error_internal, "a step is an event or a marker");
    }
}

static void write_colon_hex(struct writer *writer, struct slice bytes) {
    write_text(writer, ":");
    write_hex(writer, bytes);
}

static void write_colon_stamp(struct writer *writer, struct stamp stamp) {
    write_text(writer, ":");
    write_decimal(writer, stamp.time);
    write_colon_hex(writer, stamp.replica);
}

static void reply_log(struct reply *out, const struct log *log) {
    struct writer events = writer_begin(out->task), markers = writer_begin(out->task), view = writer_begin(out->task);
    const struct event *last_seen = NULL;
    for (size_t i = 0; i < log->event_count; i++) {
        const struct event *event = &log->events[i];
        write_text(&events, i ? " event" : "event");
        write_colon_hex(&events, event->key);
        write_colon_stamp(&events, event->stamp);
        write_colon_hex(&events, event->group);
        write_colon_hex(&events, event->body);
        bool repeated = last_seen && slice_equal(last_seen->key, event->key);
        if (repeated || log_is_buried(log, event->group)) continue; /* MERGE-005 */
        if (last_seen) write_text(&view, " ");
        write_hex(&view, event->key);
        last_seen = event;
    }
    for (size_t i = 0; i < log->marker_count; i++) {
        write_text(&markers, i ? " marker" : "marker");
        write_colon_hex(&markers, log->markers[i].group);
        write_colon_stamp(&markers, log->markers[i].stamp);
    }
    reply_raw(out, "events", written(&events));
    reply_raw(out, "markers", written(&markers));
    reply_raw(out, "view", written(&view));
}

static void merge_log_steps(const struct request *in, struct reply *out) {
    struct log log = {.code = (enum log_code)field_number(in, "code", log_erase, log_hide)};
    struct slice steps = field_text(in, "steps");
    while (steps.size && !failed(in->task)) merge_step(in->task, &log, cut_part(&steps, ' '));
    if (!failed(in->task)) reply_log(out, &log);
}

struct channel_request {
    struct slice own, contact;
    struct message message;
};

static struct channel_request field_channel(const struct request *in) {
    struct channel_request request;
    request.own = field_fixed(in, "own", fleet_size);
    request.contact = field_fixed(in, "contact", fleet_size);
    request.message = read_message_content(in->task, field_hex(in, "content"));
    return request;
}

static void reply_content(struct reply *out, const struct message *message) {
    struct writer content = writer_begin(out->task);
    write_message_content(&content, message);
    reply_hex(out, "content", written(&content));
}

static void channel_accept(const struct request *in, struct reply *out) {
    struct channel_request request = field_channel(in);
    if (failed(in->task)) return;
    if (!channel_accepts(&request.message, request.own, request.contact)) fail(in->task, error_unexpected, "SYNC-034");
    reply_content(out, &request.message);
}

static void channel_tell(const struct request *in, struct reply *out) {
    struct channel_request request = field_channel(in);
    struct message operation;
    if (failed(in->task)) return;
    bool tells = channel_tells(&request.message, request.own, request.contact, &operation);
    reply_number(out, "tells", tells);
    if (tells) reply_content(out, &operation);
}

const struct operation merge_operations[] = {
    {"merge.log", merge_log_steps},                   {"merge.causal", merge_causal_contents},
    {"merge.lastWriter", merge_last_writer_contents}, {"merge.message", merge_message_contents},
    {"channel.accept", channel_accept},               {"channel.tell", channel_tell},
    {NULL, NULL}};
