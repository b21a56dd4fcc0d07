"""merge.json: every cell of the tables of 07, the counterexample in its six orders, and merges of three."""

from itertools import permutations, product

import leaves
from build import Area, edit
from leaves import content_causal
from primitives import blob, listed, time8, uvarint
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
    "Unsorted": {"why": "entries that do not ascend", "bugType": "CANONICAL", "effect": "a second spelling is taken"},
    "BadContent": {"why": "a content that is none", "bugType": "VALIDATION", "effect": "a bad state spreads"},
}


def make():
    a = Merges("merge", "merge", "merges of causal rows and of log namespaces", FLAGS)
    causal_cells(a), counterexample(a), causal_more(a), causal_negatives(a)
    log_cells(a), log_orders(a), log_more(a)
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
