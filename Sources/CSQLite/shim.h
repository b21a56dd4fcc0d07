#include <sqlite3.h>

// Swift cannot import the cast constant: bytes bound this way are copied by SQLite before the call returns.
static inline int cenotaph_bind_blob_copy(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}
