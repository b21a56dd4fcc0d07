"""merge.json: every cell of the tables of 07, the counterexamples in their six orders, and merges of three."""

from itertools import permutations, product

import cases_merge_messages as messages
import leaves
from build import Area, edit
from leaves import content_causal, content_last_writer
from primitives import blob, listed, stamp, time8, uvarint
from samples import A, B, C, D, HIGH, NOBODY, at, noise

FLAGS = {
    "Cell": {"why": "one cell of a decision table of 07", "bugType": "MERGE", "effect": "peers settle on different states"},
    "Resurrection": {"why": "something deleted must stay deleted", "bugType": "MERGE", "effect": "deleted rows come back"},
    "Lost": {"why": "a value that nobody deleted must stay", "bugType": "MERGE", "effect": "a write is lost in silence"},
    "Orders": {"why": "the same states in another order or grouping", "bugType": "MERGE",
               "effect": "the order of arrival decides"},
    "Conflict": {"why": "several values at once", "bugType": "MERGE", "effect": "a conflict is hidden, or made up"},
    "Idempotent": {"why": "a repeated arrival", "bugType": "MERGE", "effect": "a repetition changes the state"},
    "Marker": {"why": "markers are kept by their group, the lesser stamp stays", "bugType": "MERGE",
               "effect": "roots differ although the same is buried"},
    "Tie": {"why": "writes of one time: a delete, then the replica, then the body decides", "bugType": "MERGE",
            "effect": "what was revoked is back, or the order of arrival decides"},
    "Channel": {"why": "what a contact may say, and what it is told", "bugType": "RIGHTS",
                "effect": "a contact changes messages of others, or learns what was deleted for me"},
    "Unsorted": {"why": "entries that do not ascend", "bugType": "CANONICAL", "effect": "a second spelling is taken"},
    "BadContent": {"why": "a content that is none", "bugType": "VALIDATION", "effect": "a bad state spreads"},
}


def make():
    a = Merges("merge", "merge", "merges of causal rows, last-writer rows, log namespaces and messages; a contact's channel", FLAGS)
    causal_cells(a), counterexample(a), causal_more(a), causal_negatives(a)
    log_cells(a), log_orders(a), log_more(a)
    last_cells(a), last_ties(a), last_more(a), last_negatives(a)
    messages.message_cells(a), messages.message_orders(a), messages.message_ties(a), messages.message_negatives(a)
    messages.channels(a)
    last_nothing(a), messages.message_nothing(a)
    return a


class Merges(Area):
    def causal(self, group, states, expected, req, comment, flags, key=b"key", wrong=()):
        """`wrong` holds (entries, diagnosis); each that is not the answer becomes a decoy."""
        fields = {name: content_causal(key, s) for name, s in zip("abc", states)}
        right = content_causal(key, expected)
        decoys = {}
        for entries, diagnosis in wrong:
            if entries and content_causal(key, entries) != right:
                decoys.setdefault(content_causal(key, entries), diagnosis)
        out = {"merged": right.hex(), "set": str(leaves.causal_set(expected))}
        live = [(time, replica, body) for replica, time, body in expected if body is not None]
        if live:
            out["read"] = max(live)[2].hex()
            req += " MERGE-012"
        return self.ok(group, "merge.causal", fields, req, comment, flags, decoys, out)

    def last(self, group, states, expected, comment, flags, req="MERGE-020 MERGE-021", key=b"key", wrong=()):
        """`wrong` holds (write, diagnosis); the typical mistakes are added to it."""
        fields = {name: content_last_writer(key, *s) for name, s in zip("abc", states)}
        right = content_last_writer(key, *expected)
        found = {}
        for write, diagnosis in [*wrong, *((rule(states), why) for rule, why in MISTAKES)]:
            found.setdefault(content_last_writer(key, *write), []).append(diagnosis)
        bodies = [b for _, _, b in states if b is not None]
        if expected[2] is None and bodies:
            kept = blob(key) + stamp(*expected[:2])
            found[kept + b"\0" + blob(max(bodies))] = ["a deleted row keeps a body"]
            found.setdefault(kept + b"\1" + blob(max(bodies)), []).append("a put with the stamp of the delete")
        found.pop(right, None)
        decoys = {content: "; or ".join(whys) for content, whys in found.items()}
        out = {"merged": right.hex(), "set": str(leaves.last_writer_set(expected[2]))}
        return self.ok(group, "merge.lastWriter", fields, req, comment, flags, decoys, out)

    def log(self, group, code, steps, events, markers, view, req, comment, flags, decoys=None):
        fields = {"code": code, "steps": " ".join(steps)}
        expect = {"events": " ".join(events), "markers": " ".join(markers), "view": " ".join(k.hex() for k in view)}
        wrong = {k: v for k, v in (decoys or {}).items() if k and k not in expect.values()}
        return self.ok(group, "merge.log", fields, req, comment, flags, wrong, expect)


