"""digest.json: fingerprints, roots, schemas, summaries and splits of 04 and 01."""

from functools import reduce

import digest
import leaves
from build import Area, edit
from leaves import keyed, plain
from primitives import blob, time8, u8, uvarint, vector
from samples import A, B, C, DIGEST_KEY, EPOCH0, EPOCH1, HIGH, NOBODY, at, noise

FLAGS = {
    "Sum": {"why": "the sum of leaves", "bugType": "ARITHMETIC", "effect": "equal sets, unequal fingerprints"},
    "Overflow": {"why": "a sum that exceeds 256 bits", "bugType": "ARITHMETIC",
                 "effect": "equal sets, unequal fingerprints, and only sometimes"},
    "Cancel": {"why": "equal leaves under exclusive-or", "bugType": "CRYPTO",
               "effect": "a set that differs has the same fingerprint"},
    "Range": {"why": "half-open ranges", "bugType": "OFF_BY_ONE", "effect": "a row is counted twice or never"},
    "Sets": {"why": "the live set and the tombstone set", "bugType": "DOMAIN",
             "effect": "one set passes for the other"},
    "Unsorted": {"why": "namespaces given in another order", "bugType": "CANONICAL",
                 "effect": "the order of declaration shows in the hash"},
    "Split": {"why": "the bounds between the parts of a range", "bugType": "OFF_BY_ONE",
              "effect": "a row falls between two ranges"},
    "Limit": {"why": "a name or a count over its limit", "bugType": "VALIDATION", "effect": "a schema that no frame can carry"},
    "Vector": {"why": "a knowledge that is no vector", "bugType": "CANONICAL", "effect": "one knowledge, two summaries"},
}
NAME = b"notes"
BASE = {"digestKey": DIGEST_KEY, "namespace": NAME}
NS = leaves.namespace_key(DIGEST_KEY, NAME)
BIG = b"\xff" * 32


def make():
    a = Area("digest", "digest", "fingerprints, roots, schemas, summaries, splits", FLAGS)
    for part in (fingerprints, splits, roots, schemas, summaries):
        part(a)
    return a


def spelled(items):
    return " ".join(f"{k.hex()}:{h.hex()}" for k, h in items)


def fp(ns, which, count, total):
    return plain(ns + u8(0x10 + which) + count + total)


def fingerprint_mistakes(found, which, ns=NS):
    """Fingerprints of the right rows made in a wrong way."""
    n, right = len(found), digest.total(found)
    count = n.to_bytes(8, "big")
    xor = reduce(lambda x, h: bytes(p ^ q for p, q in zip(x, h)), found, bytes(32))
    little = (sum(int.from_bytes(h, "little") for h in found) % 2**256).to_bytes(32, "little")
    clamped = min(sum(int.from_bytes(h, "big") for h in found), 2**256 - 1).to_bytes(32, "big")
    other = (sum(int.from_bytes(h, "big") for h in found) % (2**256 - 1)).to_bytes(32, "big")
    each = (sum(int.from_bytes(h, "big") for h in sorted(set(found))) % 2**256).to_bytes(32, "big")
    wrong = [
        (fp(ns, which, count, xor), "exclusive-or instead of addition (DIG-002)"),
        (fp(ns, which, count, little), "leaves were read as little-endian numbers (DIG-002)"),
        (fp(ns, which, count, clamped), "the sum stops at its greatest value (DIG-002)"),
        (fp(ns, which, count, other), "the sum is modulo 2^256 - 1 (DIG-002)"),
        (fp(ns, which, count, each), "equal leaves were added once (DIG-002)"),
        (fp(ns, which, count, plain(b"".join(found))), "leaves were chained instead of added (DIG-002)"),
        (fp(ns, which, n.to_bytes(8, "little"), right), "the count is little-endian (CONV-001)"),
        (fp(ns, which, uvarint(n), right), "the count is a uvarint (DIG-003)"),
        (fp(ns, which, b"", right), "the count is missing (DIG-003)"),
        (fp(ns, 1 - which, count, right), "the other set's number (DIG-003)"),
        (plain(ns + u8(which) + count + right), "the set without 0x10 (DIG-003)"),
        (keyed(ns, u8(0x10 + which) + count + right), "keyed mode instead of a prefix (DIG-003)"),
    ]
    correct = fp(ns, which, count, right)
    out = {}
    for value, diagnosis in wrong:
        if value != correct:
            out.setdefault(value, diagnosis)
    return out


