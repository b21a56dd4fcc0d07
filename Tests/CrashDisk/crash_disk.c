#include "crash_disk.h"
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 512 };

// A change of a file that no sync has covered: bytes written at a place, or a new size where `bytes` is null.
struct change {
    struct change *next;
    int64_t place;
    int64_t count;
    unsigned char *bytes;
};

// What is certain to be on the disk of one file, and what may be.
struct image {
    struct image *next;
    char *path;
    unsigned char *bytes;
    int64_t size;
    int is_durable;   // the file's name is on the disk
    int is_there;     // the file's name is in the folder
    struct change *first, *last;
};

struct file {
    sqlite3_file base;
    struct image *image;
    sqlite3_file *real;
};

static struct {
    sqlite3_vfs vfs;
    sqlite3_vfs *real;
    int64_t kill_at, calls;
    int mode;
    uint64_t random;
    struct image *images;
} disk;

static uint64_t draw(void) {
    disk.random += 0x9e3779b97f4a7c15u;
    uint64_t mixed = disk.random;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 31);
}

static void *need(void *memory) {
    if (!memory) abort();
    return memory;
}

// Images

static void resize(struct image *image, int64_t size) {
    image->bytes = need(realloc(image->bytes, (size_t)size + 1));
    if (size > image->size) memset(image->bytes + image->size, 0, (size_t)(size - image->size));
    image->size = size;
}

static void write_piece(struct image *image, int64_t place, const unsigned char *bytes, int64_t count) {
    if (place + count > image->size) resize(image, place + count);
    memcpy(image->bytes + place, bytes, (size_t)count);
}

static void forget_changes(struct image *image) {
    while (image->first) {
        struct change *next = image->first->next;
        free(image->first->bytes);
        free(image->first);
        image->first = next;
    }
    image->last = 0;
}

static void note_change(struct image *image, int64_t place, const void *bytes, int64_t count) {
    if (disk.mode != CRASH_DISK_POWER_LOSS) return;
    struct change *change = need(calloc(1, sizeof *change));
    change->place = place;
    change->count = count;
    if (bytes) {
        change->bytes = need(malloc((size_t)count + 1));
        memcpy(change->bytes, bytes, (size_t)count);
    }
    if (image->last) image->last->next = change; else image->first = change;
    image->last = change;
}

static struct image *image_of(const char *path) {
    for (struct image *image = disk.images; image; image = image->next)
        if (strcmp(image->path, path) == 0) return image;
    struct image *image = need(calloc(1, sizeof *image));
    image->path = need(strdup(path));
    image->next = disk.images;
    disk.images = image;
    struct stat status;
    if (stat(path, &status) != 0) return image;
    image->is_durable = image->is_there = 1;
    resize(image, status.st_size);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return image;
    // No lock is held yet that closing the descriptor could drop.
    int64_t count = read(descriptor, image->bytes, (size_t)image->size);
    if (count != image->size) abort();
    close(descriptor);
    return image;
}

// The end

