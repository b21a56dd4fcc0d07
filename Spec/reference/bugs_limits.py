"""Mistakes about sizes, widths and limits, and about what is judged first. The columns are those of bugs.py."""

# What is counted, where, the call with its size (PRIM-012), the size.
SIZES = (
    ("vector-entry", "primitives", "self.count(0, MAX_VECTOR, 24)", 24),
    ("sighting", "frames", "r.count(0, MAX_SIGHTINGS, 40)", 40),
    ("digest-entry", "frames", "r.count(0, MAX_NAMESPACES, 69)", 69),
    ("range", "frames", 'r.count(0, MAX_RANGES, 2, "WIRE-033")', 2),
    ("item", "frames", "read_keys(r, 0, 18,", 18),
    ("key", "frames", "read_keys(r, 1, 2,", 2),
    ("table", "frames", "r.count(0, MAX_VECTOR, 16)", 16),
    ("event-row", "frames", "(read_event, 14)", 14),
    ("marker-row", "frames", "(read_marker, 11)", 11),
    ("causal-row", "frames", "(read_causal, 13)", 13),
    ("last-writer-row", "frames", "(read_last_writer, 12)", 12),
    ("message-row", "frames", "(read_message, 22)", 22),
    ("causal-entry", "frames", "r.count(1, MAX_VECTOR, 10)", 10),
    ("id-prefix", "frames", 'r.count(1, MAX_CELLS, 4, "WIRE-080")', 4),
    ("content-entry", "leaves", "r.count(1, MAX_VECTOR, 25)", 25),
)


def sized(call, size, other):
    """The call with the other size: the last number in it that is the size."""
    before, after = call.rsplit(str(size), 1)
    return f"{before}{other}{after}"


SMALLER = tuple((f"size.small-{name}", module, f"the smallest size is taken for {size - 1}, not {size} (PRIM-012)", call, sized(call, size, size - 1))
                for name, module, call, size in SIZES)
GREATER = tuple((f"size.great-{name}", module, f"the smallest size is taken for {size + 1}, not {size} (PRIM-012)", call, sized(call, size, size + 1))
                for name, module, call, size in (*SIZES, ("cell", "frames", "r.count(1, MAX_CELLS - first, 10, rule)", 10)))

WIDTHS = tuple((f"width.any-{name}", "ops", f"{name} of another width is taken", f'"{name}": {size}', f'"{name}-": {size}') for name, size in (
    ("digestKey", 32), ("sealKey", 32), ("fleet", 16), ("nonce", 24), ("epoch", 16), ("replica", 16), ("root", 32), ("live", 32), ("tombstones", 32),
    ("opID", 16), ("channelKey", 32), ("sendingFleet", 16), ("receivingFleet", 16), ("own", 16), ("contact", 16), ("leaf", 32)))

LIMITS = (
    ("ranges.all-in-claims", "frames", "mode 5 is taken in claims", "ANSWER_MODES = (0, 1, 2, 3, 5), (0, 1, 2, 4)", "ANSWER_MODES = (0, 1, 2, 3, 5), (0, 1, 2, 4, 5)"),
    ("ranges.keys-in-claims", "frames", "mode 3 is taken in claims", "ANSWER_MODES = (0, 1, 2, 3, 5), (0, 1, 2, 4)", "ANSWER_MODES = (0, 1, 2, 3, 5), (0, 1, 2, 3, 4)"),
    ("ranges.unanswered-in-request", "frames", "mode 4 is taken in a request", "ANSWER_MODES = (0, 1, 2, 3, 5), (0, 1, 2, 4)", "ANSWER_MODES = (0, 1, 2, 3, 4, 5), (0, 1, 2, 4)"),
    ("channel.equal-fleets", "seal", "a fleet may have a channel to itself", "if sender == receiver:", "if False:"),
    ("bounds.any-length", "ops", "a bound of a range may be longer than a key", "check_length(H(i[name]), 0, MAX_KEY)", "H(i[name])"),
    ("sketch.any-key", "ops", "a key of any length has a row id", 'check_length(H(i["key"]), 1, MAX_KEY)', 'H(i["key"])'),
    ("sketch.accept-empty-key", "ops", "an empty key has a row id", 'check_length(H(i["key"]), 1, MAX_KEY)', 'check_length(H(i["key"]), 0, MAX_KEY)'),
    ("content.causal-any-key", "leaves", "the content of a causal row may have a longer key",
     "key, entries, previous = r.key(), [], None\n        for _ in range(r.count(1, MAX_VECTOR, 25))",
     "key, entries, previous = r.bytes(1, 2**20), [], None\n        for _ in range(r.count(1, MAX_VECTOR, 25))"),
    ("causal.drop-beyond", "ops", "entries over maxVector are dropped", 'check_number(len(merged), 1, MAX_VECTOR, "CONV-009")', "merged = merged[:MAX_VECTOR]"),
    ("causal.too-many-is-too-large", "ops", "too many entries are called too-large (CONV-009)",
     'check_number(len(merged), 1, MAX_VECTOR, "CONV-009")', 'if len(merged) > MAX_VECTOR:\n        raise Reject("too-large", "CONV-009")'),
    ("sketch.no-bound", "sketch", "taking apart does not stop after m ids (SKETCH-013)", "if ids in only or len(only) == len(left):", "if ids in only:"),
    ("sketch.bound-one-short", "sketch", "m ids are one too many (SKETCH-013)", "len(only) == len(left)", "len(only) + 1 == len(left)"),
)