def join(*entries):
    return sorted((e for e in entries if e is not None), key=lambda e: e[0])


# ---- causal -----------------------------------------------------------------------------------

T, U = at(1), at(2)
NAMES = ("none", "(t, covered)", "(t, value a)", "(t, value b)", "(u, covered)", "(u, value)")
ENTRIES = dict(zip(NAMES, (None, (A, T, None), (A, T, b"a"), (A, T, b"b"), (A, U, None), (A, U, b"0"))))
# The table of 07 as it stands there: a row for what is here, a column for what arrives.
TABLE = """
none          none take take take take take
(t,_covered)  keep same keep keep take take
(t,_value_a)  keep take same take take take
(t,_value_b)  keep take keep same take take
(u,_covered)  keep keep keep keep same keep
(u,_value)    keep keep keep keep take same
"""


def causal_cells(a):
    rows = [line.split() for line in TABLE.strip().splitlines()]
    cells = {(r[0].replace("_", " "), NAMES[i]): word for r in rows for i, word in enumerate(r[1:])}
    by_stranger = (C, at(0, 7), b"c")
    for here, arriving in product(NAMES, NAMES):
        word = cells[here, arriving]
        mine, theirs = ENTRIES[here], ENTRIES[arriving]
        stays = {"take": theirs, "keep": mine, "same": mine, "none": None}[word]
        goes = mine if word == "take" else theirs
        assert word != "same" or mine == theirs
        wrong = [(join(goes, by_stranger), f"the table says {word} (MERGE-010)"),
                 (join(by_stranger), "the entry vanished")]
        if mine and theirs and mine[1] == theirs[1] and mine[2] is not None and theirs[2] is not None and mine != theirs:
            wrong.append((join((A, mine[1], min(mine[2], theirs[2])), by_stranger),
                          "of two bodies at one time the greater stays"))
        a.causal("cell", [join(mine, by_stranger), join(theirs, by_stranger)], join(stays, by_stranger), "MERGE-010 MERGE-011",
                 f"here {here}, arriving {arriving}: {word}", "Cell", wrong=wrong)


def counterexample(a):
    states = {"A writes a": [(A, 1, b"a")], "B writes b": [(B, 1, b"b")],
              "C deletes b": [(B, 1, None), (C, 2, None)]}
    expected = [(A, 1, b"a"), (B, 1, None), (C, 2, None)]
    for order in permutations(states):
        a.causal("counter", [states[n] for n in order], expected, "MERGE-010 MERGE-011", ", then ".join(order),
                 "Orders Resurrection Lost", wrong=[
                     ([(A, 1, b"a"), (B, 1, b"b"), (C, 2, None)], "b is back (07, why one value does not do)"),
                     ([(A, 1, None), (B, 1, None), (C, 2, None)], "a is lost: C never saw it"),
                     ([(B, 1, b"b")], "the greatest stamp among the values won the row"),
                     ([(B, 1, None), (C, 2, None)], "the latest state won the row"),
                     ([(A, 1, b"a")], "covered entries were dropped"),
                     ([(A, 1, b"a"), (C, 2, None)], "the entry of B was dropped when it was covered")])
    for order in permutations(states, 2):
        merged = {e[0]: e for n in order for e in states[n] if e[2] is not None}
        merged.update({e[0]: e for n in order for e in states[n] if e[2] is None})
        a.causal("counter", [states[n] for n in order], [merged[r] for r in sorted(merged)], "MERGE-010 MERGE-011",
                 " and ".join(order), "Orders")


