"""Cases of frame.json about messages: rows of type 5 and the kind message_op."""

import frames
from build import edit
from merge import EVERYONE, IN, LIVE, ME, OUT, Message
from primitives import blob, time8, uvarint
from samples import A, B, C, EPOCH1, FLEET, HIGH, NOBODY, OTHER_FLEET, at, noise

NAME = b"chat"
OP = [noise(f"op {i}", 16) for i in range(4)]


def own(message=b"m1"):
    return FLEET + message


def theirs(message=b"m1"):
    return OTHER_FLEET + message


def row(key, base=None, edit=None, scope=LIVE, delivered=0):
    return frames.message_row(key, Message(base, edit, scope, delivered))


def rows_frame(kind, rows, which=0, table=(), request=None, part=0, last=1, claims=(), recipient=B, **header):
    request = (0 if kind == "sync_delta" else 7) if request is None else request
    return {"kind": kind, "sender": A, "recipient": recipient, "epoch": bytes(16), **header, "request": request, "part": part,
            "last": last, "namespace": NAME, "set": which, "rowType": 5, "replicas": list(table), "rows": list(rows),
            "claims": list(claims)}


def shapes():
    """(comment, set, row) of every shape that a message can have in normal form."""
    post, gone = (OUT, at(1), b"hello"), (OUT, at(1), b"")
    change = (at(2), OP[0], b"hello, world")
    return (
        ("a post", 0, row(own(), post)),
        ("an empty post", 0, row(own(), gone)),
        ("a post that was delivered", 0, row(own(), post, delivered=1)),
        ("a post of a contact", 0, row(theirs(), (IN, at(1), b"hi"))),
        ("an edited post: the base's body is empty", 0, row(own(), gone, change)),
        ("an edited post that was delivered", 0, row(own(), gone, change, delivered=1)),
        ("an edited post of a contact", 0, row(theirs(), (IN, at(1), b""), change)),
        ("an edit before its message", 0, row(theirs(), edit=change)),
        ("an edit to an empty body, before its message", 0, row(own(), edit=(at(2), OP[1], b""))),
        ("a receipt before its message", 0, row(own(), delivered=1)),
        ("a receipt and an edit before their message", 0, row(own(), None, change, delivered=1)),
        ("deleted for me and still to be delivered: the body stays", 0, row(own(), post, scope=ME)),
        ("deleted for me and still to be delivered, edited: the edit stays", 0, row(own(), gone, change, ME)),
        ("deleted for me, an edit that waits for its message", 0, row(own(), None, change, ME)),
        ("deleted for me after it was delivered", 1, row(own(), gone, scope=ME, delivered=1)),
        ("deleted for me, of a contact", 1, row(theirs(), (IN, at(1), b""), scope=ME)),
        ("deleted for me before its message: the smallest but for its key", 1, row(theirs(), scope=ME)),
        ("deleted for me and delivered before its message", 1, row(own(), scope=ME, delivered=1)),
        ("deleted for everyone", 1, row(own(), gone, scope=EVERYONE)),
        ("deleted for everyone, of a contact", 1, row(theirs(), (IN, at(1), b""), scope=EVERYONE)),
        ("deleted for everyone before its message", 1, row(theirs(), scope=EVERYONE)),
    )


