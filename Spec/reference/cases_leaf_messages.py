"""Cases of leaf.json about messages: contents in normal form, their leaves and their set."""

import leaves
from build import edit
from cases_frame_messages import OP, own, theirs
from leaves import spell_message
from merge import EVERYONE, IN, LIVE, ME, OUT, Message, normal
from primitives import blob, time8, u8
from samples import DIGEST_KEY, FLEET, NOBODY, at, noise

CHAT = b"chat"
FIXED = "the field is a number in decimal, which no edit of bytes can turn into the other one"


def message_fields(namespace, key, m):
    fields = {"digestKey": DIGEST_KEY, "namespace": namespace, "key": key, "scope": m.scope, "delivered": m.delivered,
              "hasBase": int(m.base is not None)}
    if m.base:
        fields.update(zip(("direction", "postedAt", "body"), m.base))
    fields["hasEdit"] = int(m.edit is not None)
    if m.edit:
        fields.update(zip(("editedAt", "opID", "editBody"), m.edit))
    return fields


class Messages:
    def __init__(self, area, mistakes, leaf_of):
        self.area, self.mistakes, self.leaf_of = area, mistakes, leaf_of

    def ok(self, key, m, comment="", flags="Content", req="LEAF-001 LEAF-002 LEAF-003 LEAF-006 DIG-001 MERGE-030 MERGE-033",
           namespace=CHAT, before=None, more=None):
        """`before` is the state that normal form was made of: hashing any of what it took away is a mistake."""
        def leaf_of(content, row_type=5):
            return self.leaf_of(row_type, content, namespace)
        content, wrong = leaves.content_message(key, m), dict(self.mistakes(5, leaves.content_message(key, m), namespace))
        head, at_, bodies = blob(key), u8(m.scope), spell_message(key, m)[len(blob(key)) + 2:]
        wrong.update({
            leaf_of(head + u8(m.delivered) + at_ + bodies): "delivered stands before the scope (LEAF-002)",
            leaf_of(head + at_ + bodies): "delivered is missing (LEAF-002)",
            leaf_of(head + u8(m.delivered) + bodies): "the scope is missing (LEAF-002)",
            leaf_of(blob(key[:16]) + blob(key[16:]) + at_ + u8(m.delivered) + bodies): "author and message id have a length each",
            leaf_of(blob(key[16:]) + at_ + u8(m.delivered) + bodies): "the author is missing from the key (07)",
            leaf_of(content, 4): "the row was hashed as a last-writer row"})
        if m.base:
            d, t, b = m.base
            wrong.update({
                leaf_of(spell_message(key, m._replace(base=(1 - d, t, b)))): "the directions change places (LEAF-002)",
                leaf_of(content.replace(time8(t), t.to_bytes(8, "little"))): "the times are little-endian (CONV-001)"})
        if m.scope and m.base:
            wrong[leaf_of(spell_message(key, m._replace(base=None)))] = "the deleted message lost its direction and time"
        if m.edit:
            wrong[leaf_of(spell_message(key, m._replace(edit=(m.edit[0], bytes(16), m.edit[2]))))] = "the edit lost its opID"
        if before is not None and before != m:
            assert normal(before) == m
            for part, what in (("base", "the body of its base"), ("edit", "an edit"), ("delivered", "delivered")):
                kept = m._replace(**{part: getattr(before, part)})
                wrong[leaf_of(spell_message(key, kept))] = f"{what} was not taken away (MERGE-032)"
            wrong[leaf_of(spell_message(key, before))] = "the state was not put into normal form (MERGE-032)"
        wrong.pop(leaf_of(content), None)
        return self.area.ok("message", "leaf.message", message_fields(namespace, key, m), req, comment, flags, {**wrong, **(more or {})})


