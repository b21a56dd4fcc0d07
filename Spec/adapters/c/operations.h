/* The operations of 11, from named fields to named fields. */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include "fields.h"
#include "hash.h"

struct operation {
    const char *name;
    void (*run)(const struct request *in, struct reply *out);
};

/* Each table ends with an operation without a name. */
extern const struct operation codec_operations[];
extern const struct operation leaf_operations[];
extern const struct operation sketch_operations[];
extern const struct operation seal_operations[];
extern const struct operation relay_operations[];
extern const struct operation merge_operations[];

/* operations_leaf.c: the namespace key of `digestKey` and `namespace`. */
struct hash field_namespace_key(const struct request *in);

#endif
