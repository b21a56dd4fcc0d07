// A disk that fails at a chosen point: an SQLite file system over the system's own that counts the calls which
// change files, and ends the process by SIGKILL at one of them. For tests, in a process of its own.

#ifndef CRASH_DISK_H
#define CRASH_DISK_H

#include <stdint.h>

enum crash_disk_mode {
    // The process dies before the call; what it wrote before stays, as the system keeps it.
    CRASH_DISK_KILL = 0,
    // The process dies in the middle of the call; a write has written its first half.
    CRASH_DISK_KILL_HALFWAY = 1,
    // The power fails: of what no sync has covered, each piece of 512 bytes stays or is lost by the seed.
    CRASH_DISK_POWER_LOSS = 2,
};

// Makes the disk the default of this process. The call number `kill_at`, counted from 1, is the last; with 0 none is.
// Returns 0, or SQLite's error.
int crash_disk_install(int64_t kill_at, int mode, uint64_t seed);

// The calls counted so far: writes, syncs, truncations, removals and new files.
int64_t crash_disk_calls(void);

#endif