def causal_more(a):
    def orders(states, expected, comment, flags, wrong=(), req="MERGE-010 MERGE-011", some=6):
        for order in list(permutations(range(len(states))))[:some]:
            a.causal("join", [states[i] for i in order], expected, req,
                     f"{comment} (order {''.join('abc'[i] for i in order)})", flags, wrong=wrong)

    v1 = [(A, 10, b"one")]
    orders([v1, v1], v1, "the same twice", "Idempotent", some=1)
    orders([v1, v1, v1], v1, "the same three times", "Idempotent", some=1)
    tomb = [(A, 10, None), (B, 20, None)]
    orders([tomb, v1], tomb, "a deleted value arrives late", "Resurrection",
           [([(A, 10, b"one"), (B, 20, None)], "the deleted value came back")])
    revived = [(A, 10, None), (B, 30, b"again")]
    orders([tomb, revived], revived, "a revived key", "Lost", [(tomb, "a tombstone wins for ever")])
    orders([tomb, revived, v1], revived, "value, delete, revive", "Orders Resurrection Lost", some=6)
    orders([[(A, 10, b"x"), (B, 5, None)], [(A, 5, None), (B, 10, b"y")]], [(A, 10, b"x"), (B, 10, b"y")],
           "two that wrote at once, each knowing the other's earlier value", "Conflict",
           [([(A, 10, b"x"), (B, 5, None)], "the first state won"),
            ([(A, 5, None), (B, 10, b"y")], "the second state won, or the greatest stamp"),
            ([(B, 10, b"y")], "only the winner stays")])
    orders([[(A, 10, b"same")], [(B, 10, b"same")]], [(A, 10, b"same"), (B, 10, b"same")],
           "two wrote the same at once: both entries stay", "Conflict",
           [([(A, 10, b"same")], "equal bodies were folded into one")])
    orders([[(A, 10, b"x")], [(B, 11, b"y")], [(A, 10, None), (B, 11, None), (C, 12, b"z")]],
           [(A, 10, None), (B, 11, None), (C, 12, b"z")], "a conflict and the put that settled it", "Conflict Orders",
           [([(A, 10, b"x"), (B, 11, b"y"), (C, 12, b"z")], "the settled conflict is back"),
            ([(C, 12, b"z")], "covered entries were dropped")])
    orders([[(A, 10, b"x")], [(A, 12, None)]], [(A, 12, None)], "a delete by the writer", "Resurrection",
           [([(A, 10, b"x")], "the deleted value came back")])
    orders([[(A, 10, b"x")], [(A, 9, None)]], [(A, 10, b"x")], "an older tombstone does not cover a newer write",
           "Lost", [([(A, 9, None)], "a tombstone wins whatever its time"), ([(A, 10, None)], "covered although newer")])
    orders([[(A, 10, b"")], [(A, 10, None)]], [(A, 10, None)], "an empty value is not a covered one", "Conflict",
           [([(A, 10, b"")], "an empty body was taken for covered")])
    orders([[(A, 10, b"")], [(A, 10, b"\0")]], [(A, 10, b"\0")], "the empty body is the least", "Conflict",
           [([(A, 10, b"")], "the lesser body stayed")])
    orders([[(A, 10, b"ab")], [(A, 10, b"b")]], [(A, 10, b"b")], "bodies compare as bytes, not by length", "Conflict",
           [([(A, 10, b"ab")], "the longer body stayed")], "MERGE-010 CONV-002")
    orders([[(A, 10, b"\x7f")], [(A, 10, b"\x80")]], [(A, 10, b"\x80")], "bodies compare as unsigned bytes", "Conflict",
           [([(A, 10, b"\x7f")], "bytes were compared as signed")], "MERGE-010 CONV-002")
    orders([[(A, 10, b"a")], [(A, 10, b"aa")]], [(A, 10, b"aa")], "a proper prefix is below", "Conflict",
           [([(A, 10, b"a")], "the prefix stayed")], "MERGE-010 CONV-002")
    orders([[(A, 2**63 - 1, b"end")], [(A, 1, None)]], [(A, 2**63 - 1, b"end")], "the ends of time", "Lost")
    orders([[(A, 2**40, b"x")], [(A, 2**39, b"y")]], [(A, 2**40, b"x")], "times beyond 32 bits", "Lost")
    orders([[(A, 1, None), (C, 1, b"c")], [(B, 1, b"b"), (D, 1, None)], [(HIGH, 1, None)]],
           [(A, 1, None), (B, 1, b"b"), (C, 1, b"c"), (D, 1, None), (HIGH, 1, None)],
           "states without a common replica interleave", "Orders", some=6)
    piece = [(A, 10, b"x"), (B, 10, b"y"), (C, 10, None)]
    orders([piece[:1], piece[1:2], piece[2:]], piece, "a row in three pieces", "Orders", req="MERGE-010 WIRE-054")
    orders([[(A, 3, b"x"), (B, 7, None)], [(A, 5, None), (B, 2, b"q")], [(A, 5, b"w"), (B, 7, b"r")]],
           [(A, 5, None), (B, 7, None)], "three states of which none is above the others", "Orders")
    wide = [[(bytes([n]) * 16, n, bytes([n]) if n % 2 == which else None) for n in range(1, 41)] for which in (0, 1)]
    orders(wide, [(bytes([n]) * 16, n, None) for n in range(1, 41)], "forty replicas, each covered by one side", "Orders")
    orders([[(A, 10, noise("long", 300))], [(A, 10, noise("long", 300)[:-1] + b"\0")]],
           [(A, 10, max(noise("long", 300), noise("long", 300)[:-1] + b"\0"))],
           "bodies of 300 bytes that differ in the last", "Conflict")


