/* The policy `log`: events merge by union, markers by group with the lesser stamp [MERGE-001, MERGE-002]. */
#include "merge.h"

#include <string.h>

/* Where `event` is or would stand. */
static size_t find_event(const struct log *log, const struct event *event, bool *found) {
    size_t low = 0, high = log->event_count;
    *found = false;
    while (low < high && !*found) {
        size_t middle = low + (high - low) / 2;
        int order = event_compare(&log->events[middle], event);
        *found = order == 0;
        if (order < 0) low = middle + 1;
        else high = middle;
    }
    return high;
}

static size_t find_marker(const struct log *log, struct slice group, bool *found) {
    size_t low = 0, high = log->marker_count;
    *found = false;
    while (low < high && !*found) {
        size_t middle = low + (high - low) / 2;
        int order = slice_compare(log->markers[middle].group, group);
        *found = order == 0;
        if (order < 0) low = middle + 1;
        else high = middle;
    }
    return high;
}

/* Memory with room for one more element. */
static void *grow(struct task *task, void *memory, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) return memory;
    void *larger = task_allocate(task, 2 * count + 8, size);
    if (failed(task)) return memory;
    if (count) memcpy(larger, memory, count * size);
    *capacity = 2 * count + 8;
    return larger;
}

bool log_is_buried(const struct log *log, struct slice group) {
    bool found;
    find_marker(log, group, &found);
    return found;
}

void log_merge_event(struct task *task, struct log *log, const struct event *event) {
    bool found;
    if (failed(task)) return;
    if (log->code == log_erase && log_is_buried(log, event->group)) return; /* MERGE-003 */
    size_t at = find_event(log, event, &found);
    if (found) return;
    log->events = grow(task, log->events, log->event_count, &log->event_capacity, sizeof *event);
    if (failed(task)) return;
    memmove(&log->events[at + 1], &log->events[at], (log->event_count - at) * sizeof *event);
    log->events[at] = *event;
    log->event_count++;
}

static void erase_group(struct log *log, struct slice group) {
    size_t kept = 0;
    for (size_t i = 0; i < log->event_count; i++)
        if (!slice_equal(log->events[i].group, group)) log->events[kept++] = log->events[i];
    log->event_count = kept;
}

void log_merge_marker(struct task *task, struct log *log, const struct marker *marker) {
    bool found;
    if (failed(task)) return;
    size_t at = find_marker(log, marker->group, &found);
    if (found) {
        struct stamp *stamp = &log->markers[at].stamp;
        if (stamp_compare(marker->stamp, *stamp) < 0) *stamp = marker->stamp;
        return;
    }
    log->markers = grow(task, log->markers, log->marker_count, &log->marker_capacity, sizeof *marker);
    if (failed(task)) return;
    memmove(&log->markers[at + 1], &log->markers[at], (log->marker_count - at) * sizeof *marker);
    log->markers[at] = *marker;
    log->marker_count++;
    if (log->code == log_erase) erase_group(log, marker->group);
}
