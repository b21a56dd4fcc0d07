"""Sets and what is computed over them: DIG-001 to DIG-009, MODEL-013.

A set is a list of (key, leaf), ascending by key. There is no tree: sort, add, hash.
"""

from leaves import keyed, plain
from primitives import MAX_NAMESPACES, MAX_NAME, blob, check_ascending, check_length, check_number, u8, uvarint
from frames import write_range

ITEMS_UP_TO = PARTS = 16


def within(items, low, high):
    """The rows of the half-open range; an empty bound is open."""
    return [(k, h) for k, h in items if k >= low and (not high or k < high)]


def total(leaves):
    """DIG-002."""
    return (sum(int.from_bytes(h, "big") for h in leaves) % 2**256).to_bytes(32, "big")


def fingerprint(ns_key, which, leaves):
    """DIG-003."""
    return plain(ns_key + u8(0x10 + which) + len(leaves).to_bytes(8, "big") + total(leaves))


def root(ns_key, live, tombstones):
    """DIG-006."""
    return plain(ns_key + u8(0x20) + live + tombstones)


def schema(digest_key, namespaces):
    """MODEL-013 over (name, code) in any order; codes of MODEL-011."""
    check_number(len(namespaces), 1, MAX_NAMESPACES)
    previous = None
    for name, code in namespaces:
        check_length(name, 1, MAX_NAME)
        check_number(code, 1, 5, "MODEL-011")
    for name, _ in sorted(namespaces):
        previous = check_ascending(previous, name)
    return keyed(digest_key, b"cenotaph/1 schema" + uvarint(len(namespaces))
                 + b"".join(blob(name) + u8(code) for name, code in sorted(namespaces)))


def summary(digest_key, epoch, parts):
    """DIG-008 over (name, root, encoded knowledge), ascending by name."""
    return keyed(digest_key, b"cenotaph/1 summary" + epoch + b"".join(
        blob(name) + root + knowledge for name, root, knowledge in parts))[:16]


def bound(before, key):
    """The shortest prefix of `key` that is greater than `before`."""
    n = next(n for n in range(1, len(key) + 1) if key[:n] > before)
    return key[:n]


def split(ns_key, which, items, low, high):
    """DIG-009: the entries that describe [low, high), as a list for `ranges` or `claims`."""
    rows = within(items, low, high)
    n = len(rows)
    if n <= ITEMS_UP_TO:
        return [{"hi": high, "mode": "items", "items": [{"key": k, "tag": h[:16]} for k, h in rows]}]
    out = []
    for i in range(PARTS):
        first, after = i * n // PARTS, (i + 1) * n // PARTS
        hi = high if i == PARTS - 1 else bound(rows[after - 1][0], rows[after][0])
        tag = fingerprint(ns_key, which, [h for _, h in rows[first:after]])[:16]
        out.append({"hi": hi, "mode": "fingerprint", "fingerprint": tag})
    return out


def describe(entries):
    """The entries as bytes, without a count."""
    return b"".join(map(write_range, entries))