def causal_negatives(a):
    good = a.causal("join", [[(A, 1000, b"a"), (B, 1000, b"b"), (C, 1000, None)], [(B, 2000, None)]],
                    [(A, 1000, b"a"), (B, 2000, None), (C, 1000, None)], "MERGE-010", "made for edits", "Orders")
    entries = [A + time8(1000) + b"\1" + blob(b"a"), B + time8(1000) + b"\1" + blob(b"b"), C + time8(1000) + b"\0"]
    start = 5                      # bytes("key") and the count
    size = len(entries[0])
    assert blob(b"key") + listed(entries) == bytes.fromhex(a.by_id[good]["in"]["a"])

    def no(e, cls, req, comment="", flags="BadContent", field="a"):
        a.no("join", good, field, e, cls, f"LEAF-004 {req}", comment, flags)

    no(edit(start, 2 * size, entries[1] + entries[0]), "order", "PRIM-010", "entries descend", "Unsorted")
    no(edit(start + size, 16, A), "duplicate", "PRIM-010", "two entries of one replica", "Unsorted")
    no(edit(start, 16, NOBODY), "range", "PRIM-007 MODEL-002", "the replica that is none")
    no(edit(start + 16, 8, bytes(8)), "range", "PRIM-006", "time 0")
    no(edit(start + 16, 8, time8(2**63)), "range", "PRIM-006", "above 2^63 - 1")
    no(edit(start + 24, 1, "02"), "range", "PRIM-008", "no state")
    no(edit(0, 4, "00"), "range", "PRIM-004 CONV-007", "an empty key")
    no(edit(4, 1 + 2 * size + 25, "00"), "range", "LEAF-002 CONV-007", "no entry")
    no(edit(4, 1, "04"), "truncated", "CONV-004 PRIM-005", "four counted, three there")
    no(edit(4, 1, uvarint(1025)), "range", "CONV-007 CONV-008", "1,025 counted")
    no(edit(4, 1, "02"), "trailing", "PRIM-011", "two counted, three there")
    no(edit(4, 1, "8300"), "noncanonical", "PRIM-002", "the count in two bytes")
    no(edit(start + 25, 1, uvarint(983_041)), "range", "PRIM-004 CONV-008", "a body over maxBody")
    no(edit(start + 2 * size + 24, 1), "truncated", "PRIM-005", "the last state is missing")
    no(edit(start + 2 * size + 25, 0, "00"), "trailing", "PRIM-011", "a byte more")
    no(edit(start, 16, NOBODY), "range", "PRIM-007 MODEL-002", "the second state is bad", field="b")


# ---- log --------------------------------------------------------------------------------------

G1, G2 = b"g1", b"g2"


def ev(key, time, replica, group, body):
    return f"event:{key.hex()}:{time}:{replica.hex()}:{group.hex()}:{body.hex()}"


def mk(group, time, replica):
    return f"marker:{group.hex()}:{time}:{replica.hex()}"


NAME_OF = {1: "erase", 2: "hide"}


def log_cells(a):
    e1, e2 = ev(b"k1", 10, A, G1, b"one"), ev(b"k2", 11, B, G2, b"two")
    early, late, tie = mk(G1, 20, A), mk(G1, 30, A), mk(G1, 20, B)
    for code in (1, 2):
        name, rule = NAME_OF[code], {1: "MERGE-003", 2: "MERGE-004"}[code]
        buried = [] if code == 1 else [e1]

        def cell(steps, events, markers, view, comment, decoys=None, req=""):
            a.log("gate", code, steps, events, markers, view, f"MERGE-001 MERGE-002 MERGE-005 {rule} {req}",
                  f"{name}: {comment}", "Cell", decoys)

        cell([e1], [e1], [], [b"k1"], "event, group not in M, key new")
        cell([e1, e2], sorted([e1, e2]), [], [b"k1", b"k2"], "event, group not in M, another key")
        cell([e1, e1], [e1], [], [b"k1"], "event, equal to one there", {f"{e1} {e1}": "the event was added twice"})
        cell([early, e1], buried, [early], [], "event, group in M",
             {b"k1".hex(): "a buried event is in the view (MERGE-005)",
              e1: "a buried event was added (MERGE-003)"})
        cell([early, e2], [e2], [early], [b"k2"], "event of another group than the one in M")
        cell([e1, early], buried, [early], [], "marker of a new group, events known",
             {b"k1".hex(): "the buried event is still in the view (MERGE-005)"})
        cell([early], [], [early], [], "marker of a new group, nothing known")
        cell([early, late], [], [early], [], "marker of a group in M, greater stamp",
             {late: "the greater stamp stayed (MERGE-002)", f"{early} {late}": "two markers of one group"}, "MODEL-004")
        cell([late, early], [], [early], [], "marker of a group in M, lesser stamp",
             {late: "the first marker stayed (MERGE-002)", f"{late} {early}": "two markers of one group"}, "MODEL-004")
        cell([tie, early], [], [early], [], "marker of a group in M, same time, lesser replica",
             {tie: "at one time the lesser replica stays (MODEL-004)"}, "MODEL-004")
        cell([early, tie], [], [early], [], "marker of a group in M, same time, greater replica",
             {tie: "the last marker stayed (MERGE-002)"}, "MODEL-004")
        cell([early, early], [], [early], [], "marker of a group in M, equal",
             {f"{early} {early}": "the marker was added twice"})


