"""Merges of 07: MERGE-001 to MERGE-005 (`log`), MERGE-010, MERGE-011 (`causal`), MERGE-020 (`lastWriter`)."""

ERASE, HIDE = 1, 2


def rank(entry):
    """MERGE-010: the total order of one replica's entries, (time, body) with body None where covered."""
    time, body = entry
    return (time, 1, b"") if body is None else (time, 0, body)


def merge_causal(*states):
    """Entry by entry, the greater stays. A state is a list of (replica, time, body), ascending by replica."""
    out = {}
    for replica, time, body in (e for state in states for e in state):
        if replica not in out or rank((time, body)) > rank(out[replica]):
            out[replica] = (time, body)
    return [(replica, *out[replica]) for replica in sorted(out)]


def rank_write(write):
    """MERGE-020: the total order of the writes of one key, (time, replica, body) with body None where deleted."""
    time, replica, body = write
    return (time, body is None, replica, body or b"")


def merge_last_writer(*states):
    """The greatest write stays. A state is a write, or None where no row is held."""
    return max((s for s in states if s is not None), key=rank_write, default=None)


class Log:
    """The state of one `log` namespace: events (key, time, replica, group, body) and markers by group."""

    def __init__(self, code):
        self.code, self.events, self.markers = code, set(), {}

    def event(self, key, time, replica, group, body):
        """MERGE-001, MERGE-003, MERGE-004."""
        if self.code == HIDE or group not in self.markers:
            self.events.add((key, time, replica, group, body))

    def marker(self, group, time, replica):
        """MERGE-002: the lesser stamp stays. MERGE-003: `erase` removes what is buried."""
        self.markers[group] = min(self.markers.get(group, (time, replica)), (time, replica))
        if self.code == ERASE:
            self.events = {e for e in self.events if e[3] != group}

    def view(self):
        """MERGE-005: the keys of the live view, ascending."""
        return sorted({e[0] for e in self.events if e[3] not in self.markers})
