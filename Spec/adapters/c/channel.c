/* A contact's channel: what of a `message_op` is accepted, and what a contact is told of a row. */
#include "merge.h"

/* SYNC-032: an operation about a message of the contact. */
static bool is_contact_operation(const struct message *operation, struct slice contact) {
    return slice_has_prefix(operation->key, contact) && operation->scope != scope_for_me && !operation->delivered &&
           (!operation->has_base || operation->direction == direction_in);
}

/* SYNC-033: a receipt for a message of ours says that it was delivered, and nothing else. */
static bool is_receipt(const struct message *operation, struct slice own) {
    return slice_has_prefix(operation->key, own) && operation->delivered && operation->scope == scope_live &&
           !operation->has_base && !operation->has_edit;
}

bool channel_accepts(const struct message *operation, struct slice own, struct slice contact) {
    return is_contact_operation(operation, contact) || is_receipt(operation, own); /* else SYNC-034 */
}

/* The table of SYNC-036. A message deleted for me looks to a contact as if it were not [SYNC-037]. */
bool channel_tells(const struct message *row, struct slice own, struct slice contact, struct message *operation) {
    bool is_inbound = row->has_base && row->direction == direction_in;
    if (slice_has_prefix(row->key, contact) && is_inbound) {
        *operation = (struct message){.key = row->key, .delivered = 1};
        return true;
    }
    if (!slice_has_prefix(row->key, own) || is_inbound) return false;
    bool recalled = row->scope == scope_for_everyone;
    bool to_be_known = row->scope == scope_live || (row->scope == scope_for_me && message_has_duty(row));
    if (!recalled && !(to_be_known && (row->has_base || row->has_edit))) return false;
    *operation = *row;
    operation->scope = recalled ? scope_for_everyone : scope_live;
    operation->direction = direction_in;
    operation->delivered = 0;
    return true;
}