def log_orders(a):
    e1, e2, e3 = ev(b"k1", 10, A, G1, b"one"), ev(b"k2", 11, B, G2, b"two"), ev(b"k1", 12, C, G2, b"other")
    m1, m1b, m2 = mk(G1, 20, A), mk(G1, 19, B), mk(G2, 21, B)
    for code in (1, 2):
        name, rule = NAME_OF[code], {1: "MERGE-003", 2: "MERGE-004"}[code]

        def orders(steps, comment, flags="Orders", decoys=None):
            for order in permutations(steps):
                events = sorted(s for s in set(steps) if s[0] == "e")
                found = {}
                for s in steps:
                    if s[0] == "m":
                        g, t, r = s.split(":")[1:]
                        found[g] = min(found.get(g, (int(t), r)), (int(t), r))
                held = [s for s in events if code == 2 or s.split(":")[4] not in found]
                view = sorted({s.split(":")[1] for s in events if s.split(":")[4] not in found})
                markers = [f"marker:{g}:{t}:{r}" for g, (t, r) in sorted(found.items())]
                number = "".join(str(steps.index(s) + 1) for s in order)
                a.log("log", code, order, held, markers, [bytes.fromhex(k) for k in view],
                      f"MERGE-001 MERGE-002 MERGE-005 {rule}", f"{name}: {comment}, order {number}", flags, decoys)

        orders([e1, m1, e2], "an event, its burial, another group", "Orders Resurrection")
        orders([e1, e3, m1], "two events of one key, one of them buried", "Orders Resurrection",
               {e1: "the buried event won the key"} if code == 1 else None)
        orders([m1, m1b, e1], "one group buried twice", "Orders Marker",
               {m1: "the greater stamp stayed (MERGE-002)"})
        orders([m1, m2], "two groups buried", "Orders Marker")


def log_more(a):
    for code in (1, 2):
        name = NAME_OF[code]
        R = "MERGE-001 MERGE-005 " + {1: "MERGE-003", 2: "MERGE-004"}[code]
        a.log("log", code, [], [], [], [], R, f"{name}: nothing", "Idempotent")
        parts = [ev(b"k", 10, A, G1, b""), ev(b"k", 10, A, G1, b"x"), ev(b"k", 10, A, G2, b""),
                 ev(b"k", 10, B, G1, b""), ev(b"k", 11, A, G1, b"")]
        a.log("log", code, parts[::-1], parts, [], [b"k"], R,
              f"{name}: five events of one key that differ in one part each; the view has the key once", "Conflict",
              {" ".join([b"k".hex()] * 5): "the view repeats the key"})
        m = mk(G1, 5, A)
        kept = [s for s in parts if code == 2 or s.split(":")[4] != G1.hex()]
        a.log("log", code, [*parts, m], kept, [m], [b"k"], R, f"{name}: a key of which some events are buried stays in the view",
              "Lost", {parts[0]: "one event only stays of a key"})
        e = ev(b"k1", 10, A, G1, b"one")
        a.log("log", code, [e, m, e, m, e], [] if code == 1 else [e], [m], [], R, f"{name}: repeated arrivals after a burial",
              "Idempotent Resurrection", {b"k1".hex(): "the buried event came back"})
        a.log("log", code, [ev(b"k1", 99, A, G1, b"later"), m], [] if code == 1 else [ev(b"k1", 99, A, G1, b"later")], [m], [], R,
              f"{name}: an event with a time above its marker's is buried all the same", "Resurrection",
              {b"k1".hex(): "burial was decided by time; it is a property of the group"})
        pre = [ev(b"k1", 10, A, b"g", b"x"), ev(b"k2", 10, A, b"gg", b"x"), ev(b"k3", 10, A, b"G", b"x")]
        mg = mk(b"g", 20, A)
        a.log("log", code, [*pre, mg], [s for s in pre if code == 2 or s != pre[0]], [mg], [b"k2", b"k3"], R + " CONV-002",
              f"{name}: a group is equal byte for byte: neither its prefixes nor its capitals are buried", "Lost",
              {b"k3".hex(): "groups that begin with it were buried too",
               b"k2".hex(): "the group in capitals was buried too (CONV-002)"})
        order = [ev(k, 10, A, G2, b"") for k in (b"a", b"a\0", b"aa", b"b", b"\x80")]
        a.log("log", code, [order[i] for i in (3, 1, 4, 0, 2)], order, [], [b"a", b"a\0", b"aa", b"b", b"\x80"], R + " CONV-002",
              f"{name}: the view ascends by bytes", "Orders")
        ms = [mk(g, 9 - n, A) for n, g in enumerate((b"A", b"a", b"a\0", b"b"))]
        a.log("log", code, ms[::-1], [], ms, [], R + " MERGE-002 CONV-002", f"{name}: markers ascend by group, not by time", "Marker")
        a.log("log", code, [mk(G1, 2**40, A), mk(G1, 2**33, B)], [], [mk(G1, 2**33, B)], [], R + " MERGE-002 MODEL-004",
              f"{name}: times compare as 64-bit numbers", "Marker", {mk(G1, 2**40, A): "the first marker stayed"})


