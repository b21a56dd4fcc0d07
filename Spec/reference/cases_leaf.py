"""leaf.json: canonical contents and leaves of 04, with the answers of typical mistakes."""

from hashlib import blake2b

import leaves
from build import Area, edit
from cases_leaf_messages import message_leaves, message_negatives
from leaves import keyed, plain
from primitives import blob, listed, stamp, time8, u8
from samples import A, B, C, DIGEST_KEY, HIGH, NOBODY, at, noise

FLAGS = {
    "Content": {"why": "the bytes that are hashed", "bugType": "CANONICAL", "effect": "equal states, unequal roots"},
    "Order": {"why": "the order of events and entries inside a row", "bugType": "CANONICAL",
              "effect": "the order of arrival shows in the root"},
    "Covered": {"why": "covered entries are part of a row", "bugType": "OMISSION",
                "effect": "deleted values come back unnoticed"},
    "BlockSize": {"why": "a body size at which the hash takes another block, or the length another byte",
                  "bugType": "OFF_BY_ONE", "effect": "some rows never agree"},
    "Boundary": {"why": "the last value on either side of a limit", "bugType": "OFF_BY_ONE",
                 "effect": "valid input is refused, or invalid input taken"},
    "Unsorted": {"why": "events or entries that do not ascend", "bugType": "CANONICAL",
                 "effect": "one state has two leaves"},
    "Limit": {"why": "a length over its limit", "bugType": "VALIDATION", "effect": "a row that no frame can carry"},
    "ZeroReplica": {"why": "sixteen zero bytes are no replica", "bugType": "VALIDATION",
                    "effect": "a write of nobody enters the state"},
    "TimeRange": {"why": "times are 1 to 2^63 - 1", "bugType": "VALIDATION", "effect": "a clock runs over"},
    "Choice": {"why": "a choice that is not listed", "bugType": "VALIDATION", "effect": "a third kind of entry"},
    "NotNormal": {"why": "a message that is not in normal form", "bugType": "CANONICAL",
                  "effect": "states of one meaning have two leaves, or deleted text is kept"},
}
NAME = b"notes"
UUID = bytes.fromhex("6f1c4e2ab98d4d0c8b3f5a7e91d20c44")
FIXED = "the field is a number in decimal, which no edit of bytes can turn into the other one"


def make():
    a = Leaves("leaf", "leaf", "canonical contents and leaves", FLAGS)
    event_leaves(a), marker_leaves(a), causal_leaves(a), last_writer_leaves(a)
    event_negatives(a), marker_negatives(a), causal_negatives(a), last_writer_negatives(a)
    message_leaves(a, mistakes, leaf_of), message_negatives(a, mistakes, leaf_of)
    return a


def base(namespace=NAME, digest_key=DIGEST_KEY):
    return {"digestKey": digest_key, "namespace": namespace}


def mistakes(row_type, content, namespace=NAME, digest_key=DIGEST_KEY):
    """Leaves that come of hashing the right content in a wrong way."""
    ns = leaves.namespace_key(digest_key, namespace)
    bare = keyed(digest_key, b"cenotaph/1 namespace" + namespace)
    return {
        keyed(ns, u8(row_type) + content): "keyed mode was used instead of a prefix (LEAF-003)",
        plain(ns + content): "the type byte is missing (LEAF-003)",
        plain(u8(row_type) + content): "the namespace key is missing (LEAF-003)",
        plain(digest_key + u8(row_type) + content): "the digest key stands where the namespace key belongs (LEAF-001)",
        plain(bare + u8(row_type) + content): "the name in the namespace key lacks its length (LEAF-001)",
        plain(plain(digest_key + b"cenotaph/1 namespace" + blob(namespace)) + u8(row_type) + content):
            "the namespace key was not made in keyed mode (LEAF-001)",
        blake2b(ns + u8(row_type) + content).digest()[:32]: "a 64-byte hash was cut to 32 bytes (00)",
    }


def leaf_of(row_type, content, namespace=NAME):
    return leaves.leaf(leaves.namespace_key(DIGEST_KEY, namespace), row_type, content)


