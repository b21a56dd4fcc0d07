"""Merges of 07: MERGE-001 to MERGE-005 (`log`), MERGE-010, MERGE-011 (`causal`), MERGE-020 (`lastWriter`), MERGE-030 to
MERGE-035 (`messages`)."""

from collections import namedtuple

ERASE, HIDE = 1, 2
OUT, IN = 0, 1
LIVE, ME, EVERYONE = 0, 1, 2
# base is None or (direction, postedAt, body), edit None or (editedAt, opID, body): tuples compare as MERGE-030 says.
Message = namedtuple("Message", "base edit scope delivered", defaults=(None, None, LIVE, 0))
NOTHING = Message()


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


def settled(m):
    """MERGE-032: nothing of it will be shown or delivered any more."""
    return m.scope == EVERYONE or m.scope == ME and bool(m.delivered or m.base and m.base[0] == IN)


def normal(m):
    """MERGE-032."""
    base, edit, delivered = m.base, m.edit, m.delivered
    if m.scope == EVERYONE or base and base[0] == IN:
        delivered = 0
    if settled(m):
        edit = None
    if base and (settled(m) or m.edit):
        base = (*base[:2], b"")
    return Message(base, edit, m.scope, delivered)


def greater(a, b):
    """The greater of two, None being lowest."""
    return max((x for x in (a, b) if x is not None), default=None)


def join_message(a, b):
    """The components alone, without the normal form."""
    return Message(greater(a.base, b.base), greater(a.edit, b.edit), max(a.scope, b.scope),
                   max(a.delivered, b.delivered))


def merge_message(*states):
    """MERGE-031."""
    out = NOTHING
    for state in states:
        out = normal(join_message(out, state))
    return out


def message_set(m):
    """MERGE-033: 0 live, 1 tombstone."""
    return int(m.scope == EVERYONE or m.scope == ME and (settled(m) or not (m.base or m.edit)))


def would_read(m):
    """The body that a read returns, or would if the scope were 0."""
    return (m.edit or m.base)[2]


def view(m):
    """MERGE-034: the body, or None."""
    return would_read(m) if m.base and m.scope == LIVE else None


def duty(m):
    """MERGE-035: the body to be delivered, or None."""
    return would_read(m) if m.base and m.base[0] == OUT and not m.delivered and m.scope < EVERYONE else None


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