# ---- lastWriter -------------------------------------------------------------------------------
# A write is (time, replica, body), its body None where it is a delete.

def greatest(order):
    return lambda states: max(states, key=lambda s: order(s[0], s[1], s[2] is None, s[2] or b""))


def turned(value):
    """Descends where the bytes ascend."""
    return [-n for n in value] + [1]


def field_by_field(states):
    bodies = [b for _, _, b in states]
    return max(s[0] for s in states), max(s[1] for s in states), None if None in bodies else max(bodies)


MISTAKES = (
    (lambda states: states[-1], "the last arrival won"),
    (lambda states: states[0], "what was here stayed"),
    (greatest(lambda t, r, deleted, b: (t, r, deleted, b)), "a greater replica beat the delete"),
    (greatest(lambda t, r, deleted, b: (t, not deleted, r, b)), "a value beat the delete"),
    (greatest(lambda t, r, deleted, b: (deleted, t, r, b)), "a delete won whatever its time"),
    (greatest(lambda t, r, deleted, b: (t, deleted, b, r)), "the body was compared before the replica"),
    (greatest(lambda t, r, deleted, b: (t, deleted, turned(r), b)), "the lesser replica won"),
    (greatest(lambda t, r, deleted, b: (t, deleted, r, turned(b))), "the lesser body won"),
    (greatest(lambda t, r, deleted, b: (r, t, deleted, b)), "the replica was compared before the time"),
    (greatest(lambda t, r, deleted, b: (-t, deleted, r, b)), "the lesser time won"),
    (field_by_field, "the fields were merged one by one"),
)
LAST_NAMES = ("none", "(t, r, deleted)", "(t, s, deleted)", "(t, r, a)", "(t, s, b)", "(u, any)")
AT_T = dict(zip(LAST_NAMES[1:5], ((T, A, None), (T, B, None), (T, A, b"a"), (T, B, b"b"))))
LAST_TABLE = """
none             none take take take take take
(t,_r,_deleted)  keep same take keep keep take
(t,_s,_deleted)  keep keep same keep keep take
(t,_r,_a)        keep take take same take take
(t,_s,_b)        keep take take keep same take
(u,_any)         keep keep keep keep keep order
"""


def last_table():
    """(here, arriving, word, mine, theirs, stays) of every cell, with a line for each write that `any` stands for.

    Two writes at u stand to each other as the same two do at t; that is what "by the order" says of them.
    """
    rows = [line.split() for line in LAST_TABLE.strip().splitlines()]
    cells = {(r[0].replace("_", " "), LAST_NAMES[i]): word for r in rows for i, word in enumerate(r[1:])}
    writes = {"none": {"none": None}, **{n: {n: w} for n, w in AT_T.items()},
              "(u, any)": {n: (U, *w[1:]) for n, w in AT_T.items()}}
    for here, arriving in product(LAST_NAMES, LAST_NAMES):
        for (n, mine), (m, theirs) in product(writes[here].items(), writes[arriving].items()):
            word = cells[here, arriving]
            word = cells[n, m] if word == "order" else word
            named = [x.replace("t", "u", 1) if which == "(u, any)" else x for x, which in ((n, here), (m, arriving))]
            yield *named, word, mine, theirs, {"take": theirs, "keep": mine, "same": mine, "none": None}[word]


def last_cells(a):
    """The cells of two states. Those where one of them is none: `last_nothing`, and selftest.py."""
    for here, arriving, word, mine, theirs, stays in last_table():
        assert word != "same" or mine == theirs
        if mine and theirs:
            a.last("lastcell", [mine, theirs], stays, f"here {here}, arriving {arriving}: {word}", "Cell")
    a.last("lastcell", [(T, A, b"a"), (T, A, b"b")], (T, A, b"b"), "here (t, r, a), arriving (t, r, b): take", "Cell Tie")
    a.last("lastcell", [(T, A, b"b"), (T, A, b"a")], (T, A, b"b"), "here (t, r, b), arriving (t, r, a): keep", "Cell Tie")


def last_nothing(a):
    """Where no row is held, what arrives is what is held: one state alone."""
    for here, arriving, word, mine, theirs, stays in last_table():
        if mine is None and theirs is not None:
            a.last("lastcell", [theirs], stays, f"here {here}, arriving {arriving}: {word}", "Cell")


def last_orders(a, group, states, expected, comment, flags, **more):
    for order in permutations(range(len(states))):
        a.last(group, [states[i] for i in order], expected, f"{comment} (order {''.join('abc'[i] for i in order)})", flags,
               **more)