class Leaves(Area):
    def event(self, key, events, comment="", flags="Content", req="LEAF-001 LEAF-002 LEAF-003", namespace=NAME,
              digest_key=DIGEST_KEY, decoys=None):
        fields = {**base(namespace, digest_key), "key": key, "count": len(events)}
        for n, (time, replica, group, body) in enumerate(events):
            fields.update({f"{n}.time": time, f"{n}.replica": replica, f"{n}.group": group, f"{n}.body": body})
        content = leaves.content_event(key, events)
        little = blob(key) + listed(t.to_bytes(8, "little") + r + blob(g) + blob(b) for t, r, g, b in events)
        turned = blob(key) + listed(r + time8(t) + blob(g) + blob(b) for t, r, g, b in events)
        bare = blob(key) + b"".join(stamp(t, r) + blob(g) + blob(b) for t, r, g, b in events)
        wrong = mistakes(1, content, namespace, digest_key)
        if namespace == NAME and digest_key == DIGEST_KEY:
            wrong.update({leaf_of(1, little): "times are little-endian (CONV-001)",
                          leaf_of(1, turned): "the replica stands before the time (02, stamp)",
                          leaf_of(1, bare): "the number of events is missing (LEAF-002)"})
        return self.ok("event", "leaf.event", fields, req, comment, flags, {**wrong, **(decoys or {})})

    def marker(self, group, time, replica, comment="", flags="Content", req="LEAF-001 LEAF-002 LEAF-003"):
        content = leaves.content_marker(group, time, replica)
        wrong = {**mistakes(2, content),
                 leaf_of(2, blob(group) + time.to_bytes(8, "little") + replica): "the time is little-endian (CONV-001)",
                 leaf_of(2, blob(group) + replica + time8(time)): "the replica stands before the time (02, stamp)",
                 leaf_of(2, stamp(time, replica) + blob(group)): "the marker is kept by its stamp, not by its group",
                 leaf_of(2, blob(group)): "the stamp is missing: markers that differ would be equal",
                 leaf_of(1, blob(group) + b"\0"): "the marker was hashed as a log key without events"}
        return self.ok("marker", "leaf.marker", {**base(), "group": group, "time": time, "replica": replica}, req,
                       comment, flags, wrong)

    def causal(self, key, entries, comment="", flags="Content", req="LEAF-001 LEAF-002 LEAF-003 DIG-001 MERGE-011",
               namespace=NAME, decoys=None):
        fields = {**base(namespace), "key": key, "count": len(entries)}
        for n, (replica, time, body) in enumerate(entries):
            fields.update({f"{n}.replica": replica, f"{n}.time": time, f"{n}.state": 0 if body is None else 1})
            if body is not None:
                fields[f"{n}.body"] = body
        content = leaves.content_causal(key, entries)
        wrong = mistakes(3, content, namespace)
        if namespace == NAME:
            def spelled(es, entry=lambda r, t, b: r + time8(t) + (u8(0) if b is None else u8(1) + blob(b))):
                return leaf_of(3, blob(key) + listed(entry(*e) for e in es))
            little = spelled(entries, lambda r, t, b: r + t.to_bytes(8, "little")
                             + (u8(0) if b is None else u8(1) + blob(b)))
            wrong[little] = "times are little-endian (CONV-001)"
            wrong[spelled(entries, lambda r, t, b: stamp(t, r) + (u8(0) if b is None else u8(1) + blob(b)))] = \
                "the time stands before the replica (LEAF-002)"
            covered = [e for e in entries if e[2] is None]
            if covered:
                wrong[spelled(entries, lambda r, t, b: r + time8(t) + u8(b is not None) + blob(b or b""))] = \
                    "a covered entry has a body of no bytes"
                wrong[spelled([e for e in entries if e[2] is not None])] = "the covered entries were dropped"
            if len(entries) > 1:
                by_time = sorted(entries, key=lambda e: e[1])
                if by_time != entries:
                    wrong[spelled(by_time)] = "the entries are ordered by time"
        return self.ok("causal", "leaf.causal", fields, req, comment, flags, {**wrong, **(decoys or {})})


    def last_writer(self, key, time, replica, body, comment="", flags="Content",
                    req="LEAF-001 LEAF-002 LEAF-003 DIG-001 MERGE-021", namespace=NAME, decoys=None):
        state = {"state": 0} if body is None else {"state": 1, "body": body}
        fields = {**base(namespace), "key": key, "time": time, "replica": replica, **state}
        content = leaves.content_last_writer(key, time, replica, body)
        end = leaves.state(body)

        def spelled(rest, row_type=4):
            return leaf_of(row_type, blob(key) + rest, namespace)
        wrong = {**mistakes(4, content, namespace),
                 spelled(time.to_bytes(8, "little") + replica + end): "the time is little-endian (CONV-001)",
                 spelled(replica + time8(time) + end): "the replica stands before the time (02, stamp)",
                 spelled(b"\1" + stamp(time, replica) + end): "a count of entries stands before the write (LEAF-002)",
                 spelled(listed([replica + time8(time) + end]), 3): "the row was hashed as a causal row",
                 spelled(listed([replica + time8(time) + end])): "the content is that of a causal row (LEAF-002)",
                 spelled(end[:1] + stamp(time, replica) + end[1:]): "the state stands before the stamp (LEAF-002)",
                 leaf_of(4, stamp(time, replica) + end, namespace): "the key is missing (LEAF-002)",
                 spelled(end): "the stamp is missing: writes that differ would be equal"}
        if body is None:
            wrong.update({spelled(stamp(time, replica)): "the state is missing (LEAF-002)",
                          spelled(stamp(time, replica), 2): "the row was hashed as a marker",
                          spelled(stamp(time, replica) + b"\0" + blob(b"")): "a deleted row has a body of no bytes",
                          spelled(stamp(time, replica) + b"\0" + blob(b"value")): "a deleted row keeps the body",
                          spelled(stamp(time, replica) + b"\1" + blob(b"")): "a deleted row was hashed as an empty value",
                          spelled(stamp(time, replica) + b"\1"): "the states change places (LEAF-002)"})
        else:
            wrong.update({spelled(stamp(time, replica) + blob(body)): "the state is missing (LEAF-002)",
                          spelled(stamp(time, replica) + b"\1" + body): "the body lacks its length (LEAF-002)",
                          spelled(stamp(time, replica) + blob(body) + b"\1"): "the state stands after the body (LEAF-002)",
                          spelled(stamp(time, replica) + b"\0"): "the value was hashed as deleted",
                          spelled(stamp(time, replica) + b"\0" + blob(body)): "the states change places (LEAF-002)"})
        wrong.pop(leaf_of(4, content, namespace), None)
        return self.ok("lastwriter", "leaf.lastWriter", fields, req, comment, flags, {**wrong, **(decoys or {})})


