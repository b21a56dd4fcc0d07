"""Cases of merge.json about messages: the table of 07, ties, normal form in every order, and a contact's channel."""

from itertools import permutations

import channel
import merge
from build import edit
from cases_frame_messages import OP, own, theirs
from leaves import content_message, spell_message
from merge import EVERYONE, IN, LIVE, ME, OUT, Message, normal
from primitives import blob, time8, uvarint
from samples import FLEET, OTHER_FLEET, at, noise

KEY = own()
POST, GONE, POST_IN = (OUT, at(1), b"hello"), (OUT, at(1), b""), (IN, at(1), b"hello")
E1, E2 = (at(2), OP[0], b"hello you"), (at(3), OP[1], b"hello all")
P, E, R, M, X = Message(POST), Message(edit=E1), Message(delivered=1), Message(scope=ME), Message(scope=EVERYONE)
ARRIVING = {"p": P, "e": E, "r": R, "m": M, "x": X}


def fold(states, form=normal, base=None, edits=None, scope=max):
    """A merge with parts exchanged: what somebody might have written instead."""
    bases = [s.base for s in states if s.base]
    es = [s.edit for s in states if s.edit]
    return form(Message((base or max)(bases) if bases else None, (edits or max)(es) if es else None,
                        scope(s.scope for s in states), max(s.delivered for s in states)))


def bare(m):
    return m


def without(rule):
    """Normal form without one of its rules."""
    def form(m):
        n = normal(m)
        base, kept = n.base, n.edit
        if rule == "body" and m.base:
            base = m.base
        if rule == "edit":
            kept = m.edit
        return Message(base, kept, n.scope, m.delivered if rule == "delivered" else n.delivered)
    return form


def edit_gone_for_me(m):
    return normal(m if m.scope != ME else m._replace(edit=None))


def body_gone_for_me(m):
    n = normal(m)
    return n._replace(base=(*n.base[:2], b"")) if n.scope == ME and n.base else n


def all_kept_for_me(m):
    return m if m.scope == ME else normal(m)


MISTAKES = (
    (lambda s: s[-1], "the last arrival won"),
    (lambda s: s[0], "what was here stayed"),
    (lambda s: fold(s, bare), "the result was not put into normal form (MERGE-032)"),
    (lambda s: fold(s, without("body")), "the body of the base stayed (MERGE-032, 3)"),
    (lambda s: fold(s, without("edit")), "the edit stayed (MERGE-032, 2)"),
    (lambda s: fold(s, without("delivered")), "delivered stayed (MERGE-032, 1)"),
    (lambda s: fold(s, edit_gone_for_me), "deleting for me took the edit that has to be delivered"),
    (lambda s: fold(s, body_gone_for_me), "deleting for me took the body that has to be delivered"),
    (lambda s: fold(s, all_kept_for_me), "deleting for me takes nothing away"),
    (lambda s: fold(s, scope=lambda xs: list(xs)[-1]), "the last scope won"),
    (lambda s: fold(s, scope=min), "the lesser scope won: a delete was undone"),
    (lambda s: fold([x._replace(scope=LIVE) if x.edit else x for x in s]), "an edit brought the message back"),
    (lambda s: fold(s, edits=min), "the lesser edit won"),
    (lambda s: fold(s, edits=lambda es: es[-1]), "the last edit to arrive won"),
    (lambda s: fold(s, edits=lambda es: max(es, key=lambda e: (e[1], e[0], e[2]))), "the opID was compared before the time"),
    (lambda s: fold(s, edits=lambda es: max(es, key=lambda e: (e[0], e[2], e[1]))), "the body was compared before the opID"),
    (lambda s: fold(s, base=min), "the lesser base won"),
    (lambda s: fold(s, base=lambda bs: max(bs, key=lambda b: (-b[0], b[1], b[2]))), "outbound stands above inbound"),
    (lambda s: fold(s, base=lambda bs: max(bs, key=lambda b: (b[1], b[0], b[2]))), "postedAt was compared before the direction"),
)