def fingerprints(a):
    def ok(items, low=b"", high=b"", which=0, comment="", flags="Sum", req="DIG-002 DIG-003 DIG-005", more=()):
        found = [h for _, h in digest.within(items, low, high)]
        wrong = fingerprint_mistakes(found, which)
        for rows, diagnosis in more:
            value = digest.fingerprint(NS, which, [h for _, h in rows])
            if value != digest.fingerprint(NS, which, found):
                wrong.setdefault(value, diagnosis)
        return a.ok("fingerprint", "fingerprint", {**BASE, "set": which, "items": spelled(items), "lo": low, "hi": high},
                    req, comment, flags, wrong)

    def rows(n, label="fp"):
        return sorted((noise(f"{label} key {i}", 16), noise(f"{label} leaf {i}", 32)) for i in range(n))

    ok([], comment="nothing: a zero sum is hashed, it is not the fingerprint", req="DIG-002 DIG-003 DIG-001")
    ok([], which=1, comment="no tombstones", flags="Sets", req="DIG-002 DIG-003 DIG-001")
    content = leaves.content_causal(b"k", [(A, at(1), b"v")])
    ok([(b"k", leaves.leaf(NS, 3, content))], comment="one live row", req="DIG-001 DIG-002 DIG-003 DIG-005")
    content = leaves.content_causal(b"k", [(A, at(1), None)])
    ok([(b"k", leaves.leaf(NS, 3, content))], which=1, comment="one tombstone", flags="Sets",
       req="DIG-001 DIG-002 DIG-003 DIG-005")
    content = leaves.content_marker(b"g", at(1), A)
    ok([(b"g", leaves.leaf(NS, 2, content))], which=1, comment="one marker, by its group", flags="Sets",
       req="DIG-001 DIG-002 DIG-003 DIG-005")
    ok(rows(2), comment="two")
    ok(rows(17), comment="seventeen")
    ok(rows(17), which=1, comment="the same as tombstones", flags="Sets")
    ok(rows(300, "many"), comment="three hundred: a count of two bytes")
    ok([(b"a", BIG), (b"b", BIG[:31] + b"\x02")], comment="wraps around to 1", flags="Overflow")
    ok([(b"a", BIG), (b"b", NOBODY + NOBODY[:15] + b"\x01")], comment="wraps around to zero: two rows, not none",
       flags="Overflow")
    ok([(bytes([n]), BIG) for n in range(1, 6)], comment="five of the greatest leaf", flags="Overflow")
    ok([(b"a", b"\x80" + bytes(31)), (b"b", b"\x80" + bytes(31))], comment="twice 2^255", flags="Overflow Cancel")
    ok([(b"a", bytes(31) + b"\xff"), (b"b", bytes(31) + b"\x01")], comment="a carry into the next byte")
    ok([(b"a", bytes(16) + b"\xff" * 16), (b"b", bytes(31) + b"\x01")], comment="a carry through sixteen bytes")
    same = noise("equal", 32)
    ok([(b"a", same), (b"b", same)], comment="two equal leaves do not cancel", flags="Cancel")
    ok([(b"a", same), (b"b", same), (b"c", same)], comment="three equal leaves are not one", flags="Cancel")
    ok([(b"a", bytes(32))], comment="a leaf of zeros is counted", flags="Cancel")
    letters = [(bytes([c]), noise(f"letter {c}", 32)) for c in b"abcdef"]
    R = "DIG-002 DIG-003 CONV-002"

    def between(low, high):
        return [(k, h) for k, h in letters if low <= k <= high]

    ok(letters, b"b", b"e", comment="the lower bound is in, the upper is not", flags="Range", req=R,
       more=[(between(b"b", b"e"), "the upper bound is in the range"),
             (between(b"b\0", b"e")[:-1], "the lower bound is not in the range")])
    ok(letters, b"", b"c", comment="from the beginning", flags="Range", req=R,
       more=[(between(b"", b"c"), "the upper bound is in the range")])
    ok(letters, b"d", b"", comment="to the end", flags="Range", req=R,
       more=[(between(b"d\0", b"z"), "the lower bound is not in the range"), ([], "an empty bound is below every key")])
    ok(letters, b"b\0", b"b\1", comment="between two keys: nothing", flags="Range", req=R)
    ok(letters, b"c", b"c\0", comment="one key alone", flags="Range", req=R)
    ok(letters, b"c", b"c", comment="an empty range", flags="Range", req=R)
    prefix = [(b"a", noise("p1", 32)), (b"a\0", noise("p2", 32)), (b"aa", noise("p3", 32)), (b"\xff", noise("p4", 32)),
              (b"\xff\xff", noise("p5", 32))]
    ok(prefix, b"a\0", b"\xff\xff", comment="a proper prefix comes first", flags="Range", req=R)
    ok(prefix, b"b", b"", comment="bytes are unsigned", flags="Range", req=R,
       more=[(prefix[:3], "keys were compared as signed bytes"), ([], "keys were compared as signed bytes")])
    writes = [(b"desk", at(1), A, b"one"), (b"lost", at(3), B, None), (b"phone", at(2), A, b"two"), (b"sold", at(4), C, None)]
    sets = [[(w[0], leaves.leaf(NS, 4, leaves.content_last_writer(*w))) for w in writes
             if leaves.last_writer_set(w[3]) == which] for which in (0, 1)]
    for which, what in ((0, "last-writer rows with a value"), (1, "deleted last-writer rows")):
        ok(sets[which], which=which, comment=what, flags="Sets", req="DIG-001 DIG-002 DIG-003 DIG-005 MERGE-021",
           more=[(sorted(sets[0] + sets[1]), "both sets were added up (DIG-001)"),
                 (sets[1 - which], "the sets change places (DIG-001)")])