def event_leaves(a):
    for size in (0, 1, 22, 23, 50, 51, 52, 127, 128, 200, 5000):
        a.event(UUID, [(at(1), A, b"g", noise(f"event {size}", size))], f"a body of {size} bytes", "BlockSize",
                "LEAF-001 LEAF-002 LEAF-003 MODEL-012")
    a.event(b"k", [(1, A, b"g", b"")], "the smallest", "Boundary")
    a.event(b"k" * 512, [(2**63 - 1, HIGH, b"g" * 512, b"x")], "the longest key and group, the greatest time", "Boundary")
    two = [(at(1), A, b"g", b"one"), (at(2), A, b"g", b"two")]
    a.event(b"key", two, "two events of one key", "Content Order", decoys={
        leaf_of(1, blob(b"key") + listed(stamp(t, r) + blob(g) + blob(b) for t, r, g, b in two[::-1])):
            "events descend (LEAF-002)",
        leaf_of(1, leaves.content_event(b"key", two[1:])): "only the newest event is hashed",
        leaf_of(1, leaves.content_event(b"key", two[:1])): "only the oldest event is hashed"})
    by_replica = [(at(1), B, b"g", b"b"), (at(2), A, b"g", b"a")]
    a.event(b"key", by_replica, "times decide before replicas", "Order", req="LEAF-002 MODEL-004", decoys={
        leaf_of(1, blob(b"key") + listed(stamp(t, r) + blob(g) + blob(b) for t, r, g, b in by_replica[::-1])):
            "events are ordered by replica (LEAF-002)"})
    a.event(b"key", [(at(1), A, b"g", b"x"), (at(1), B, b"g", b"x")], "at one time the replicas decide", "Order",
            req="LEAF-002 MODEL-004 MERGE-001")
    a.event(b"key", [(at(1), A, b"a", b"x"), (at(1), A, b"b", b"x")], "one stamp, two groups: two events", "Order",
            req="LEAF-002 MERGE-001")
    a.event(b"key", [(at(1), A, b"a", b"x"), (at(1), A, b"ab", b"x"), (at(1), A, b"b", b"x")],
            "a group that is a prefix comes first, whatever its length byte", "Order", req="LEAF-002 CONV-002")
    long_first = [(at(1), A, b"aa", b"x"), (at(1), A, b"b", b"x")]
    a.event(b"key", long_first, "a longer group may come first: bytes decide, not lengths", "Order",
            req="LEAF-002 CONV-002", decoys={
                leaf_of(1, blob(b"key") + listed(stamp(t, r) + blob(g) + blob(b) for t, r, g, b in long_first[::-1])):
                    "groups are ordered with their length in front (CONV-002)"})
    a.event(b"key", [(at(1), A, b"g", b""), (at(1), A, b"g", b"a"), (at(1), A, b"g", b"b")],
            "one stamp and group, three bodies: three events", "Order", req="LEAF-002 MERGE-001")
    a.event(b"key", [(at(n), A, b"g", bytes([n])) for n in range(1, 131)], "130 events: a two-byte count", "Boundary")
    a.event(b"key", [(at(1), A, b"g", b"x")], "a name at maxName", "Boundary", namespace=b"n" * 64)
    a.event(b"key", [(at(1), A, b"g", b"x")], "another digest key", digest_key=noise("digest key", 32))
    a.event("é".encode(), [(at(1), A, b"g", b"x")], "a composed letter", req="LEAF-002 CONV-002", decoys={
        leaf_of(1, leaves.content_event("e\u0301".encode(), [(at(1), A, b"g", b"x")])): "the key was decomposed",
        leaf_of(1, leaves.content_event("É".encode(), [(at(1), A, b"g", b"x")])): "the key was changed to capitals"})
    a.event("e\u0301".encode(), [(at(1), A, b"g", b"x")], "the same letter decomposed: another key",
            req="LEAF-002 CONV-002")


