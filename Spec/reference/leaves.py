"""Canonical contents and leaves of 04: LEAF-001 to LEAF-005.

Each `content_*` checks what it is given and writes it; `read_causal` and `read_last_writer` read one back.
"""

from hashlib import blake2b

from errors import Reject
from primitives import (MAX_BODY, MAX_GROUP, MAX_KEY, MAX_NAME, MAX_VECTOR, alone, blob, check_ascending,
                        check_length, check_number, check_replica, check_time, listed, stamp, time8, u8)

EVENT, MARKER, CAUSAL, LAST_WRITER = 1, 2, 3, 4
MAX_CONTENT = 16_777_216


def keyed(key, message):
    """BLAKE2b(key: k, m) with a 32-byte result."""
    return blake2b(message, digest_size=32, key=key).digest()


def plain(message):
    return blake2b(message, digest_size=32).digest()


def namespace_key(digest_key, name):
    """LEAF-001."""
    check_length(name, 1, MAX_NAME)
    return keyed(digest_key, b"cenotaph/1 namespace" + blob(name))


def leaf(ns_key, row_type, content):
    """LEAF-003: the secret is a prefix of the message, the hash is unkeyed."""
    return plain(ns_key + u8(row_type) + content)


def bounded(content):
    """LEAF-005."""
    if len(content) > MAX_CONTENT:
        raise Reject("too-large", "LEAF-005")
    return content


def state(body):
    """The u8 state of LEAF-002 and what follows it: 0 alone where there is no value, else 1 and the body."""
    return u8(0) if body is None else u8(1) + blob(body)


def content_event(key, events):
    """LEAF-002, type 1. An event is (time, replica, group, body), which is also its order."""
    check_length(key, 1, MAX_KEY)
    if not events:
        raise Reject("range", "LEAF-002")
    parts, previous = [], None
    for time, replica, group, body in events:
        check_time(time)
        check_replica(replica)
        check_length(group, 1, MAX_GROUP)
        check_length(body, 0, MAX_BODY)
        previous = check_ascending(previous, (time, replica, group, body))
        parts.append(stamp(time, replica) + blob(group) + blob(body))
    return bounded(blob(key) + listed(parts))


def content_marker(group, time, replica):
    """LEAF-002, type 2: kept by its group, under no id of its own."""
    check_length(group, 1, MAX_GROUP)
    check_time(time)
    check_replica(replica)
    return blob(group) + stamp(time, replica)


def content_causal(key, entries):
    """LEAF-002, type 3. An entry is (replica, time, body), the body None where it is covered."""
    check_length(key, 1, MAX_KEY)
    check_number(len(entries), 1, MAX_VECTOR)
    parts, previous = [], None
    for replica, time, body in entries:
        check_replica(replica)
        check_time(time)
        if body is not None:
            check_length(body, 0, MAX_BODY)
        previous = check_ascending(previous, replica)
        parts.append(replica + time8(time) + state(body))
    return bounded(blob(key) + listed(parts))


def read_causal(content):
    """A content of type 3 as (key, entries)."""
    def read(r):
        key, entries, previous = r.key(), [], None
        for _ in range(r.count(1, MAX_VECTOR, 25)):
            start = r.at
            replica, time = r.replica(), r.time()
            body = r.body() if r.choice((0, 1)) else None
            previous = check_ascending(previous, replica, at=start)
            entries.append((replica, time, body))
        return key, entries
    return alone(bounded(content), read)


def causal_set(entries):
    """DIG-001, MERGE-011: 0 live, 1 tombstone."""
    return 0 if any(body is not None for _, _, body in entries) else 1


def content_last_writer(key, time, replica, body):
    """LEAF-002, type 4: the write that stands, its body None where it is a delete."""
    check_length(key, 1, MAX_KEY)
    check_time(time)
    check_replica(replica)
    if body is not None:
        check_length(body, 0, MAX_BODY)
    return blob(key) + stamp(time, replica) + state(body)


def read_last_writer(content):
    """A content of type 4 as (key, (time, replica, body))."""
    def read(r):
        return r.key(), (*r.stamp(), r.body() if r.choice((0, 1)) else None)
    return alone(bounded(content), read)


def last_writer_set(body):
    """DIG-001, MERGE-021: 0 live, 1 tombstone."""
    return 0 if body is not None else 1
