#include <errno.h>

// The C library hides this one from Swift. Linux: a rename that replaces nothing, or that exchanges two files.
extern int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags);

enum { cenotaph_noreplace = 1, cenotaph_exchange = 2 };

// Returns 0, or the system's error.
static inline int cenotaph_rename(int folder, const char *from, const char *to, unsigned int flags) {
    return renameat2(folder, from, folder, to, flags) == 0 ? 0 : errno;
}

// Whether the file system cannot do that kind of rename.
static inline int cenotaph_cannot_rename(int error) {
    return error == EINVAL || error == ENOSYS || error == ENOTSUP || error == EOPNOTSUPP;
}

#include <malloc.h>

// The macro is no constant that Swift imports. Fewer arenas hold on to less of what was freed.
static inline void cenotaph_use_one_arena(void) { mallopt(M_ARENA_MAX, 1); }