def marker_leaves(a):
    a.marker(b"group", at(1), A)
    a.marker(b"group", at(1), B, "another replica buried it")
    a.marker(b"group", at(2), A, "at another time")
    a.marker(b"g", 1, A, "the smallest", "Boundary")
    a.marker(b"g" * 512, 2**63 - 1, HIGH, "the longest group", "Boundary")
    a.marker(b"g" * 128, at(3), C, "a two-byte length", "Boundary")
    a.marker(UUID, at(4), C, "a group that is a UUID", req="LEAF-002 LEAF-003 MODEL-012")


def causal_leaves(a):
    for size in (0, 1, 48, 49, 50, 51, 52, 127, 128, 200, 5000):
        a.causal(UUID, [(A, at(1), noise(f"causal {size}", size))], f"a body of {size} bytes", "BlockSize",
                 "LEAF-001 LEAF-002 LEAF-003 MODEL-012")
    a.causal(b"k", [(A, 1, b"")], "the smallest live row: an empty value is a value", "Boundary")
    a.causal(b"k", [(A, 1, None)], "the smallest tombstone", "Boundary Covered")
    a.causal(b"key", [(A, at(2), b"mine"), (B, at(1), None)], "a value that covers another replica's", "Covered")
    a.causal(b"key", [(A, at(1), None), (B, at(2), None)], "a tombstone of two", "Covered")
    a.causal(b"key", [(A, at(9), b"a"), (B, at(1), b"b")], "a conflict; ordered by replica, not by time", "Order")
    a.causal(b"key", [(A, at(9), b"a"), (B, at(1), None), (C, at(5), b"c"), (HIGH, 2**63 - 1, None)],
             "two values among covered entries", "Covered Order")
    a.causal(b"key", [(A, at(1), b"same"), (B, at(1), b"same"), (C, at(1), b"same")],
             "three replicas wrote the same at once: three entries", "Order")
    a.causal(b"key", [(bytes([n]) * 16, at(n), None if n % 3 else bytes([n])) for n in range(1, 131)],
             "130 entries: a two-byte count", "Boundary Covered")
    a.causal(b"k" * 512, [(A, 2**63 - 1, b"x")], "the longest key, the greatest time", "Boundary")
    a.causal(b"key", [(A, at(1), b"x")], "a name at maxName", "Boundary", namespace=b"n" * 64)
    a.causal(b"key", [(A, at(1), b"x")], "a namespace that differs by a length byte only", namespace=b"\x05notes")