class Messages:
    def __init__(self, area):
        self.area = area

    def ok(self, group, states, comment, flags, expected=None, key=KEY, req="MERGE-030 MERGE-031 MERGE-032 MERGE-033 MERGE-034 MERGE-035"):
        states = [normal(s) for s in states]
        merged = merge.merge_message(*states)
        assert expected is None or merged == expected, (comment, merged)
        right, found = content_message(key, merged), {}
        for rule, why in MISTAKES:
            wrong = rule(states)
            if wrong != merged:
                found.setdefault(spell_message(key, wrong), []).append(why)
        decoys = {content: "; or ".join(whys) for content, whys in found.items()}
        fields = {name: content_message(key, s) for name, s in zip("abc", states)}
        return self.area.ok(group, "merge.message", fields, req, comment, flags, decoys, {"merged": right.hex()})

    def orders(self, group, states, comment, flags, expected=None, **more):
        for order in permutations(range(len(states))):
            self.ok(group, [states[i] for i in order], f"{comment} (order {''.join('abc'[i] for i in order)})", flags, expected, **more)


def message_cells(a):
    """The rows of the table of 07 but for `nothing`."""
    put = Messages(a).ok
    here = {"p": P, "e": E, "p and e": Message(POST, E1), "m": M, "p and r": Message(POST, delivered=1), "m, p and r":
            Message(POST, None, ME, 1), "x": X}
    for name, mine in here.items():
        for arriving, theirs_ in ARRIVING.items():
            put("msgcell", [mine, theirs_], f"here {name}, arriving {arriving}", "Cell", key=own(b"cell"))
    for name, mine in (("p of a contact", Message(POST_IN)), ("p and e of a contact", Message(POST_IN, E1)),
                       ("m and p of a contact", Message(POST_IN, None, ME))):
        for arriving in "ermx":
            put("msgcell", [mine, ARRIVING[arriving]], f"here {name}, arriving {arriving}", "Cell", key=theirs(b"cell"))


def message_nothing(a):
    """The row `nothing`: what arrives where no row is held, alone."""
    for arriving, state in ARRIVING.items():
        Messages(a).ok("msgcell", [state], f"here nothing, arriving {arriving}", "Cell", state, key=own(b"cell"))


def message_orders(a):
    m = Messages(a)
    dead = Message(GONE, scope=EVERYONE)
    m.orders("msgorder", [P, X], "B56 of a field report: the recall without its message, then the message", "Resurrection Orders", dead)
    m.orders("msgorder", [Message(POST, E1), Message(edit=E2), X], "B64 of a field report: m with e1, e2 alone, the recall",
             "Resurrection Orders", dead)
    m.orders("msgorder", [dead, Message(edit=(at(9), OP[3], b"e3")), Message(POST, E2)],
             "B64: an edit written offline after the recall, and the message again", "Resurrection Orders", dead)
    m.orders("msgorder", [E, X], "an orphan edit and the recall", "Resurrection Orders", X)
    m.orders("msgorder", [E, X, P], "an orphan edit, the recall, the message", "Resurrection Orders", dead)
    m.orders("msgorder", [P, M, X], "both scopes", "Resurrection Orders", dead)
    m.orders("msgorder", [Message(POST_IN, E1), M, X], "both scopes, of a contact", "Resurrection Orders",
             Message((IN, at(1), b""), scope=EVERYONE), key=theirs())
    m.orders("msgorder", [P, R, M], "delivered, and deleted for me", "Resurrection Orders", Message(GONE, scope=ME, delivered=1))
    m.orders("msgorder", [Message(POST, E1), R, M], "edited, delivered, deleted for me", "Resurrection Orders",
             Message(GONE, scope=ME, delivered=1))
    m.orders("msgorder", [P, E, M], "edited and deleted for me: the edit is to be delivered", "Lost Orders", Message(GONE, E1, ME))
    m.orders("msgorder", [Message(POST_IN), E, M], "edited and deleted for me, of a contact", "Resurrection Orders",
             Message((IN, at(1), b""), scope=ME), key=theirs())
    m.orders("msgorder", [P, R, X], "delivered and recalled: no duty", "Orders", dead)
    m.orders("msgorder", [E, R, M], "an edit, a receipt and a delete for me before their message", "Resurrection Orders",
             Message(scope=ME, delivered=1))
    m.orders("msgjoin", [E, P, R], "a message behind its edit and its receipt", "Orders", Message(GONE, E1, LIVE, 1))
    m.orders("msgjoin", [P, Message(edit=E1), Message(edit=E2)], "two edits", "Orders", Message(GONE, E2))
    m.orders("msgjoin", [Message(POST_IN), R, P], "a fault made one key inbound and outbound", "Orders", Message(POST_IN))
    m.orders("msgjoin", [Message(POST_IN), R, Message((OUT, at(5), b"later"), None, ME)],
             "the same, deleted for me: inbound decides", "Orders", Message((IN, at(1), b""), scope=ME))
    m.orders("msgjoin", [Message(POST, E1), Message((OUT, at(5), b"later")), M], "the same key posted twice", "Orders",
             Message((OUT, at(5), b""), E1, ME))
    for state, what in ((P, "a post"), (E, "an orphan edit"), (R, "an orphan receipt"), (M, "an orphan delete for me"),
                        (dead, "a deleted message"), (Message(POST, E1, ME), "a hidden duty")):
        m.ok("msgjoin", [state] * 3, f"{what}, three times", "Idempotent", normal(state))


