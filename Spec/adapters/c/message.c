/* One message: how it is spelt, its normal form, and what it means [MERGE-030 to MERGE-035]. */
#include "rows.h"

static uint8_t read_scope(struct cursor *cursor, bool in_operation) {
    uint8_t scope = read_choice(cursor, scope_live, scope_for_everyone);
    if (in_operation && scope == scope_for_me) fail(cursor->task, error_range, "WIRE-070");
    return scope;
}

struct message read_message(struct cursor *cursor, bool in_operation) {
    struct message message = {0};
    message.key = read_bytes(cursor, min_message_key, max_key);
    message.scope = read_scope(cursor, in_operation);
    message.delivered = read_choice(cursor, 0, 1);
    message.has_base = read_choice(cursor, 0, 1);
    if (message.has_base) {
        message.direction = read_choice(cursor, in_operation ? direction_in : direction_out, direction_in);
        message.posted_at = read_time(cursor);
        message.body = read_bytes(cursor, 0, max_body);
    }
    message.has_edit = read_choice(cursor, 0, 1);
    if (message.has_edit) {
        message.edited_at = read_time(cursor);
        message.op_id = read_fixed(cursor, id_size);
        message.edit_body = read_bytes(cursor, 0, max_body);
    }
    check_message_normal(cursor->task, &message, in_operation ? "WIRE-070" : "MERGE-032");
    return message;
}

void write_message_content(struct writer *writer, const struct message *message) {
    write_bytes(writer, message->key);
    write_u8(writer, message->scope);
    write_u8(writer, message->delivered);
    write_u8(writer, message->has_base);
    if (message->has_base) {
        write_u8(writer, message->direction);
        write_u64(writer, message->posted_at);
        write_bytes(writer, message->body);
    }
    write_u8(writer, message->has_edit);
    if (message->has_edit) {
        write_u64(writer, message->edited_at);
        write_raw(writer, message->op_id);
        write_bytes(writer, message->edit_body);
    }
}

static bool is_inbound(const struct message *message) {
    return message->has_base && message->direction == direction_in;
}

/* Settled: no later merge can bring back what is taken away now [MERGE-032]. */
static bool is_settled(const struct message *message) {
    if (message->scope == scope_for_everyone) return true;
    return message->scope == scope_for_me && (message->delivered || is_inbound(message));
}

bool message_is_row(const struct message *message) {
    return message->scope || message->delivered || message->has_base || message->has_edit;
}

/* The three steps, all judged on the state before [MERGE-032]. */
struct message message_normal_form(struct message before) {
    struct message after = before;
    if (before.scope == scope_for_everyone || is_inbound(&before)) after.delivered = 0;
    if (is_settled(&before)) after.has_edit = 0;
    if (is_settled(&before) || before.has_edit) after.body.size = 0;
    return after;
}

void check_message_normal(struct task *task, const struct message *message, const char *rule) {
    struct message normal = message_normal_form(*message);
    bool same = normal.delivered == message->delivered && normal.has_edit == message->has_edit &&
                normal.body.size == message->body.size;
    if (!same || !message_is_row(message)) fail(task, error_noncanonical, rule);
}

/* MERGE-033 */
int message_set(const struct message *message) {
    if (message->scope == scope_for_everyone) return set_tombstones;
    bool says_nothing = !message->has_base && !message->has_edit;
    if (message->scope == scope_for_me && (is_settled(message) || says_nothing)) return set_tombstones;
    return set_live;
}

/* MERGE-034 */
bool message_in_view(const struct message *message) {
    return message->has_base && message->scope == scope_live;
}

/* MERGE-035 */
bool message_has_duty(const struct message *message) {
    return message->has_base && message->direction == direction_out && !message->delivered &&
           message->scope < scope_for_everyone;
}

/* What a read returns [MERGE-034], or would return if the scope were 0 [MERGE-035]. */
struct slice message_text(const struct message *message) {
    return message->has_edit ? message->edit_body : message->body;
}
