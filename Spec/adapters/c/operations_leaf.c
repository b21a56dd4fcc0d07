/* Level L2: leaves, fingerprints, roots, splits. Fields are judged in the order of the table in 11. */
#include "hash.h"
#include "operations.h"

struct hash field_namespace_key(const struct request *in) {
    struct slice digest_key = field_fixed(in, "digestKey", key_size);
    struct slice name = field_bytes(in, "namespace", 1, max_name);
    return namespace_key(in->task, digest_key, name);
}

static void reply_leaf(struct reply *out, const struct hash *ns_key, enum row_type type, const struct writer *content) {
    struct hash leaf = leaf_of_content(out->task, ns_key, type, written(content));
    reply_hex(out, "content", written(content));
    reply_hex(out, "leaf", hash_slice(&leaf));
}

/* A count of elements that a request names: each takes at least two fields of it. */
static size_t field_count(const struct request *in, uint64_t min, uint64_t max) {
    uint64_t count = field_number(in, "count", min, max);
    if (count > in->count) fail(in->task, error_internal, "a field is missing");
    return failed(in->task) ? 0 : (size_t)count;
}

static struct stamp field_stamp(const struct request *in) {
    struct stamp stamp;
    stamp.time = field_time(in, "time");
    stamp.replica = field_replica(in, "replica");
    return stamp;
}

static void leaf_event(const struct request *in, struct reply *out) {
    struct hash ns_key = field_namespace_key(in);
    struct slice key = field_bytes(in, "key", 1, max_key);
    struct event_row row = {field_count(in, 1, UINT64_MAX), NULL};
    row.events = task_allocate(in->task, row.count, sizeof *row.events);
    for (size_t i = 0; i < row.count && !failed(in->task); i++) {
        struct event *event = &row.events[i];
        event->key = key;
        event->stamp.time = field_time(in, name_of("%zu.time", i).text);
        event->stamp.replica = field_replica(in, name_of("%zu.replica", i).text);
        event->group = field_bytes(in, name_of("%zu.group", i).text, 1, max_group);
        event->body = field_bytes(in, name_of("%zu.body", i).text, 0, max_body);
        if (i) check_ascending(in->task, event_compare_in_key(event - 1, event), "LEAF-004");
    }
    struct writer content = writer_begin(in->task);
    if (failed(in->task)) return;
    write_event_content(&content, &row);
    reply_leaf(out, &ns_key, type_event, &content);
}

static void leaf_marker(const struct request *in, struct reply *out) {
    struct hash ns_key = field_namespace_key(in);
    struct marker marker;
    marker.group = field_bytes(in, "group", 1, max_group);
    marker.stamp = field_stamp(in);
    struct writer content = writer_begin(in->task);
    write_marker_content(&content, &marker);
    reply_leaf(out, &ns_key, type_marker, &content);
}

static void leaf_causal(const struct request *in, struct reply *out) {
    struct hash ns_key = field_namespace_key(in);
    struct causal_row row;
    row.key = field_bytes(in, "key", 1, max_key);
    row.count = field_count(in, 1, max_vector);
    row.entries = task_allocate(in->task, row.count, sizeof *row.entries);
    for (size_t i = 0; i < row.count && !failed(in->task); i++) {
        struct causal_entry *entry = &row.entries[i];
        entry->stamp.replica = field_replica(in, name_of("%zu.replica", i).text);
        entry->stamp.time = field_time(in, name_of("%zu.time", i).text);
        entry->state = (uint8_t)field_number(in, name_of("%zu.state", i).text, 0, 1);
        if (entry->state) entry->body = field_bytes(in, name_of("%zu.body", i).text, 0, max_body);
        if (i) check_ascending(in->task, slice_compare(entry[-1].stamp.replica, entry->stamp.replica), "LEAF-004");
    }
    struct writer content = writer_begin(in->task);
    if (failed(in->task)) return;
    write_causal_content(&content, &row);
    reply_leaf(out, &ns_key, type_causal, &content);
    reply_number(out, "set", (uint64_t)causal_set(&row));
}

static void leaf_last_writer(const struct request *in, struct reply *out) {
    struct hash ns_key = field_namespace_key(in);
    struct last_writer_row row = {0};
    row.key = field_bytes(in, "key", 1, max_key);
    row.stamp = field_stamp(in);
    row.state = (uint8_t)field_number(in, "state", 0, 1);
    if (row.state) row.body = field_bytes(in, "body", 0, max_body);
    struct writer content = writer_begin(in->task);
    write_last_writer_content(&content, &row);
    reply_leaf(out, &ns_key, type_last_writer, &content);
    reply_number(out, "set", (uint64_t)last_writer_set(&row));
}

static void leaf_message(const struct request *in, struct reply *out) {
    struct hash ns_key = field_namespace_key(in);
    struct message message = {0};
    message.key = field_bytes(in, "key", min_message_key, max_key);
    message.scope = (uint8_t)field_number(in, "scope", scope_live, scope_for_everyone);
    message.delivered = (uint8_t)field_number(in, "delivered", 0, 1);
    message.has_base = (uint8_t)field_number(in, "hasBase", 0, 1);
    if (message.has_base) {
        message.direction = (uint8_t)field_number(in, "direction", direction_out, direction_in);
        message.posted_at = field_time(in, "postedAt");
        message.body = field_bytes(in, "body", 0, max_body);
    }
    message.has_edit = (uint8_t)field_number(in, "hasEdit", 0, 1);
    if (message.has_edit) {
        message.edited_at = field_time(in, "editedAt");
        message.op_id = field_fixed(in, "opID", id_size);
        message.edit_body = field_bytes(in, "editBody", 0, max_body);
    }
    check_message_normal(in->task, &message, "LEAF-006");
    struct writer content = writer_begin(in->task);
    write_message_content(&content, &message);
    reply_leaf(out, &ns_key, type_message, &content);
    reply_number(out, "set", (uint64_t)message_set(&message));
}