def message_ties(a):
    m = Messages(a)

    def edits(first, second, wins, comment, **more):
        m.orders("msgtie", [Message(edit=first), Message(edit=second)], comment, "Tie", Message(edit=wins), **more)

    low, high = b"\x7f" + OP[0][1:], b"\x80" + bytes(15)
    edits((20, high, b"z"), (21, low, b"a"), (21, low, b"a"), "the later edit, its opID and body the lesser")
    edits((20, low, b"z"), (20, high, b"a"), (20, high, b"a"), "one time: the greater opID, as unsigned bytes", req="MERGE-030 CONV-002")
    edits((20, low, b"ab"), (20, low, b"b"), (20, low, b"b"), "one op, two bodies: the greater, as bytes", req="MERGE-030 CONV-002")
    edits((20, low, b""), (20, low, b"\0"), (20, low, b"\0"), "the empty body is the least")
    edits((2**40, low, b"x"), (2**39, high, b"y"), (2**40, low, b"x"), "times beyond 32 bits", req="MERGE-030 MODEL-004")
    edits((255, low, b"x"), (256, low, b"y"), (256, low, b"y"), "times are no little-endian bytes", req="MERGE-030 CONV-001")
    edits((20, low[:15] + b"\1", b"x"), (20, low[:15] + b"\2", b"w"), (20, low[:15] + b"\2", b"w"), "opIDs that differ in the last byte")

    def bases(first, second, wins, comment, **more):
        m.orders("msgtie", [Message(first), Message(second)], comment, "Tie", Message(wins), **more)

    bases((OUT, 20, b"z"), (OUT, 21, b"a"), (OUT, 21, b"a"), "one key posted twice: the later stays")
    bases((OUT, 20, b"ab"), (OUT, 20, b"b"), (OUT, 20, b"b"), "one time, two bodies: the greater, as bytes", req="MERGE-030 CONV-002")
    bases((OUT, 21, b"z"), (IN, 20, b"a"), (IN, 20, b"a"), "inbound stands above outbound, whatever the times")
    m.orders("msgtie", [Message((OUT, 20, b"b")), Message((OUT, 20, b"")), Message(edit=(1, low, b"e"))],
             "an edit of an earlier time than its message is seen all the same", "Tie", Message((OUT, 20, b""), (1, low, b"e")))
    m.orders("msgtie", [Message((OUT, 20, b"x"), scope=ME, delivered=1), Message((OUT, 21, b"y"))],
             "a deleted message posted once more: the later time, and no body", "Resurrection", Message((OUT, 21, b""), scope=ME, delivered=1))
    long = noise("long", 300)
    bases((OUT, 20, long), (OUT, 20, long[:-1] + b"\0"), (OUT, 20, max(long, long[:-1] + b"\0")),
          "bodies of 300 bytes that differ in the last", key=FLEET + b"k" * 496)


