/* A decoded frame as the named fields of the operation `frame.decode` (11). */
#ifndef DESCRIBE_H
#define DESCRIBE_H

#include "fields.h"
#include "frames.h"

void describe_frame(struct reply *reply, const struct frame *frame);
void describe_vector(struct reply *reply, const char *prefix, const struct vector *vector);

#endif
