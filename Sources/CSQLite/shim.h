#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Swift cannot import the cast constant: bytes bound this way are copied by SQLite before the call returns.
static inline int cenotaph_bind_blob_copy(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline int cenotaph_bind_text_copy(sqlite3_stmt *statement, int index, const char *text, int count) {
    return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

// Binds a row's address and its values, runs the statement to its end and readies it for the next run. SQLite reads the
// bytes where they lie, which spares three copies: nothing stays bound when this returns. Returns SQLITE_OK, or why not.
static inline int cenotaph_run_row(sqlite3_stmt *statement, sqlite3_int64 space, sqlite3_int64 set, const void *key,
                                   int key_count, const void *leaf, sqlite3_int64 type, const void *content,
                                   int content_count) {
    int code = sqlite3_bind_int64(statement, 1, space);
    if (code == SQLITE_OK) code = sqlite3_bind_int64(statement, 2, set);
    if (code == SQLITE_OK) code = sqlite3_bind_blob(statement, 3, key, key_count, SQLITE_STATIC);
    if (code == SQLITE_OK) code = sqlite3_bind_blob(statement, 4, leaf, 32, SQLITE_STATIC);
    if (code == SQLITE_OK) code = sqlite3_bind_int64(statement, 5, type);
    // A missing address would bind a missing value.
    if (code == SQLITE_OK) {
        code = content_count == 0 ? sqlite3_bind_zeroblob(statement, 6, 0)
                                  : sqlite3_bind_blob(statement, 6, content, content_count, SQLITE_STATIC);
    }
    if (code == SQLITE_OK) {
        do { code = sqlite3_step(statement); } while (code == SQLITE_ROW);
        if (code == SQLITE_DONE) code = SQLITE_OK;
    }
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return code;
}

// Binds a row's address and steps to the row; SQLITE_DONE if there is none. The key must lie where it is until the statement
// is reset.
static inline int cenotaph_find_row(sqlite3_stmt *statement, sqlite3_int64 space, sqlite3_int64 set, const void *key,
                                    int key_count) {
    int code = sqlite3_bind_int64(statement, 1, space);
    if (code == SQLITE_OK) code = sqlite3_bind_int64(statement, 2, set);
    if (code == SQLITE_OK) code = sqlite3_bind_blob(statement, 3, key, key_count, SQLITE_STATIC);
    return code == SQLITE_OK ? sqlite3_step(statement) : code;
}

// Binds a place and steps to its first key; SQLITE_DONE if there is none.
static inline int cenotaph_find_place(sqlite3_stmt *statement, sqlite3_int64 space, sqlite3_int64 place) {
    sqlite3_reset(statement);
    int code = sqlite3_bind_int64(statement, 1, space);
    if (code == SQLITE_OK) code = sqlite3_bind_int64(statement, 2, place);
    return code == SQLITE_OK ? sqlite3_step(statement) : code;
}

// Binds a key's place, runs the statement to its end and readies it, as for a row.
static inline int cenotaph_run_place(sqlite3_stmt *statement, sqlite3_int64 space, sqlite3_int64 place,
                                     const void *key, int key_count) {
    int code = sqlite3_bind_int64(statement, 1, space);
    if (code == SQLITE_OK) code = sqlite3_bind_int64(statement, 2, place);
    if (code == SQLITE_OK) code = sqlite3_bind_blob(statement, 3, key, key_count, SQLITE_STATIC);
    if (code == SQLITE_OK) {
        do { code = sqlite3_step(statement); } while (code == SQLITE_ROW);
        if (code == SQLITE_DONE) code = SQLITE_OK;
    }
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return code;
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
    // SQLite calls a file of one byte empty, because it once made such files itself; here it is not.
    if (code == SQLITE_IOERR_SHORT_READ && *size == 0 && file->pMethods->xRead(file, bytes, 1, 0) == SQLITE_OK) *size = 1;
    return code == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : code;
}

static inline int cenotaph_is_space_error(int error) {
    return error == ENOSPC || error == EFBIG || error == EDQUOT;
}

// Whether the input or output failure just reported was the system refusing to let a file grow. SQLite names only a
// full disk itself. It keeps the system's error in one of three places: the connection, the file, the log.
static inline int cenotaph_out_of_space(sqlite3 *db) {
    if (cenotaph_is_space_error(sqlite3_system_errno(db))) return 1;
    int pointers[2] = {SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER};
    for (int i = 0; i < 2; i++) {
        sqlite3_file *file = 0;
        int error = 0;
        if (sqlite3_file_control(db, "main", pointers[i], &file) != SQLITE_OK) continue;
        if (!file || !file->pMethods) continue;
        if (file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &error) != SQLITE_OK) continue;
        if (cenotaph_is_space_error(error)) return 1;
    }
    return 0;
}

// Whether a failed open met no file or no folder at the path.
static inline int cenotaph_missing(sqlite3 *db) {
    int error = sqlite3_system_errno(db);
    return error == ENOENT || error == ENOTDIR;
}

static inline int cenotaph_is_missing(int error) { return error == ENOENT || error == ENOTDIR; }

// Whether this process may write a file, and make others beside it.
static inline int cenotaph_may_write(const char *path) {
    char folder[4096];
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] != '/') length--;
    if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0) return 0;
    if (length == 0 || length >= sizeof folder) return 1;
    memcpy(folder, path, length);
    folder[length] = 0;
    return faccessat(AT_FDCWD, folder, W_OK, AT_EACCESS) == 0;
}

// When the file at a path was last changed, in nanoseconds since 1970, or 0 if there is none. Opens nothing.
static inline sqlite3_int64 cenotaph_file_time(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) return 0;
#ifdef __APPLE__
    struct timespec time = status.st_mtimespec;
#else
    struct timespec time = status.st_mtim;
#endif
    return (sqlite3_int64)time.tv_sec * 1000000000 + time.tv_nsec;
}

// The size of the file at a path, or 0 if there is none. Opens nothing.
static inline sqlite3_int64 cenotaph_file_size(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 ? (sqlite3_int64)status.st_size : 0;
}