def message_negatives(a):
    m = Messages(a)
    live = m.ok("msgjoin", [Message((OUT, 1000, b"")), Message(edit=(1000, OP[0], b"b")), M], "made for edits", "Orders")
    dead = m.ok("msgjoin", [Message((OUT, 1000, b""), scope=EVERYONE), Message(edit=(1000, OP[0], b"b")), X], "made for edits", "Orders")
    start = 1 + len(KEY)           # scope, delivered, hasBase, direction, time, body, hasEdit
    size = start + 14
    assert len(bytes.fromhex(a.by_id[live]["in"]["a"])) == size

    def no(of, e, cls, req, comment, flags="BadContent", field="a"):
        a.no("msgjoin", of, field, e, cls, f"LEAF-004 {req}", comment, flags)

    N = "LEAF-006 MERGE-032"
    no(dead, edit(start + 12, 1, blob(b"x")), "noncanonical", N, "deleted for everyone, with its body")
    change = (2000, OP[0], b"text")
    for state, what in ((Message(), "nothing at all"),
                        (Message((OUT, 1000, b""), scope=EVERYONE, delivered=1), "deleted for everyone and delivered"),
                        (Message(scope=EVERYONE, delivered=1), "deleted for everyone and delivered, before its message"),
                        (Message((OUT, 1000, b""), change, EVERYONE), "deleted for everyone, with an edit"),
                        (Message(None, change, EVERYONE), "deleted for everyone, an edit before its message"),
                        (Message((IN, 1000, b"x"), scope=ME), "deleted for me, inbound, with its body"),
                        (Message((IN, 1000, b""), change, ME), "deleted for me, inbound, with an edit"),
                        (Message((IN, 1000, b""), None, ME, 1), "deleted for me, inbound and delivered"),
                        (Message((OUT, 1000, b"x"), None, ME, 1), "deleted for me, delivered, with its body"),
                        (Message((OUT, 1000, b""), change, ME, 1), "deleted for me, delivered, with an edit"),
                        (Message((OUT, 1000, b"x"), change, ME), "deleted for me, with the replaced body under the edit"),
                        (Message(None, change, ME, 1), "deleted for me and delivered, an edit before its message"),
                        (Message((IN, 1000, b"x"), None, LIVE, 1), "inbound and delivered"),
                        (Message((IN, 1000, b""), change, LIVE, 1), "inbound, edited and delivered"),
                        (Message((OUT, 1000, b"x"), change), "the replaced body under the edit")):
        assert normal(state) != state or state == Message()
        no(live, edit(start, size - start, spell_message(KEY, state)[start:]), "noncanonical", N, what)
    no(live, edit(start, 1, "03"), "range", "PRIM-008", "no scope")
    no(live, edit(start + 1, 1, "02"), "range", "PRIM-008", "delivered is 0 or 1")
    no(live, edit(start + 2, 1, "02"), "range", "PRIM-008", "hasBase is 0 or 1")
    no(live, edit(start + 3, 1, "02"), "range", "PRIM-008", "no direction")
    no(live, edit(start + 13, 1, "02"), "range", "PRIM-008", "hasEdit is 0 or 1")
    no(live, edit(start + 4, 8, bytes(8)), "range", "PRIM-006", "time 0")
    no(live, edit(start + 4, 8, time8(2**63)), "range", "PRIM-006", "above 2^63 - 1")
    no(live, edit(0, start, blob(FLEET)), "range", "PRIM-004 CONV-007 LEAF-006", "an author and no message id")
    no(live, edit(0, start, blob(b"k" * 513)), "range", "PRIM-004 CONV-007", "a key of 513 bytes")
    no(live, edit(0, 1, bytes([len(KEY) | 0x80, 0])), "noncanonical", "PRIM-002", "the length of the key in two bytes")
    no(live, edit(start + 12, 1, uvarint(983_041)), "range", "PRIM-004 CONV-008", "a body over maxBody")
    no(live, edit(start + 12, 1, uvarint(983_040)), "truncated", "PRIM-005", "a body that is not there")
    no(live, edit(size, 0, "00"), "trailing", "PRIM-011", "a byte more")
    no(live, edit(size - 1, 1, "01"), "truncated", "PRIM-005", "an edit that is not there")
    for end in (0, start, start + 2, start + 8, size - 1):
        no(live, edit(end, size - end), "truncated", "PRIM-001 PRIM-005", f"{end} of {size} bytes")
    no(live, edit(start, 1, "02"), "noncanonical", N, "the second state is bad", field="b")
    no(live, edit(start + 1, 1, "02"), "range", "PRIM-008", "the third state is bad", field="c")


