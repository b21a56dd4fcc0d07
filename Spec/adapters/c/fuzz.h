/* What the files of the fuzzer share. */
#ifndef FUZZ_H
#define FUZZ_H

#include "base.h"

/* fuzz.c */
size_t random_below(size_t limit);
void stop(const char *what, struct slice bytes);

/* fuzz_sketch.c: two random sets, whose sketches are damaged or not, are taken apart. True where that succeeds. */
bool check_sketch(void);

#endif