def message_leaves(a, mistakes, leaf_of):
    put = Messages(a, mistakes, leaf_of).ok
    for size in (0, 1, 28, 29, 30, 31, 127, 128, 200, 5000):
        put(FLEET + noise("uuid", 16), Message((OUT, at(1), noise(f"post {size}", size))), f"a post of {size} bytes", "BlockSize",
            "LEAF-001 LEAF-002 LEAF-003 MODEL-012")
    put(own(), Message((OUT, at(1), b"hello"), delivered=1), "a post that was delivered")
    put(theirs(), Message((IN, at(1), b"hello")), "a post of a contact")
    put(FLEET + b"k", Message((OUT, 1, b"")), "the smallest live message", "Boundary")
    put(FLEET + b"k" * 496, Message((IN, 2**63 - 1, b"x"), scope=LIVE), "the longest key, the greatest time", "Boundary")
    put(NOBODY + b"k", Message(scope=EVERYONE), "the smallest tombstone, of an author of zeros", "Boundary")
    put(own(), Message((OUT, at(1), b"x")), "a name at maxName", "Boundary", namespace=b"n" * 64)
    base, e1, e2 = (OUT, at(1), b"hello"), (at(2), OP[0], b"hello you"), (at(3), OP[1], b"hello all")
    R = "LEAF-002 LEAF-006 MERGE-032 MERGE-033"
    edited = Message(base, e1)
    put(own(), normal(edited), "an edited post: the replaced body is not hashed", "Content", R, before=edited)
    put(own(), normal(edited._replace(delivered=1)), "an edited post that was delivered", "Content", R,
        before=edited._replace(delivered=1))
    put(theirs(), normal(Message((IN, at(1), b"hello"), e2, delivered=1)), "an edited post of a contact: delivered says nothing", "Content",
        R, before=Message((IN, at(1), b"hello"), e2, delivered=1))
    put(own(), Message(edit=e1), "an edit before its message is live", "Content", R)
    put(own(), Message(edit=e1, delivered=1), "an edit and a receipt before their message", "Content", R)
    put(own(), Message(delivered=1), "a receipt before its message is live", "Content", R)
    put(own(), Message(base, scope=ME), "deleted for me, to be delivered: live, with its body", "Content", R, more={
        leaf_of(5, spell_message(own(), Message((OUT, at(1), b""), scope=ME)), CHAT): "the body that has to be delivered is gone"})
    hidden = Message(base, e1, ME)
    put(own(), normal(hidden), "deleted for me, edited, to be delivered: live, with its edit", "Content", R, before=hidden, more={
        leaf_of(5, spell_message(own(), Message(base, scope=ME)), CHAT): "the edit that has to be delivered gave way to the base"})
    put(own(), Message(edit=e1, scope=ME), "deleted for me, an edit that waits: live", "Content", R)
    R += " LEAF-007"
    ways = (("posted", Message(base)), ("posted and edited", Message(base, e1)), ("edited twice", Message(base, e2)),
            ("delivered", Message(base, delivered=1)), ("edited and delivered", Message(base, e1, LIVE, 1)),
            ("deleted for me", Message(base, scope=ME)), ("edited, deleted for me, delivered", Message(base, e2, ME, 1)))
    decoys = {leaf_of(5, spell_message(own(), m._replace(scope=EVERYONE)), CHAT): f"{how}, then deleted: something of it was kept (MERGE-032)"
              for how, m in ways}
    put(own(), Message((OUT, at(1), b""), scope=EVERYONE), "deleted for everyone: one leaf, however it came about", "Content", R, more=decoys)
    put(theirs(), Message((IN, at(1), b""), scope=EVERYONE), "deleted for everyone by the contact", "Content", R,
        before=Message((IN, at(1), b"hello"), e1, EVERYONE, 1))
    put(theirs(), Message(scope=EVERYONE), "deleted for everyone before its message", "Content", R,
        before=Message(None, e1, EVERYONE, 1))
    put(own(), Message((OUT, at(1), b""), scope=ME, delivered=1), "deleted for me after it was delivered", "Content", R,
        before=Message(base, e1, ME, 1))
    put(theirs(), Message((IN, at(1), b""), scope=ME), "deleted for me, of a contact", "Content", R,
        before=Message((IN, at(1), b"hello"), e1, ME, 1))
    put(theirs(), Message(scope=ME), "deleted for me before its message", "Content", R)
    put(own(), Message(scope=ME, delivered=1), "deleted for me and delivered before its message", "Content", R,
        before=Message(None, e1, ME, 1))


def message_negatives(a, mistakes, leaf_of):
    put = Messages(a, mistakes, leaf_of).ok
    live = put(own(b"neg"), Message((OUT, 1000, b"")), "made for edits")
    edited = put(own(b"neg"), Message((OUT, 1000, b""), (2000, OP[0], b"text")), "made for edits")
    dead = put(own(b"neg"), Message((OUT, 1000, b""), scope=EVERYONE), "made for edits")
    mine = put(theirs(b"neg"), Message((IN, 1000, b""), scope=ME), "made for edits")
    sent = put(own(b"neg"), Message((OUT, 1000, b""), scope=ME, delivered=1), "made for edits")

    def no(of, field, e, cls, req, comment, flags="Limit"):
        a.no("message", of, field, e, cls, f"LEAF-004 {req}", comment, flags)

    for of, what in ((edited, "edited"), (dead, "deleted for everyone"), (mine, "deleted for me"), (sent, "deleted for me, delivered")):
        no(of, "body", edit(0, 0, b"x"), "noncanonical", "LEAF-006 MERGE-032", f"{what}: the base keeps its body", "NotNormal")
    for of in (live, dead):
        for e, why in ((edit(0, 19), "an empty key"), (edit(16, 3), "an author and no message id"), (edit(1, 18), "a key of one byte"),
                       (edit(19, 0, b"k" * 494), "a key of 513 bytes")):
            no(of, "key", e, "range", "LEAF-006 PRIM-004 CONV-007", why)
        no(of, "namespace", edit(0, 4), "range", "PRIM-004 CONV-007", "an empty name")
        no(of, "namespace", edit(0, 4, b"n" * 65), "range", "PRIM-004 CONV-007", "a name of 65 bytes")
    no(edited, "opID", edit(15, 1), "range", "PRIM-004", "an opID of 15 bytes")
    no(edited, "opID", edit(16, 0, "00"), "range", "PRIM-004", "an opID of 17 bytes")
    good = Message((OUT, 1000, b"x"), (2000, OP[0], b"y"))

    def twinless(cls, req, comment, flags, key=own(b"neg"), m=normal(good), **change):
        a.twinless("message", "leaf.message", {**message_fields(CHAT, key, m), **change}, cls, f"LEAF-004 {req}", FIXED, comment, flags)

    for field in ("postedAt", "editedAt"):
        for time in (0, 2**63):
            twinless("range", "PRIM-006", f"{field} {time}", "TimeRange", **{field: time})
    for field, value in (("scope", 3), ("delivered", 2), ("hasBase", 2), ("direction", 2), ("hasEdit", 2)):
        twinless("range", "PRIM-008", f"{field} {value}", "Choice", **{field: value})
    twinless("noncanonical", "LEAF-006", "nothing at all", "NotNormal", m=Message())