def channels(a):
    """What we accept from a contact, and what we tell it. We are FLEET, the contact is OTHER_FLEET."""
    third = noise("third fleet", 16) + b"m1"
    base = {"own": FLEET, "contact": OTHER_FLEET}

    def accept(key, m, comment, req="SYNC-032"):
        content = content_message(key, m)
        return a.ok("channel", "channel.accept", {**base, "content": content}, req, comment, "Channel", expect={"content": content.hex()})

    post = accept(theirs(), Message((IN, at(1), b"hi")), "a post")
    accept(theirs(), normal(Message((IN, at(1), b"hi"), E1)), "an edited post")
    change = accept(theirs(), Message(edit=E1), "an edit before its message")
    recall = accept(theirs(), Message((IN, at(1), b""), scope=EVERYONE), "a recall")
    accept(theirs(), Message(scope=EVERYONE), "a recall before its message")
    receipt = accept(own(), Message(delivered=1), "a receipt for a message of ours", "SYNC-033")

    def no(of, e, comment, req="SYNC-034", field="content"):
        a.no("channel", of, field, e, "unexpected", req, comment, "Channel")

    for of, what in ((post, "a post"), (change, "an edit"), (recall, "a recall")):
        no(of, edit(1, 16, FLEET), f"{what} of a message of ours")
        no(of, edit(1, 18, third), f"{what} of a message of a third fleet")
        no(of, edit(1, 16, OTHER_FLEET[:15] + b"\1"), f"{what}: an author that differs in the last byte")
        no(of, edit(0, 16, OTHER_FLEET[:15] + b"\1"), f"{what} from another contact", field="contact")
    no(receipt, edit(1, 16, OTHER_FLEET), "a receipt for a message of the contact's own")
    no(receipt, edit(1, 18, third), "a receipt for a message of a third fleet")
    start = 1 + len(own())
    no(receipt, edit(start, 1, "01"), "a receipt that deletes for us", "SYNC-034 SYNC-037")
    no(receipt, edit(start + 3, 1, b"\1" + time8(1) + OP[0] + b"\0"), "a receipt that edits our message")
    no(receipt, edit(start + 2, 1, b"\1\0" + time8(1) + b"\0"), "a receipt that posts in our name")
    no(receipt, edit(start, 2, "0200"), "a recall of our message, made of a receipt")
    no(post, edit(start + 3, 1, "00"), "outbound: the contact's message would be ours to deliver")
    no(recall, edit(start + 3, 1, "00"), "a recall, outbound")
    no(recall, edit(start, 1, "01"), "deleted for me: nothing that a contact decides", "SYNC-034 SYNC-037")
    no(change, edit(start, 1, "01"), "an edit, deleted for me", "SYNC-034 SYNC-037")
    no(change, edit(start + 1, 1, "01"), "an edit and delivered, of the contact's own message")
    a.no("channel", post, "content", edit(start, 1, "02"), "noncanonical", "LEAF-004 LEAF-006", "a recall that keeps the body", "Channel")

    def tell(key, m, comment, op=None):
        m = normal(m)
        assert channel.tell(FLEET, OTHER_FLEET, key, m) == op, comment
        wrong = {spell_message(key, m): "the row was sent as it is"}
        if op is None or op.scope != EVERYONE:
            wrong[spell_message(key, Message(m.base and (IN, *m.base[1:]), m.edit, m.scope))] = "the scope was sent"
        if op is None:
            wrong[spell_message(key, Message(m.base and (IN, *m.base[1:]), m.edit))] = "something was sent"
        else:
            wrong.pop(content_message(key, op), None)
        a.ok("channel", "channel.tell", {**base, "content": content_message(key, m)}, "SYNC-036 SYNC-037", comment, "Channel", wrong)

    as_in, gone_in = (IN, at(1), b"hello"), (IN, at(1), b"")
    tell(own(), P, "a post", Message(as_in))
    tell(own(), Message(POST, delivered=1), "a post that was delivered", Message(as_in))
    tell(own(), Message(POST, E1), "an edited post", Message(gone_in, E1))
    tell(own(), E, "an edit before its message", E)
    tell(own(), R, "a receipt of ours before its message: nothing to tell")
    tell(own(), Message(POST, None, EVERYONE), "a recall", Message(gone_in, scope=EVERYONE))
    tell(own(), X, "a recall before its message", X)
    tell(own(), Message(POST, None, ME), "deleted for me and to be delivered: told as if it were not deleted", Message(as_in))
    tell(own(), Message(POST, E1, ME), "deleted for me, edited, to be delivered", Message(gone_in, E1))
    tell(own(), Message(POST, None, ME, 1), "deleted for me after it was delivered: nothing")
    tell(own(), M, "deleted for me before its message: nothing")
    tell(own(), Message(None, E1, ME), "deleted for me, an edit waits: nothing")
    tell(theirs(), Message(POST_IN), "a post of the contact: the receipt", R)
    tell(theirs(), Message(POST_IN, E1), "an edited post of the contact: the receipt", R)
    tell(theirs(), Message(POST_IN, None, ME), "a post of the contact, deleted for me: the receipt, and no more", R)
    tell(theirs(), Message(POST_IN, None, EVERYONE), "a post that the contact recalled: the receipt", R)
    tell(theirs(), E, "an edit of the contact before its message: nothing")
    tell(theirs(), X, "a recall of the contact before its message: nothing")
    tell(theirs(), P, "a fault: outbound under the contact's name: nothing")
    tell(own(), Message(POST_IN), "a fault: inbound under our name: nothing")
    tell(third, Message(POST_IN), "a message of a third fleet: nothing")
    tell(third, X, "a recalled message of a third fleet: nothing")