def last_writer_leaves(a):
    for size in (0, 1, 51, 52, 53, 127, 128, 178, 179, 180, 200, 5000):
        a.last_writer(UUID, at(1), A, noise(f"last {size}", size), f"a body of {size} bytes", "BlockSize",
               "LEAF-001 LEAF-002 LEAF-003 MODEL-012")
    for size in (1, 68, 69, 70, 127, 128, 512):
        a.last_writer(noise(f"last key {size}", size), at(2), B, None, f"a deleted row, its key of {size} bytes", "BlockSize")
    a.last_writer(UUID, at(2), A, None, "a deleted row, its key a UUID", req="LEAF-002 LEAF-003 MODEL-012 MERGE-021")
    a.last_writer(b"k", 1, A, b"", "the smallest live row: an empty value is a value", "Boundary")
    a.last_writer(b"k", 1, A, None, "the smallest tombstone", "Boundary")
    a.last_writer(b"k" * 512, 2**63 - 1, HIGH, b"x", "the longest key, the greatest time", "Boundary")
    a.last_writer(b"k" * 512, 2**63 - 1, HIGH, None, "the longest key, the greatest time, deleted", "Boundary")
    a.last_writer(b"key", at(1), A, b"one", "a value")
    a.last_writer(b"key", at(2), A, None, "its deletion", decoys={
        leaf_of(4, blob(b"key") + stamp(at(2), A) + b"\0" + blob(b"one")): "the deleted row keeps the body that it had",
        leaf_of(4, leaves.content_last_writer(b"key", at(1), A, None)): "the deleted row keeps the time that it had"})
    a.last_writer(b"key", at(2), B, None, "the same deletion by another replica", decoys={
        leaf_of(4, blob(b"key") + stamp(at(2), B) + b"\0" + blob(b"one")): "the deleted row keeps the body that it had",
        leaf_of(4, leaves.content_last_writer(b"key", at(2), A, None)): "the deleted row keeps the replica that it had"})
    a.last_writer(b"key", at(3), C, b"one", "the same value once more: another stamp, another leaf", decoys={
        leaf_of(4, leaves.content_last_writer(b"key", at(1), A, b"one")): "an equal body left the old stamp in its place"})
    a.last_writer(b"key", at(1, 2), A, b"one", "a counter in the lower 16 bits", decoys={
        leaf_of(4, leaves.content_last_writer(b"key", at(1), A, b"one")): "the counter was dropped"})
    a.last_writer(b"key", at(1), A, b"\0", "a body of one zero byte")
    a.last_writer(b"key", at(1), A, b"x", "a name at maxName", "Boundary", namespace=b"n" * 64)
    a.last_writer(b"key", at(1), A, None, "a namespace that differs by a length byte only", namespace=b"\x05notes")
    a.last_writer("é".encode(), at(1), A, b"x", "a composed letter", req="LEAF-002 CONV-002", decoys={
        leaf_of(4, leaves.content_last_writer("e\u0301".encode(), at(1), A, b"x")): "the key was decomposed",
        leaf_of(4, leaves.content_last_writer("É".encode(), at(1), A, b"x")): "the key was changed to capitals"})