def rows(a):
    g, R = "message", "WIRE-050 WIRE-052 WIRE-053 WIRE-058 LEAF-002 MERGE-032 MERGE-033"
    ids = {}

    def frame(kind, rows, comment, flags="", req=R, decoys=None, **more):
        return a.frame(g, rows_frame(kind, rows, **more), req, comment, flags, decoys)

    for comment, which, one in shapes():
        ids[comment] = frame("reconcile_resp", [one], comment, which=which)
    none = frame("reconcile_resp", [], "no rows", "Boundary")
    post = frame("sync_delta", [row(own(b"m2"), (OUT, at(3), b"posted"))], "a local post, sent to all", "BigEndian",
                 decoys={str(int.from_bytes(time8(at(3)), "little")): "the time was read as little-endian (CONV-001)"},
                 recipient=NOBODY)
    tiny = frame("reconcile_resp", [row(FLEET + bytes([n]), scope=EVERYONE) for n in (1, 2, 3)],
                 "three of the smallest rows in 66 bytes", "Boundary", which=1)
    frame("reconcile_resp", [row(FLEET + b"k" * 496, (OUT, 2**63 - 1, noise("body", 300)), delivered=1)],
          "a key at maxKey, the last time", "Boundary")
    frame("reconcile_resp", [row(NOBODY + b"k", edit=(1, HIGH, b"x"))], "an author of zeros is a fleet id like any other", "Boundary")
    frame("reconcile_resp", [row(own(b"m"), (OUT, at(9), b"x"))], "a live message beside claims of tombstones: well-formed",
          "Boundary", which=1)
    rich = frame("reconcile_resp", [
        row(own(b"a"), (OUT, at(9), b"one")), row(own(b"ab"), scope=EVERYONE), row(own(b"b"), (IN, at(1), b"odd")),
        row(theirs(b"a"), (OUT, at(2), b"odd")), row(theirs(b"\x80"), None, (at(3), OP[2], b"x"), ME)],
        "keys of two authors ascend; who stands where in its key is no matter of the codec", "Boundary", epoch=EPOCH1,
        part=2, last=0)
    both = frame("reconcile_resp", [row(own(b"a"), None, (at(2), OP[0], b"x")), row(own(b"b"), (OUT, at(1), b"y"))], "made for edits")

    def bad(of, where, new, cls, req, comment="", flags="Limit"):
        a.bad(of, where, new, cls, req, comment, flags, g)

    N = "WIRE-058 LEAF-006 MERGE-032"
    for comment, path, new, why in (
            ("deleted for everyone", "rows.0.body", blob(b"hello"), "it keeps its body"),
            ("deleted for everyone, of a contact", "rows.0.body", blob(b"h"), "it keeps its body"),
            ("deleted for everyone", "rows.0.delivered", b"\1", "it keeps that it was delivered"),
            ("deleted for everyone before its message", "rows.0.delivered", b"\1", "it keeps that it was delivered"),
            ("deleted for everyone", "rows.0.hasEdit", b"\1" + time8(at(2)) + OP[0] + blob(b""), "it keeps an empty edit"),
            ("deleted for everyone before its message", "rows.0.hasEdit", b"\1" + time8(at(2)) + OP[0] + blob(b"e"), "it keeps an edit"),
            ("an edit before its message", "rows.0.scope", b"\2", "deleted for everyone, the edit stays"),
            ("a post", "rows.0.scope", b"\2", "deleted for everyone, the body stays"),
            ("deleted for me after it was delivered", "rows.0.body", blob(b"hello"), "it keeps its body"),
            ("deleted for me, of a contact", "rows.0.body", blob(b"hi"), "it keeps its body"),
            ("deleted for me, of a contact", "rows.0.delivered", b"\1", "an inbound message is delivered"),
            ("deleted for me, of a contact", "rows.0.hasEdit", b"\1" + time8(at(2)) + OP[0] + blob(b"e"), "it keeps an edit"),
            ("deleted for me and still to be delivered: the body stays", "rows.0.delivered", b"\1", "delivered, the body stays"),
            ("deleted for me and still to be delivered, edited: the edit stays", "rows.0.delivered", b"\1", "delivered, the edit stays"),
            ("deleted for me and still to be delivered: the body stays", "rows.0.direction", b"\1", "inbound, the body stays"),
            ("deleted for me and still to be delivered, edited: the edit stays", "rows.0.body", blob(b"hello"),
             "the replaced body is kept under the edit"),
            ("an edited post: the base's body is empty", "rows.0.body", blob(b"hello"), "the replaced body is kept under the edit"),
            ("an edited post of a contact", "rows.0.body", blob(b"h"), "the replaced body is kept under the edit"),
            ("a post of a contact", "rows.0.delivered", b"\1", "an inbound message is delivered"),
            ("a post that was delivered", "rows.0.direction", b"\1", "an inbound message is delivered"),
            ("a receipt before its message", "rows.0.delivered", b"\0", "it says nothing at all"),
            ("deleted for me before its message: the smallest but for its key", "rows.0.scope", b"\0", "it says nothing at all"),
            ("deleted for me and delivered before its message", "rows.0.hasEdit",
             b"\1" + time8(at(2)) + OP[0] + blob(b"e"), "deleted for me and delivered, an edit waits")):
        bad(ids[comment], path, new, "noncanonical", N, f"{comment.split(':')[0]}: {why}", "NotNormal")
    bad(ids["a post"], "rows.0.scope", b"\3", "range", "PRIM-008", "no scope", "Choice")
    bad(ids["a post"], "rows.0.scope", b"\xff", "range", "PRIM-008", "no scope", "Choice")
    bad(ids["a post"], "rows.0.delivered", b"\2", "range", "PRIM-008", "delivered is 0 or 1", "Choice")
    bad(ids["a post"], "rows.0.hasBase", b"\2", "range", "PRIM-008", "hasBase is 0 or 1", "Choice")
    bad(ids["a post"], "rows.0.direction", b"\2", "range", "PRIM-008", "no direction", "Choice")
    bad(ids["a post"], "rows.0.hasEdit", b"\2", "range", "PRIM-008", "hasEdit is 0 or 1", "Choice")
    bad(ids["a post"], "rows.0.postedAt", bytes(8), "range", "PRIM-006", "posted at time 0", "TimeRange")
    bad(ids["a post"], "rows.0.postedAt", time8(2**63), "range", "PRIM-006", "posted above 2^63 - 1", "TimeRange")
    bad(ids["an edit before its message"], "rows.0.editedAt", bytes(8), "range", "PRIM-006", "edited at time 0", "TimeRange")
    bad(ids["an edit before its message"], "rows.0.editedAt", b"\xff" * 8, "range", "PRIM-006", "edited above 2^63 - 1", "TimeRange")
    for key, why in ((b"", "an empty key"), (b"k", "a key of one byte"), (FLEET, "an author and no message id")):
        bad(ids["an edited post: the base's body is empty"], "rows.0.key", blob(key), "range", "PRIM-004 CONV-007", why)
    bad(ids["a post"], "rows.0.key", blob(b"k" * 513), "range", "PRIM-004 CONV-007", "a key of 513 bytes")
    bad(ids["a post"], "rows.0.key", b"\x10" + own(), "range", "PRIM-004 CONV-008", "a key that claims 16 bytes")
    for path in ("body", "editBody"):
        of = ids["a post"] if path == "body" else ids["an edit before its message"]
        bad(of, f"rows.0.{path}", uvarint(983_041) + b"x", "range", "PRIM-004 CONV-008", "a body over maxBody")
        bad(of, f"rows.0.{path}", uvarint(983_040) + b"x", "truncated", "PRIM-005", "a body at maxBody that is not there", "Truncated")
        bad(of, f"rows.0.{path}", b"\x81\0x", "noncanonical", "PRIM-002 CONV-003", "a length in two bytes", "NonMinimal")
    bad(none, "replicas.count", b"\1" + A, "noncanonical", "WIRE-051 WIRE-058", "a table and no rows", "Table")
    bad(ids["a post"], "replicas.count", b"\1" + A, "noncanonical", "WIRE-051 WIRE-058", "a table: messages name no replica", "Table")
    for n in range(4):
        bad(rich, a.swap(rich, f"rows.{n}", f"rows.{n + 1}"), None, "order", "WIRE-052 PRIM-010", "keys descend", "Unsorted")
    bad(tiny, "rows.1", a.raw(tiny, "rows.0"), "duplicate", "WIRE-052 PRIM-010", "one row twice", "Unsorted")
    bad(both, "rows.1.key", blob(own(b"a")), "duplicate", "WIRE-052 PRIM-010", "a post and its edit as two rows of one key", "Unsorted")
    start, end = a.span(rich, "rows.1")
    bad(rich, edit(start, end - start, blob(own(b"a")) + b"\2\1\0\0"), None, "noncanonical", N + " CONV-005",
        "one key twice, and not in normal form: the row is judged before its order", "Order NotNormal")
    bad(tiny, "rows.count", b"\4", "truncated", "CONV-004 WIRE-053", "four counted, three there", "Count")
    start, end = a.span(tiny, "rows.0")[0], a.span(tiny, "rows.2")[1]
    bad(tiny, edit(start, end - start, bytes(64)), None, "truncated", "CONV-004 WIRE-053",
        "an empty key, and 65 bytes that cannot hold three rows of 22: the count is met first", "Count Order")
    bad(none, "rows.count", uvarint(2**64 - 1), "truncated", "CONV-004 WIRE-053", "", "Count")
    bad(post, edit(len(a.bytes_of(post)), 0, "00"), None, "trailing", "WIRE-001", "", "Trailing")
    full = ids["an edited post: the base's body is empty"]
    for path in ("key", "scope", "delivered", "hasBase", "direction", "postedAt", "body", "hasEdit", "editedAt", "opID", "editBody"):
        a.cut(full, g, a.span(full, f"rows.0.{path}")[1] - 1, "PRIM-001 PRIM-005 CONV-004", f"ends inside {path}")