// Makes the file what a disk might hold after its power failed.
static void lose_power(struct image *image) {
    for (struct change *change = image->first; change; change = change->next) {
        if (!change->bytes) {
            if (draw() & 1) resize(image, change->place);
            continue;
        }
        // All of a write, nothing of it, or any of its pieces.
        uint64_t choice = draw() % 3;
        for (int64_t done = 0; done < change->count;) {
            int64_t place = change->place + done;
            int64_t count = PIECE - place % PIECE;
            if (count > change->count - done) count = change->count - done;
            if (choice == 0 || (choice == 1 && (draw() & 1)))
                write_piece(image, place, change->bytes + done, count);
            done += count;
        }
    }
    int is_left = image->is_there == image->is_durable ? image->is_there : (int)(draw() & 1);
    unlink(image->path);
    if (!is_left) return;
    int descriptor = open(image->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (descriptor < 0 || write(descriptor, image->bytes, (size_t)image->size) != image->size) abort();
}

static void die(void) {
    if (disk.mode == CRASH_DISK_POWER_LOSS)
        for (struct image *image = disk.images; image; image = image->next) lose_power(image);
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

// Counts a call and says whether it is the last.
static int is_last(void) { return ++disk.calls == disk.kill_at; }

// Files

#define REAL(file) (((struct file *)(file))->real)
#define IMAGE(file) (((struct file *)(file))->image)
#define FORWARD(file, call, ...) REAL(file)->pMethods->call(REAL(file), ##__VA_ARGS__)

static int file_close(sqlite3_file *file) { return FORWARD(file, xClose); }

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 place) {
    return FORWARD(file, xRead, bytes, count, place);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 place) {
    if (IMAGE(file)) {
        note_change(IMAGE(file), place, bytes, count);
        if (is_last()) {
            if (disk.mode == CRASH_DISK_KILL_HALFWAY) FORWARD(file, xWrite, bytes, count / 2, place);
            die();
        }
    }
    return FORWARD(file, xWrite, bytes, count, place);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
    if (IMAGE(file)) {
        note_change(IMAGE(file), size, 0, 0);
        if (is_last()) die();
    }
    return FORWARD(file, xTruncate, size);
}

// What was written is durable from here on. The real disk is not asked: it is not what fails.
static int file_sync(sqlite3_file *file, int flags) {
    (void)flags;
    struct image *image = IMAGE(file);
    if (!image) return SQLITE_OK;
    if (is_last()) die();
    for (struct change *change = image->first; change; change = change->next) {
        if (change->bytes) write_piece(image, change->place, change->bytes, change->count);
        else resize(image, change->place);
    }
    forget_changes(image);
    // SQLite syncs the folder with a new file, and all names in it with that.
    if (!image->is_durable)
        for (struct image *other = disk.images; other; other = other->next) other->is_durable = other->is_there;
    return SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) { return FORWARD(file, xFileSize, size); }
static int file_lock(sqlite3_file *file, int level) { return FORWARD(file, xLock, level); }
static int file_unlock(sqlite3_file *file, int level) { return FORWARD(file, xUnlock, level); }
static int file_reserved(sqlite3_file *file, int *is) { return FORWARD(file, xCheckReservedLock, is); }
static int file_control(sqlite3_file *file, int what, void *value) {
    return FORWARD(file, xFileControl, what, value);
}
static int file_sector(sqlite3_file *file) { return FORWARD(file, xSectorSize); }
static int file_traits(sqlite3_file *file) { return FORWARD(file, xDeviceCharacteristics); }
static int file_map(sqlite3_file *file, int page, int size, int extend, void volatile **memory) {
    return FORWARD(file, xShmMap, page, size, extend, memory);
}
static int file_map_lock(sqlite3_file *file, int first, int count, int flags) {
    return FORWARD(file, xShmLock, first, count, flags);
}
static void file_map_barrier(sqlite3_file *file) { FORWARD(file, xShmBarrier); }
static int file_unmap(sqlite3_file *file, int remove) { return FORWARD(file, xShmUnmap, remove); }

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_reserved,
    .xFileControl = file_control,
    .xSectorSize = file_sector,
    .xDeviceCharacteristics = file_traits,
    .xShmMap = file_map,
    .xShmLock = file_map_lock,
    .xShmBarrier = file_map_barrier,
    .xShmUnmap = file_unmap,
};

// The file system

static int disk_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *given) {
    (void)vfs;
    struct file *own = (struct file *)file;
    own->base.pMethods = 0;
    own->real = (sqlite3_file *)(own + 1);
    own->image = 0;
    // Temporary files have no name, and nobody misses them.
    if (path) {
        own->image = image_of(path);
        if (!own->image->is_there && (flags & SQLITE_OPEN_CREATE)) {
            if (is_last()) die();
            own->image->is_there = 1;
            forget_changes(own->image);
            resize(own->image, 0);
        }
    }
    int code = disk.real->xOpen(disk.real, path, own->real, flags, given);
    if (own->real->pMethods) own->base.pMethods = &methods;
    return code;
}

static int disk_delete(sqlite3_vfs *vfs, const char *path, int syncs_folder) {
    (void)vfs;
    struct image *image = image_of(path);
    if (image->is_there) {
        if (is_last()) die();
        image->is_there = 0;
        if (syncs_folder) image->is_durable = 0;
    }
    return disk.real->xDelete(disk.real, path, 0);
}

int crash_disk_install(int64_t kill_at, int mode, uint64_t seed) {
    disk.real = sqlite3_vfs_find(0);
    if (!disk.real) return SQLITE_ERROR;
    disk.kill_at = kill_at;
    disk.mode = mode;
    disk.random = seed;
    // Everything but files is the real file system's own.
    disk.vfs = *disk.real;
    disk.vfs.pNext = 0;
    disk.vfs.zName = "crash-disk";
    disk.vfs.szOsFile = (int)sizeof(struct file) + disk.real->szOsFile;
    disk.vfs.xOpen = disk_open;
    disk.vfs.xDelete = disk_delete;
    return sqlite3_vfs_register(&disk.vfs, 1);
}

int64_t crash_disk_calls(void) { return disk.calls; }