def splits(a):
    def ok(items, low=b"", high=b"", which=0, comment="", req="DIG-009 DIG-004", more=None):
        entries = digest.split(NS, which, items, low, high)
        rows = digest.within(items, low, high)
        wrong = dict(more or {})
        if len(entries) > 1:
            def with_bounds(bound, cut=lambda i, n: i * n // 16):
                out, n = [], len(rows)
                for i in range(16):
                    f, t = cut(i, n), cut(i + 1, n)
                    hi = high if i == 15 else bound(rows[t - 1][0], rows[t][0])
                    out.append({"hi": hi, "mode": "fingerprint",
                                "fingerprint": digest.fingerprint(NS, which, [h for _, h in rows[f:t]])[:16]})
                return digest.describe(out)
            wrong[with_bounds(lambda p, k: k)] = "the bound is the whole first key, not its shortest prefix"
            wrong[with_bounds(lambda p, k: p + b"\0")] = "the bound is made of the last key of the part before"
            wrong[with_bounds(digest.bound, lambda i, n: -(-i * n // 16))] = "the index is rounded up"
            size = -(-len(rows) // 16)
            if 15 * size < len(rows):
                wrong[with_bounds(digest.bound, lambda i, n: min(i * size, n))] = "parts of equal size, the rest in the last"
            wrong[digest.describe([{"hi": high, "mode": "items",
                                    "items": [{"key": k, "tag": h[:16]} for k, h in rows]}])] = \
                "items although more than 16 rows are held"
            wrong.pop(digest.describe(entries), None)
        elif rows:
            wrong[digest.describe([{"hi": high, "mode": "items", "items": [
                {"key": k, "tag": h[16:]} for k, h in rows]}])] = "the last 16 bytes of the leaf stand for it (03)"
            wrong[digest.describe([{"hi": high, "mode": "fingerprint", "fingerprint": digest.fingerprint(
                NS, which, [h for _, h in rows])[:16]}])] = "a fingerprint although at most 16 rows are held"
        else:
            wrong[digest.describe([{"hi": high, "mode": "skip"}])] = "a range without rows is described, not skipped"
        return a.ok("split", "split", {**BASE, "set": which, "items": spelled(items), "lo": low, "hi": high}, req,
                    comment, "Split", wrong)

    def random(n):
        return sorted((noise(f"split key {n} {i}", 16), noise(f"split leaf {n} {i}", 32)) for i in range(n))

    def shared(n):
        return sorted((b"folder/notes/" + f"{i:03d}".encode(), noise(f"shared {n} {i}", 32)) for i in range(n))

    for n in (0, 1, 2, 15, 16, 17, 18, 31, 32, 33, 100, 255, 256):
        ok(random(n), comment=f"{n} random keys")
    for n in (1, 16, 17, 100):
        ok(shared(n), comment=f"{n} keys with a common prefix")
    ok(random(17), which=1, comment="17 tombstones")
    chain = [(b"k" * (n + 1), noise(f"chain {n}", 32)) for n in range(20)]
    ok(chain, comment="each key is a prefix of the next: bounds are whole keys")
    zeros = [(b"k" + bytes(n), noise(f"zeros {n}", 32)) for n in range(20)]
    ok(zeros, comment="keys that differ by zero bytes at their end")
    high = [(b"\xff" * (n + 1), noise(f"high {n}", 32)) for n in range(18)]
    ok(high, comment="keys of ff")
    mixed = sorted({(b"a", noise("m", 32)), *(((b"a" + noise(f"mixed {n}", n % 5 + 1)), noise(f"mixed leaf {n}", 32))
                                              for n in range(40))})
    ok(mixed, comment="keys of several lengths")
    letters = [(bytes([97 + n]), noise(f"letters {n}", 32)) for n in range(26)]
    ok(letters, comment="keys of one byte")
    ok(letters, b"c", b"f", comment="a range with few rows: its upper bound stays")
    ok(letters, b"", b"s", comment="a range with 18 rows: its upper bound is the last one's")
    ok(letters, b"d", b"", comment="23 rows up to the end; the lower bound is not part of the entries")
    ok(letters, b"bb", b"bc", comment="a range without rows")


def roots(a):
    def ok(live, dead, comment="", namespace=NAME, digest_key=DIGEST_KEY):
        ns = leaves.namespace_key(digest_key, namespace)
        right = digest.root(ns, live, dead)
        wrong = {plain(ns + u8(0x20) + dead + live): "the two fingerprints change places (DIG-006)",
                 plain(ns + live + dead): "the byte 20 is missing (DIG-006)",
                 plain(ns + b"\x32" + live + dead): "the byte is hexadecimal 20 (DIG-006)",
                 plain(ns + u8(0x20) + live[:16] + dead[:16]): "the fingerprints were cut to 16 bytes (DIG-006)",
                 plain(ns + u8(0x20) + blob(live) + blob(dead)): "the fingerprints have lengths (DIG-006)",
                 keyed(ns, u8(0x20) + live + dead): "keyed mode instead of a prefix (DIG-006)",
                 plain(u8(0x20) + live + dead): "the namespace key is missing (DIG-006)"}
        wrong.pop(right, None)
        a.ok("root", "root", {"digestKey": digest_key, "namespace": namespace, "live": live, "tombstones": dead},
             "DIG-006 DIG-007", comment, "Sets", wrong)

    empty = [digest.fingerprint(NS, which, []) for which in (0, 1)]
    ok(*empty, "an empty namespace")
    ok(noise("live", 32), noise("dead", 32), "any two")
    ok(noise("dead", 32), noise("live", 32), "the same two, exchanged: another root")
    ok(noise("live", 32), empty[1], "no tombstones")
    ok(noise("live", 32), noise("live", 32), "twice the same")
    ok(noise("live", 32), noise("dead", 32), "another namespace", b"n" * 64)
    ok(noise("live", 32), noise("dead", 32), "another digest key", NAME, noise("digest key", 32))


def schemas(a):
    def ok(pairs, comment="", flags="", digest_key=DIGEST_KEY, req="MODEL-013 MODEL-011"):
        fields = {"digestKey": digest_key, "count": len(pairs)}
        for n, (name, code) in enumerate(pairs):
            fields.update({f"{n}.name": name, f"{n}.code": code})
        right = digest.schema(digest_key, pairs)

        def made(ps, text=b"cenotaph/1 schema", head=uvarint(len(pairs)), each=lambda n, c: blob(n) + u8(c)):
            return keyed(digest_key, text + head + b"".join(each(n, c) for n, c in ps))
        s = sorted(pairs)
        wrong = {made(pairs): "entries stand in the order given, not by name (MODEL-013)",
                 made(sorted(pairs, key=lambda p: (len(p[0]), p[0]))): "shorter names stand first (CONV-002)",
                 made(sorted(pairs, key=lambda p: p[1])): "entries are ordered by policy (MODEL-013)",
                 made(sorted(pairs, key=lambda p: (p[0].lower(), p[0]))): "capitals were folded (CONV-002)",
                 made(s, head=b""): "the count is missing (MODEL-013)",
                 made(s, each=lambda n, c: n + u8(c)): "the names lack their lengths (MODEL-013)",
                 made(s, each=lambda n, c: u8(c) + blob(n)): "the code stands before the name (MODEL-013)",
                 made(s, each=lambda n, c: blob(n)): "the codes are missing (MODEL-013)",
                 plain(digest_key + b"cenotaph/1 schema" + uvarint(len(s)) + b"".join(blob(n) + u8(c) for n, c in s)):
                     "a prefix instead of keyed mode (MODEL-013)"}
        wrong.pop(right, None)
        return a.ok("schema", "schema", fields, req, comment, flags, wrong)

    for code in (1, 2, 3):
        ok([(NAME, code)], f"one namespace, code {code}")
    two = ok([(b"log", 1), (b"notes", 3)], "two, ascending")
    ok([(b"notes", 3), (b"log", 1)], "the same two, descending: the same fingerprint", "Unsorted")
    ok([(b"log", 2), (b"notes", 3)], "another policy of one")
    ok([(b"b", 1), (b"aa", 3), (b"a", 2), (b"B", 3)], "a prefix first, capitals before small letters", "Unsorted")
    ok([(b"\xff", 1), (b"\x7f", 2), (b"\x80", 3)], "names that are not ASCII, by unsigned bytes", "Unsorted")
    long = ok([(b"n" * 64, 1)], "a name at maxName")
    ok([(bytes([n + 64]), n % 3 + 1) for n in range(64)], "64 namespaces")
    ok([(b"log", 1), (b"notes", 3)], "another digest key", "", noise("digest key", 32))
    ok([(NAME, 4)], "one namespace, code 4")
    ok([(b"devices", 4), (b"log", 1), (b"notes", 3)], "one of each policy")
    ok([(b"devices", 3), (b"log", 1), (b"notes", 4)], "the policies of two exchanged")
    a.no("schema", two, "1.name", edit(0, 5, b"log"), "duplicate", "PRIM-010 MODEL-013", "one name twice", "Unsorted")
    a.no("schema", two, "0.name", edit(0, 3), "range", "PRIM-004 CONV-007", "an empty name", "Limit")
    a.no("schema", long, "0.name", edit(64, 0, "6e"), "range", "PRIM-004 CONV-007", "a name of 65 bytes", "Limit")
    why = "the field is a number in decimal, which no edit of bytes can turn into the other one"
    for code in (0, 6):
        a.twinless("schema", "schema", {"digestKey": DIGEST_KEY, "count": 1, "0.name": NAME, "0.code": code}, "range",
                   "MODEL-011", why, f"code {code}", "Limit")
    a.twinless("schema", "schema", {"digestKey": DIGEST_KEY, "count": 0}, "range", "CONV-007", why, "no namespace",
               "Limit")
    a.twinless("schema", "schema", {"digestKey": DIGEST_KEY, "count": 65, **{
        f"{n}.{k}": v for n in range(65) for k, v in (("name", bytes([n + 64])), ("code", 1))}}, "range", "CONV-007",
        why, "65 namespaces", "Limit")


def summaries(a):
    def ok(parts, epoch=EPOCH0, comment="", digest_key=DIGEST_KEY):
        fields = {"digestKey": digest_key, "epoch": epoch, "count": len(parts)}
        for n, (name, root, pairs) in enumerate(parts):
            fields.update({f"{n}.name": name, f"{n}.root": root, f"{n}.knowledge": known(pairs)})
        spelled_parts = [(name, root, known(pairs)) for name, root, pairs in parts]
        right = digest.summary(digest_key, epoch, spelled_parts)

        def made(each, head=b"", e=epoch):
            return keyed(digest_key, b"cenotaph/1 summary" + e + head + b"".join(each(*p) for p in spelled_parts))
        wrong = {made(lambda n, r, k: blob(n) + r + k)[16:]: "the last 16 bytes, not the first (DIG-008)",
                 made(lambda n, r, k: blob(n) + r)[:16]: "the knowledge is missing (DIG-008)",
                 made(lambda n, r, k: blob(n) + r + k, uvarint(len(parts)))[:16]: "a count stands before the parts",
                 made(lambda n, r, k: blob(n) + r + k, e=b"")[:16]: "the epoch is missing (DIG-008)",
                 made(lambda n, r, k: n + r + k)[:16]: "the names lack their lengths (DIG-008)",
                 made(lambda n, r, k: r + k)[:16]: "the names are missing (DIG-008)",
                 made(lambda n, r, k: blob(n) + r + blob(k))[:16]: "the knowledge has a length (DIG-008)",
                 made(lambda n, r, k: blob(n) + r + k): "the hash was not cut to 16 bytes (DIG-008)"}
        wrong.pop(right, None)
        return a.ok("summary", "summary", fields, "DIG-008 MODEL-015" if epoch == EPOCH0 else "DIG-008", comment, "", wrong)

    def known(pairs):
        return vector([{"replica": r, "time": t} for r, t in pairs])

    R1, R2 = noise("root 1", 32), noise("root 2", 32)
    ok([(NAME, R1, [])], comment="one namespace, nothing known")
    one = ok([(NAME, R1, [(A, at(1))])], comment="one namespace")
    ok([(NAME, R1, [(A, at(2))])], comment="other knowledge, the same root: another summary")
    ok([(NAME, R2, [(A, at(1))])], comment="another root")
    ok([(NAME, R1, [(A, at(1))])], EPOCH1, "another epoch")
    two = ok([(b"a", R1, [(A, at(1)), (B, at(2))]), (b"ab", R2, [(C, 1), (HIGH, 2**63 - 1)])], comment="two namespaces")
    ok([(b"a", R2, [(A, at(1)), (B, at(2))]), (b"ab", R1, [(C, 1), (HIGH, 2**63 - 1)])], EPOCH0, "the roots exchanged")
    ok([(NAME, R1, [(A, at(1))])], EPOCH0, "another digest key", noise("digest key", 32))

    def no(of, field, e, cls, req, comment):
        a.no("summary", of, field, e, cls, req, comment, "Vector")

    pair = known([(A, at(1)), (B, at(2))])
    no(two, "0.knowledge", edit(1, 48, pair[25:] + pair[1:25]), "order", "PRIM-009", "knowledge descends")
    no(two, "0.knowledge", edit(25, 16, A), "duplicate", "PRIM-009", "one replica twice")
    no(one, "0.knowledge", edit(1, 16, NOBODY), "range", "PRIM-007 MODEL-002", "the replica that is none")
    no(one, "0.knowledge", edit(17, 8, time8(2**63)), "range", "PRIM-006", "a time above its limit")
    no(one, "0.knowledge", edit(0, 1, "02"), "truncated", "CONV-004", "two counted, one there")
    no(one, "0.knowledge", edit(25, 0, "00"), "trailing", "PRIM-011", "a byte more")