def operations(a):
    g, R = "op", "WIRE-070"
    ids = {}

    def op(one, comment, flags="", recipient=NOBODY, epoch=bytes(16), namespace=NAME, sender=A):
        frame = {"kind": "message_op", "sender": sender, "recipient": recipient, "epoch": epoch, "namespace": namespace, **one}
        ids[comment] = a.frame(g, frame, R, comment, flags)
        return ids[comment]

    post, change = (IN, at(1), b"hello"), (at(2), OP[0], b"hello, world")
    op(row(theirs(), post), "a post")
    op(row(theirs(), (IN, at(1), b""), change), "an edited post")
    op(row(theirs(), edit=change), "an edit before its message")
    op(row(theirs(), (IN, at(1), b""), scope=EVERYONE), "a recall")
    op(row(theirs(), scope=EVERYONE), "a recall before its message")
    op(row(own(), delivered=1), "a receipt")
    op(row(own(), None, change, delivered=1), "well-formed, and nothing that a channel takes (SYNC-034)")
    op(row(theirs(), post), "to one replica, in an epoch: well-formed, and not looked at", recipient=B, epoch=EPOCH1, sender=C)
    op(row(HIGH + b"k" * 496, (IN, 2**63 - 1, b"")), "the longest key and name, the last time", "Boundary", namespace=b"n" * 64)
    op(row(NOBODY + b"k", scope=EVERYONE), "the smallest", "Boundary", namespace=b"n")

    def bad(of, where, new, cls, req, comment="", flags="Limit"):
        a.bad(ids.get(of, of), where, new, cls, f"WIRE-070 {req}", comment, flags, g)

    for of in ("a post", "a recall", "an edit before its message"):
        bad(of, "scope", b"\1", "range", "PRIM-008 SYNC-037", "deleted for me is told to nobody", "Choice")
        bad(of, "scope", b"\3", "range", "PRIM-008", "no scope", "Choice")
    bad("a post", "direction", b"\0", "range", "PRIM-008", "outbound: in the receiver's name", "Choice")
    bad("a recall", "direction", b"\0", "range", "PRIM-008", "outbound: in the receiver's name", "Choice")
    bad("a post", "direction", b"\2", "range", "PRIM-008", "no direction", "Choice")
    bad("a receipt", "delivered", b"\2", "range", "PRIM-008", "delivered is 0 or 1", "Choice")
    bad("a post", "hasBase", b"\2", "range", "PRIM-008", "", "Choice")
    bad("a post", "hasEdit", b"\2", "range", "PRIM-008", "", "Choice")
    for of, path, new, why in (("a recall", "body", blob(b"x"), "it keeps its body"),
                               ("a post", "scope", b"\2", "recalled, the body stays"),
                               ("a recall", "hasEdit", b"\1" + time8(1) + OP[0] + b"\0", "it keeps an edit"),
                               ("a recall before its message", "delivered", b"\1", "it keeps that it was delivered"),
                               ("a post", "delivered", b"\1", "inbound and delivered"),
                               ("an edited post", "body", blob(b"x"), "the replaced body is kept under the edit"),
                               ("a receipt", "delivered", b"\0", "it says nothing at all")):
        bad(of, path, new, "noncanonical", "MERGE-032", f"{of}: {why}", "NotNormal")
    bad("a post", "key", blob(OTHER_FLEET), "range", "PRIM-004 CONV-007", "an author and no message id")
    bad("a post", "key", blob(b"k" * 513), "range", "PRIM-004 CONV-007", "a key of 513 bytes")
    bad("a post", "namespace", b"\0", "range", "PRIM-004 CONV-007", "no name")
    bad("a post", "namespace", blob(b"n" * 65), "range", "PRIM-004 CONV-007", "a name of 65 bytes")
    bad("a post", "postedAt", bytes(8), "range", "PRIM-006", "time 0", "TimeRange")
    bad("an edited post", "editedAt", time8(2**63), "range", "PRIM-006", "above 2^63 - 1", "TimeRange")
    bad("a post", "body", uvarint(983_041), "range", "PRIM-004 CONV-008", "a body over maxBody")
    bad("a post", edit(len(a.bytes_of(ids["a post"])), 0, "00"), None, "trailing", "WIRE-001", "", "Trailing")
    full = ids["an edited post"]
    for path in ("namespace", "key", "scope", "delivered", "hasBase", "direction", "postedAt", "body", "hasEdit", "editedAt",
                 "opID", "editBody"):
        a.cut(full, g, a.span(full, path)[1] - 1, "WIRE-070 PRIM-001 PRIM-005 CONV-004", f"ends inside {path}")