def last_ties(a):
    def orders(states, expected, comment, flags="Tie Orders", **more):
        last_orders(a, "lasttie", states, expected, comment, flags, **more)

    t = at(3)
    put_a, put_c, gone = (t, A, b"a"), (t, C, b"c"), (t, B, None)
    orders([put_a, gone, put_c], gone, "B70 of a field report: put by A, delete by B, put by C, all at one time",
           "Tie Orders Resurrection")
    orders([put_a, gone], gone, "B70: the delete has the greater replica", "Tie Resurrection")
    orders([gone, put_c], gone, "B70: the put has the greater replica", "Tie Resurrection")
    orders([put_a, put_c], put_c, "B70: the two puts", "Tie")
    orders([(t, A, None), (t, B, b"b"), (t, C, b"c")], (t, A, None), "a delete by the least replica of three",
           "Tie Orders Resurrection")
    orders([(t, C, None), (t, B, b"b"), (t, A, b"a")], (t, C, None), "a delete by the greatest replica of three",
           "Tie Orders Resurrection")
    orders([(t, A, None), (t, B, b"b"), (t, C, None)], (t, C, None), "two deletes and a put between them",
           "Tie Orders Resurrection")
    orders([(t, A, None), (t, B, None), (t, C, b"c")], (t, B, None), "two deletes, and a put of the greatest replica",
           "Tie Orders Resurrection")
    orders([(t, A, None), (t, B, None), (t, C, None)], (t, C, None), "three deletes: the greatest replica stays")
    orders([(t, A, b"c"), (t, B, b"b"), (t, C, b"a")], (t, C, b"a"), "three puts whose bodies descend: the replica decides")
    orders([(t, A, b"a"), (t, B, b"c"), (t, C, b"b")], (t, C, b"b"), "three puts: neither least nor greatest body")
    orders([(t, B, b"x"), (t, B, b"y"), (t, B, b"z")], (t, B, b"z"), "a copied store: one stamp, three bodies")
    orders([(t, B, b"x"), (t, B, None), (t, B, b"y")], (t, B, None), "a copied store: one stamp, a delete among two puts",
           "Tie Orders Resurrection")
    orders([(t, A, b"z"), (t, B, b"x"), (t, B, b"y")], (t, B, b"y"), "one stamp twice, under a greater body of a lesser replica")
    orders([(t, A, b"same"), (t, B, b"same")], (t, B, b"same"), "two wrote the same at one time", "Tie")
    orders([(t, A, b"\xff"), (t, B, b"")], (t, B, b""), "an empty body of a greater replica", "Tie")


def last_more(a):
    def orders(states, expected, comment, flags, **more):
        last_orders(a, "lastjoin", states, expected, comment, flags, **more)

    for write, what in (((10, A, b"one"), "a value"), ((10, A, b""), "an empty value"), ((10, A, None), "a deleted row")):
        a.last("lastjoin", [write, write], write, f"{what}, twice", "Idempotent")
        a.last("lastjoin", [write] * 3, write, f"{what}, three times", "Idempotent")
    late = [(10, A, b"one"), (20, B, None)]
    orders(late, late[1], "a value, and its later delete", "Resurrection")
    orders([*late, (30, C, b"again")], (30, C, b"again"), "value, delete, revive", "Orders Lost")
    orders([(10, C, None), (20, B, b"b"), (15, A, b"a")], (20, B, b"b"), "a delete below two puts", "Orders Lost")
    orders([(10, C, b"z"), (20, B, b"m"), (30, A, b"a")], (30, A, b"a"),
           "times ascend, replicas and bodies descend: the time decides", "Orders")
    orders([(20, A, None), (20, B, b"b"), (21, A, b"a")], (21, A, b"a"), "a tie below a later put", "Orders Lost Tie")
    orders([(21, A, None), (20, B, b"b"), (20, C, b"c")], (21, A, None), "a tie below a later delete",
           "Orders Resurrection Tie")
    orders([(20, A, b""), (20, A, None)], (20, A, None), "an empty value is not a deleted row", "Tie")
    orders([(20, A, b""), (20, A, b"\0")], (20, A, b"\0"), "the empty body is the least", "Tie")
    R = "MERGE-020 CONV-002"
    orders([(20, A, b"ab"), (20, A, b"b")], (20, A, b"b"), "bodies compare as bytes, not by length", "Tie", req=R)
    orders([(20, A, b"\x7f"), (20, A, b"\x80")], (20, A, b"\x80"), "bodies compare as unsigned bytes", "Tie", req=R)
    orders([(20, A, b"a"), (20, A, b"aa")], (20, A, b"aa"), "a proper prefix is below", "Tie", req=R)
    low, high = b"\x7f" + A[1:], b"\x80" + bytes(15)
    orders([(20, low, b"x"), (20, high, b"x")], (20, high, b"x"), "replicas compare as unsigned bytes", "Tie", req=R)
    orders([(20, low, None), (20, high, None)], (20, high, None), "replicas compare as unsigned bytes, deleted", "Tie", req=R)
    near = A[:15] + b"\xff"
    orders([(20, A, b"x"), (20, near, b"x")], (20, near, b"x"), "replicas that differ in the last byte", "Tie", req=R)
    back = [bytes([1]) + bytes(14) + b"\x02", bytes([2]) + bytes(14) + b"\x01"]
    orders([(20, back[0], b"x"), (20, back[1], b"x")], (20, back[1], b"x"), "replicas compare from the front", "Tie", req=R)
    R = "MERGE-020 MODEL-004"
    orders([(2**63 - 1, A, b"end"), (1, HIGH, None)], (2**63 - 1, A, b"end"), "the ends of time", "Lost", req=R)
    orders([(2**63 - 1, A, None), (2**63 - 1, HIGH, b"end")], (2**63 - 1, A, None), "a tie at the end of time",
           "Tie Resurrection", req=R)
    orders([(2**40, A, b"x"), (2**39 + 1, B, b"y")], (2**40, A, b"x"), "times beyond 32 bits", "Lost", req=R)
    orders([(at(1, 1), A, b"x"), (at(1), B, None)], (at(1, 1), A, b"x"), "one millisecond, two counters: no tie", "Lost",
           req=R)
    orders([(255, B, b"x"), (256, A, b"y")], (256, A, b"y"), "times are no little-endian bytes", "Lost",
           req="MERGE-020 CONV-001")
    long = noise("long", 300)
    orders([(20, A, long), (20, A, long[:-1] + b"\0")], (20, A, max(long, long[:-1] + b"\0")),
           "bodies of 300 bytes that differ in the last", "Tie")
    a.last("lastjoin", [(20, A, long), (20, B, None)], (20, B, None), "a long body, and its deletion; the longest key",
           "Tie Resurrection", key=b"k" * 512)


