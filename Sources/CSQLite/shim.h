#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

// Swift cannot import the cast constant: bytes bound this way are copied by SQLite before the call returns.
static inline int cenotaph_bind_blob_copy(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline int cenotaph_bind_text_copy(sqlite3_stmt *statement, int index, const char *text, int count) {
    return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

// Swift cannot call variadic functions: sets one of the switches that take an int.
static inline int cenotaph_set_config(sqlite3 *db, int option, int value) {
    return sqlite3_db_config(db, option, value, (int *)0);
}

// Makes an empty file that only its owner may read, unless there is one. Returns 0, or the system's error.
static inline int cenotaph_create_file(const char *path) {
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) return errno == EEXIST ? 0 : errno;
    return close(file) == 0 ? 0 : errno;
}

// Reads the first bytes of an open database's file, and its size, through SQLite's own descriptor: another
// descriptor would, when closed, drop the locks that this process holds on the file. Takes no lock, plays back
// no journal and opens no log, so the file and its neighbours stay as they are.
static inline int cenotaph_read_header(sqlite3 *db, void *bytes, int count, sqlite3_int64 *size) {
    sqlite3_file *file = 0;
    int code = sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK) return code;
    if (!file || !file->pMethods) return SQLITE_CANTOPEN;
    code = file->pMethods->xFileSize(file, size);
    if (code != SQLITE_OK) return code;
    code = file->pMethods->xRead(file, bytes, count, 0);
    return code == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : code;
}

// Whether the last failure was the system refusing to let a file grow.
static inline int cenotaph_out_of_space(sqlite3 *db) {
    int error = sqlite3_system_errno(db);
    return error == ENOSPC || error == EFBIG || error == EDQUOT;
}

// Whether a failed open met no file or no folder at the path.
static inline int cenotaph_missing(sqlite3 *db) {
    int error = sqlite3_system_errno(db);
    return error == ENOENT || error == ENOTDIR;
}

static inline int cenotaph_is_missing(int error) { return error == ENOENT || error == ENOTDIR; }