def event_negatives(a):
    first = a.event(b"neg", [(1000, A, b"g1", b"one"), (1000, B, b"g1", b"one"), (2000, B, b"g1", b"two")],
                    "made for edits", "Order")
    groups = a.event(b"neg", [(1000, A, b"g1", b"b1"), (1000, A, b"g2", b"b1"), (1000, A, b"g2", b"b2")],
                     "made for edits", "Order")
    R = "LEAF-004"

    def no(of, field, e, cls, req, comment="", flags="Limit"):
        a.no("event", of, field, e, cls, f"{R} {req}", comment, flags)

    no(first, "key", edit(0, 3), "range", "PRIM-004 CONV-007", "an empty key")
    no(first, "key", edit(0, 3, b"k" * 513), "range", "PRIM-004 CONV-007", "a key of 513 bytes")
    no(first, "0.group", edit(0, 2), "range", "PRIM-004 CONV-007", "an empty group")
    no(first, "2.group", edit(0, 2, b"g" * 513), "range", "PRIM-004 CONV-007", "a group of 513 bytes")
    no(first, "namespace", edit(0, 5), "range", "PRIM-004 CONV-007", "an empty name")
    no(first, "namespace", edit(0, 5, b"n" * 65), "range", "PRIM-004 CONV-007", "a name of 65 bytes")
    no(first, "0.replica", edit(0, 16, NOBODY), "range", "PRIM-007 MODEL-002", "", "ZeroReplica")
    no(first, "1.replica", edit(0, 16, A), "duplicate", "PRIM-010", "all four parts are equal", "Unsorted")
    no(first, "0.replica", edit(0, 16, C), "order", "PRIM-010 MODEL-004", "replicas descend at one time", "Unsorted")
    no(groups, "0.group", edit(1, 1, b"3"), "order", "PRIM-010", "groups descend at one stamp", "Unsorted")
    no(groups, "1.body", edit(1, 1, b"3"), "order", "PRIM-010", "bodies descend at one group", "Unsorted")
    no(groups, "2.body", edit(1, 1, b"1"), "duplicate", "PRIM-010", "all four parts are equal", "Unsorted")
    no(groups, "1.group", edit(1, 1, b"1"), "duplicate", "PRIM-010", "all four parts are equal", "Unsorted")
    plain_case = {**base(), "key": b"neg", "0.time": 1000, "0.replica": A, "0.group": b"g1", "0.body": b"one"}
    a.twinless("event", "leaf.event", {**base(), "key": b"neg", "count": 0}, "range", "LEAF-002", FIXED, "no event",
               "Limit")
    a.twinless("event", "leaf.event", {**plain_case, "count": 1, "0.time": 0}, "range", f"{R} PRIM-006", FIXED,
               "time 0", "TimeRange")
    a.twinless("event", "leaf.event", {**plain_case, "count": 1, "0.time": 2**63}, "range", f"{R} PRIM-006", FIXED,
               "above 2^63 - 1", "TimeRange")
    second = {"1.time": 999, "1.replica": B, "1.group": b"g1", "1.body": b"one"}
    a.twinless("event", "leaf.event", {**plain_case, **second, "count": 2}, "order", f"{R} PRIM-010 MODEL-004", FIXED,
               "times descend", "Unsorted")


def marker_negatives(a):
    first = a.marker(b"neg", 1000, A, "made for edits")
    R = "LEAF-004"
    for e, comment in ((edit(0, 3), "an empty group"), (edit(0, 3, b"g" * 513), "a group of 513 bytes")):
        a.no("marker", first, "group", e, "range", f"{R} PRIM-004 CONV-007", comment, "Limit")
    a.no("marker", first, "replica", edit(0, 16, NOBODY), "range", f"{R} PRIM-007 MODEL-002", "", "ZeroReplica")
    a.no("marker", first, "namespace", edit(0, 5), "range", f"{R} PRIM-004 CONV-007", "an empty name", "Limit")
    fields = {**base(), "group": b"neg", "replica": A}
    for time in (0, 2**63):
        a.twinless("marker", "leaf.marker", {**fields, "time": time}, "range", f"{R} PRIM-006", FIXED, f"time {time}",
                   "TimeRange")