def last_negatives(a):
    live = a.last("lastjoin", [(1000, A, b"body"), (1000, B, b"b"), (999, C, None)], (1000, B, b"b"), "made for edits", "Orders")
    dead = a.last("lastjoin", [(1000, A, None), (1000, B, b"b"), (999, C, None)], (1000, A, None), "made for edits", "Orders")
    time, replica, state = 4, 12, 28          # after bytes("key")
    assert bytes.fromhex(a.by_id[live]["in"]["a"]) == blob(b"key") + stamp(1000, A) + b"\1" + blob(b"body")

    def no(of, e, cls, req, comment="", field="a"):
        a.no("lastjoin", of, field, e, cls, f"LEAF-004 {req}", comment, "BadContent")

    for of, what in ((live, "a value"), (dead, "a deleted row")):
        no(of, edit(0, 4, "00"), "range", "PRIM-004 CONV-007", f"{what} with an empty key")
        no(of, edit(0, 4, blob(b"k" * 513)), "range", "PRIM-004 CONV-007", f"{what} with a key of 513 bytes")
        no(of, edit(0, 1, "8300"), "noncanonical", "PRIM-002", f"{what}, the length of its key in two bytes")
        no(of, edit(time, 8, bytes(8)), "range", "PRIM-006", f"{what} of time 0")
        no(of, edit(time, 8, time8(2**63)), "range", "PRIM-006", f"{what} of time 2^63")
        no(of, edit(replica, 16, NOBODY), "range", "PRIM-007 MODEL-002", f"{what} of the replica that is none")
        no(of, edit(state, 1, "02"), "range", "PRIM-008", f"no state, where {what} had one")
        no(of, edit(state, 1, "ff"), "range", "PRIM-008", f"no state, where {what} had one")
    size = len(a.by_id[live]["in"]["a"]) // 2
    for end in (0, 3, 4, 11, 27, 30, 32):
        no(live, edit(end, size - end), "truncated", "PRIM-001 PRIM-005", f"{end} of {size} bytes")
    no(dead, edit(state, 1), "truncated", "PRIM-005", "a deleted row without its state")
    no(dead, edit(state, 1, "01"), "truncated", "PRIM-001", "a value without a body")
    no(dead, edit(state + 1, 0, blob(b"body")), "trailing", "PRIM-011", "a deleted row that kept its body")
    no(dead, edit(state + 1, 0, "00"), "trailing", "PRIM-011", "a deleted row with a body of no bytes")
    no(live, edit(size, 0, "00"), "trailing", "PRIM-011", "a byte more")
    no(live, edit(state + 1, 1, uvarint(983_041)), "range", "PRIM-004 CONV-008", "a body over maxBody")
    no(live, edit(state + 1, 1, uvarint(983_040)), "truncated", "PRIM-005", "a body at maxBody that is not there")
    no(live, edit(state + 1, 1, "8400"), "noncanonical", "PRIM-002", "the length of the body in two bytes")
    no(live, edit(time, 8, bytes(8)), "range", "PRIM-006", "the second state is bad", "b")
    no(live, edit(state, 1, "02"), "range", "PRIM-008", "the third state is bad", "c")