FIRST = (
    ("order.vector-before-time", "primitives", "the order of a vector is judged before the time",
     'replica, time = self.replica(), self.time()\n            previous = check_ascending(previous, replica, "PRIM-009", start)\n',
     'replica = self.replica()\n            previous = check_ascending(previous, replica, "PRIM-009", start)\n            time = self.time()\n'),
    ("order.sighting-before-time", "frames", "the order of sightings is judged before the time",
     '"incarnation": r.id16(), "time": r.time()}\n        previous = check_ascending(previous, (s["replica"], s["incarnation"]), "WIRE-011", start)\n',
     '"incarnation": r.id16()}\n        previous = check_ascending(previous, (s["replica"], s["incarnation"]), "WIRE-011", start)\n        s["time"] = r.time()\n'),
    ("order.name-before-entry", "frames", "the order of a digest's names is judged at the name",
     'e = {"name": r.name(), "liveCount"', 'name = r.name()\n        check_ascending(previous, name, "PRIM-010", start)\n        e = {"name": name, "liveCount"'),
    ("order.group-before-stamp", "frames", "the order of markers is judged at the group",
     "    group, replica = r.group(), ref()\n",
     '    group = r.group()\n    r.last = check_ascending(getattr(r, "last", None), group, "WIRE-052")\n    replica = ref()\n'),
    ("order.ref-before-time", "frames", "the order of a causal row's entries is judged at the reference",
     'entry = {"replica": ref(), "time"', 'replica = ref()\n        check_ascending(previous, replica, "WIRE-052", start)\n        entry = {"replica": replica, "time"'),
    ("order.content-before-time", "leaves", "the order of a content's entries is judged at the replica",
     "replica, time = r.replica(), r.time()\n            body",
     "replica = r.replica()\n            check_ascending(previous, replica, at=start)\n            time = r.time()\n            body"),
    ("order.items-before-range", "frames", "an item's order is judged before its range (WIRE-031)",
     '        if key < low or high and key >= high:\n            raise',
     '        if tagged:\n            check_ascending(previous, key, "WIRE-031", start)\n        if key < low or high and key >= high:\n            raise'),
    ("error.rule-before-length", "frames", "the characters of a rule are judged before all of it is there",
     'body["rule"] = r.bytes(0, MAX_RULE)\n',
     'size = r.number(0, MAX_RULE, "PRIM-004")\n    if not RULE_CHARACTERS.issuperset(r.data[r.at:r.at + size]):\n'
     '        raise Reject("text", "WIRE-061", start)\n    body["rule"] = r.take(size)\n'),
    ("error.detail-before-length", "frames", "the characters of a detail are judged before all of it is there",
     'body["detail"] = r.bytes(0, MAX_DETAIL)\n    try:\n        body["detail"].decode("utf-8", "strict")\n',
     'size = r.number(0, MAX_DETAIL, "PRIM-004")\n    try:\n        r.data[r.at:r.at + size].decode("utf-8", "strict")\n        body["detail"] = r.take(size)\n'),
    ("sketch.sum-at-first", "frames", "a first with which no cell is left is judged before the number wanted",
     'body["first"] = r.number(0, MAX_CELLS, "WIRE-080")', 'body["first"] = r.number(0, MAX_CELLS - 1, "WIRE-080")'),
    ("sketch.cells-after-input", "frames", "where a list of cells ends is judged after the remaining bytes",
     "total = r.count(1, MAX_CELLS - first, 10, rule)\n",
     'start = r.at\n    total = r.count(1, MAX_CELLS, 10, rule)\n    if first + total > MAX_CELLS:\n        raise Reject("range", rule, start)\n'),
)

BUGS = SMALLER + GREATER + WIDTHS + LIMITS + FIRST