def causal_negatives(a):
    first = a.causal(b"neg", [(A, 1000, b"a"), (B, 1000, b"b"), (C, 1000, None)], "made for edits", "Order")
    R = "LEAF-004"

    def no(field, e, cls, req, comment="", flags="Limit"):
        a.no("causal", first, field, e, cls, f"{R} {req}", comment, flags)

    no("key", edit(0, 3), "range", "PRIM-004 CONV-007", "an empty key")
    no("key", edit(0, 3, b"k" * 513), "range", "PRIM-004 CONV-007", "a key of 513 bytes")
    no("0.replica", edit(0, 16, NOBODY), "range", "PRIM-007 MODEL-002", "", "ZeroReplica")
    no("1.replica", edit(0, 16, A), "duplicate", "PRIM-010", "two entries of one replica, with two values", "Unsorted")
    no("0.replica", edit(0, 16, HIGH), "order", "PRIM-010", "replicas descend", "Unsorted")
    no("2.replica", edit(0, 16, A[:15] + b"\0"), "order", "PRIM-010", "replicas descend", "Unsorted")
    no("namespace", edit(0, 5, b"n" * 65), "range", "PRIM-004 CONV-007", "a name of 65 bytes")
    one = {**base(), "key": b"neg", "count": 1, "0.replica": A}
    a.twinless("causal", "leaf.causal", {**base(), "key": b"neg", "count": 0}, "range", "LEAF-002 CONV-007", FIXED,
               "no entry: such a key has no row", "Limit")
    a.twinless("causal", "leaf.causal", {**one, "0.time": 0, "0.state": 0}, "range", f"{R} PRIM-006", FIXED, "time 0",
               "TimeRange")
    a.twinless("causal", "leaf.causal", {**one, "0.time": 2**63, "0.state": 0}, "range", f"{R} PRIM-006", FIXED,
               "above 2^63 - 1", "TimeRange")
    a.twinless("causal", "leaf.causal", {**one, "0.time": 1000, "0.state": 2, "0.body": b"x"}, "range",
               f"{R} PRIM-008", FIXED, "no state", "Choice")
    a.twinless("causal", "leaf.causal", {**one, "0.time": 1000, "0.state": 256}, "range", f"{R} PRIM-008", FIXED,
               "a state that no byte holds", "Choice")


def last_writer_negatives(a):
    live = a.last_writer(b"neg", 1000, A, b"body", "made for edits")
    dead = a.last_writer(b"neg", 1000, A, None, "made for edits")
    R = "LEAF-004"
    for of in (live, dead):
        for field, e, req, comment, flags in (
                ("key", edit(0, 3), "PRIM-004 CONV-007", "an empty key", "Limit"),
                ("key", edit(0, 3, b"k" * 513), "PRIM-004 CONV-007", "a key of 513 bytes", "Limit"),
                ("replica", edit(0, 16, NOBODY), "PRIM-007 MODEL-002", "the replica that is none", "ZeroReplica"),
                ("replica", edit(15, 1), "PRIM-004", "a replica of 15 bytes", "Limit"),
                ("replica", edit(16, 0, "00"), "PRIM-004", "a replica of 17 bytes", "Limit"),
                ("namespace", edit(0, 5), "PRIM-004 CONV-007", "an empty name", "Limit"),
                ("namespace", edit(0, 5, b"n" * 65), "PRIM-004 CONV-007", "a name of 65 bytes", "Limit")):
            a.no("lastwriter", of, field, e, "range", f"{R} {req}",
                 comment + ("" if of == live else ", deleted"), flags)
    one = {**base(), "key": b"neg", "replica": A}
    for time in (0, 2**63):
        for state in ({"state": 1, "body": b"x"}, {"state": 0}):
            a.twinless("lastwriter", "leaf.lastWriter", {**one, "time": time, **state}, "range", f"{R} PRIM-006", FIXED,
                       f"time {time}, state {state['state']}", "TimeRange")
    for state in (2, 255):
        a.twinless("lastwriter", "leaf.lastWriter", {**one, "time": 1000, "state": state, "body": b"x"}, "range",
                   f"{R} PRIM-008", FIXED, "no state", "Choice")