/* The members of a fingerprint or a split: `key:leaf`, separated by spaces; each has a colon. */
static struct member_list field_members(const struct request *in) {
    struct slice text = field_text(in, "items");
    size_t most = 0;
    for (size_t i = 0; i < text.size; i++) most += text.bytes[i] == ' ' || i == 0;
    struct member *members = task_allocate(in->task, most, sizeof *members);
    struct member_list list = {0, members};
    while (text.size && !failed(in->task)) {
        struct slice part = cut_part(&text, ' ');
        struct member *member = &members[list.count++];
        member->key = check_bytes(in->task, parse_hex(in->task, cut_part(&part, ':')), 1, max_key);
        member->leaf = check_fixed(in->task, parse_hex(in->task, part), hash_size);
        if (list.count > 1) check_ascending(in->task, slice_compare(member[-1].key, member->key), "PRIM-010");
    }
    return list;
}

struct set_range {
    struct hash ns_key;
    uint8_t set;
    struct slice hi;
    struct member_list members;
};

static struct set_range field_set_range(const struct request *in) {
    struct set_range range = {.ns_key = field_namespace_key(in)};
    range.set = (uint8_t)field_number(in, "set", set_live, set_tombstones);
    struct member_list all = field_members(in);
    struct slice lo = field_bytes(in, "lo", 0, max_key);
    range.hi = field_bytes(in, "hi", 0, max_key);
    range.members = members_in_range(all, lo, range.hi);
    return range;
}

static void fingerprint(const struct request *in, struct reply *out) {
    struct set_range range = field_set_range(in);
    if (failed(in->task)) return;
    struct hash sum = sum_of_leaves(range.members);
    struct hash hash = fingerprint_of_range(in->task, &range.ns_key, range.set, range.members);
    reply_number(out, "count", range.members.count);
    reply_hex(out, "sum", hash_slice(&sum));
    reply_hex(out, "fingerprint", hash_slice(&hash));
}

static void split(const struct request *in, struct reply *out) {
    struct set_range range = field_set_range(in);
    if (failed(in->task)) return;
    struct writer description = writer_begin(in->task);
    write_description(&description, &range.ns_key, range.set, range.members, range.hi);
    reply_hex(out, "description", written(&description));
}

static void root(const struct request *in, struct reply *out) {
    struct hash ns_key = field_namespace_key(in);
    struct slice live = field_fixed(in, "live", hash_size);
    struct slice tombstones = field_fixed(in, "tombstones", hash_size);
    struct hash hash = namespace_root(in->task, &ns_key, live, tombstones);
    reply_hex(out, "root", hash_slice(&hash));
}

static void schema(const struct request *in, struct reply *out) {
    struct slice digest_key = field_fixed(in, "digestKey", key_size);
    size_t count = field_count(in, 1, max_namespaces);
    struct schema_entry entries[max_namespaces];
    for (size_t i = 0; i < count; i++) {
        entries[i].name = field_bytes(in, name_of("%zu.name", i).text, 1, max_name);
        entries[i].code = (uint8_t)field_number(in, name_of("%zu.code", i).text, 1, 5); /* MODEL-011 */
    }
    for (size_t i = 0; i < count; i++) /* after the fields of all [11, Operations] */
        for (size_t k = 0; k < i; k++)
            if (slice_equal(entries[k].name, entries[i].name)) fail(in->task, error_duplicate, "MODEL-013");
    struct hash hash = schema_fingerprint(in->task, digest_key, count, entries);
    reply_hex(out, "fingerprint", hash_slice(&hash));
}

static void summary(const struct request *in, struct reply *out) {
    struct slice digest_key = field_fixed(in, "digestKey", key_size);
    struct slice epoch = field_fixed(in, "epoch", id_size);
    size_t count = field_count(in, 1, max_namespaces);
    struct summary_part parts[max_namespaces];
    for (size_t i = 0; i < count; i++) {
        parts[i].name = field_bytes(in, name_of("%zu.name", i).text, 1, max_name);
        parts[i].root = field_fixed(in, name_of("%zu.root", i).text, hash_size);
        struct cursor cursor = cursor_over(in->task, field_hex(in, name_of("%zu.knowledge", i).text));
        parts[i].knowledge = read_vector(&cursor);
        read_end(&cursor, "PRIM-011");
        if (i) check_ascending(in->task, slice_compare(parts[i - 1].name, parts[i].name), "PRIM-010");
    }
    if (failed(in->task)) return;
    struct hash hash = summary_hash(in->task, digest_key, epoch, count, parts);
    reply_hex(out, "summary", (struct slice){hash.bytes, tag_size});
}

const struct operation leaf_operations[] = {
    {"leaf.event", leaf_event},   {"leaf.marker", leaf_marker},           {"leaf.causal", leaf_causal},
    {"fingerprint", fingerprint}, {"leaf.lastWriter", leaf_last_writer},  {"leaf.message", leaf_message},
    {"split", split},             {"root", root},                         {"schema", schema},
    {"summary", summary},         {NULL, NULL}};
