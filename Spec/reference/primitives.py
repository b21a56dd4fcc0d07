"""Primitives of 02: checks of values, a reader that rejects (PRIM-001 to PRIM-011), and writers.

Every check is made once, here, and serves both directions: the reader calls it on what it read, the
writers of other files call it on what they are asked to write (LEAF-004).
"""

from errors import Reject

MAX_KEY = MAX_GROUP = 512
MIN_MESSAGE_KEY = 17          # an author of 16 bytes, then at least one
MAX_NAME = 64
MAX_BODY = 983_040
MAX_VECTOR = MAX_RANGES = MAX_PARTS = 1024
MAX_NAMESPACES = MAX_SIGHTINGS = 64
MAX_RULE, MAX_DETAIL = 16, 256
MAX_TIME = MAX_REQUEST = 2**63 - 1
ZERO16 = bytes(16)


# ---- checks -----------------------------------------------------------------------------------

def check_number(n, low, high, rule="CONV-007", at=None):
    """A number outside low..high is `range`."""
    if not low <= n <= high:
        raise Reject("range", rule, at)
    return n


def check_length(value, low, high, at=None):
    """PRIM-004."""
    check_number(len(value), low, high, "PRIM-004", at)
    return value


def check_time(n, at=None):
    """PRIM-006."""
    return check_number(n, 1, MAX_TIME, "PRIM-006", at)


def check_replica(value, at=None):
    """PRIM-007, MODEL-002."""
    if len(value) != 16:
        raise Reject("truncated", "PRIM-005", at)
    if value == ZERO16:
        raise Reject("range", "PRIM-007", at)
    return value


def check_ascending(previous, current, rule="PRIM-010", at=None):
    """PRIM-009, PRIM-010: equal neighbours are `duplicate`, descending ones `order`."""
    if previous is not None and current <= previous:
        raise Reject("duplicate" if current == previous else "order", rule, at)
    return current


# ---- reader -----------------------------------------------------------------------------------

class Reader:
    """Reads from the front; the first rule that is broken names the error (CONV-005)."""

    def __init__(self, data):
        self.data, self.at = bytes(data), 0

    @property
    def left(self):
        return len(self.data) - self.at

    def take(self, size):
        """PRIM-005."""
        if size > self.left:
            raise Reject("truncated", "PRIM-005", self.at)
        self.at += size
        return self.data[self.at - size:self.at]

    def u8(self):
        return self.take(1)[0]

    def choice(self, values, rule="PRIM-008"):
        """PRIM-008: a u8 that stands for one of the listed values."""
        start, n = self.at, self.u8()
        if n not in values:
            raise Reject("range", rule, start)
        return n

    def uvarint(self):
        """LEB128, shortest form, 64 bits: PRIM-001, PRIM-002, PRIM-003."""
        start, value = self.at, 0
        for i in range(10):
            if not self.left:
                raise Reject("truncated", "PRIM-001", start)
            byte = self.u8()
            if i == 9 and byte > 1:
                raise Reject("range", "PRIM-003", start)
            value |= (byte & 0x7F) << (7 * i)
            if byte < 0x80:
                if byte == 0 and i:
                    raise Reject("noncanonical", "PRIM-002", start)
                return value

    def number(self, low, high, rule):
        start = self.at
        return check_number(self.uvarint(), low, high, rule, start)

    def count(self, low, high, smallest, rule="CONV-007"):
        """A list's count: its own limits first (CONV-008), then what can still fit (CONV-004)."""
        start = self.at
        n = self.uvarint()
        check_number(n, low, 2**64 - 1 if high is None else high, rule, start)
        if n * smallest > self.left:
            raise Reject("truncated", "CONV-004", start)
        return n

    def bytes(self, low, high):
        """PRIM-004 before PRIM-005, as CONV-008 says."""
        start = self.at
        size = check_number(self.uvarint(), low, high, "PRIM-004", start)
        return self.take(size)

    def key(self):
        return self.bytes(1, MAX_KEY)

    def message_key(self):
        return self.bytes(MIN_MESSAGE_KEY, MAX_KEY)

    def group(self):
        return self.bytes(1, MAX_GROUP)

    def name(self):
        return self.bytes(1, MAX_NAME)

    def body(self):
        return self.bytes(0, MAX_BODY)

    def replica(self):
        start = self.at
        return check_replica(self.take(16), start)

    def time(self):
        start = self.at
        return check_time(int.from_bytes(self.take(8), "big"), start)

    def stamp(self):
        """(time, replica): tuples compare as MODEL-004 says."""
        return self.time(), self.replica()

    def id16(self):
        return self.take(16)

    def hash(self):
        return self.take(32)

    def tag(self):
        return self.take(16)

    def vector(self):
        """PRIM-009: a list of (replica, time)."""
        entries, previous = [], None
        for _ in range(self.count(0, MAX_VECTOR, 24)):
            start = self.at
            replica, time = self.replica(), self.time()
            previous = check_ascending(previous, replica, "PRIM-009", start)
            entries.append({"replica": replica, "time": time})
        return entries

    def end(self, rule="PRIM-011"):
        """PRIM-011, WIRE-001."""
        if self.left:
            raise Reject("trailing", rule, self.at)


def alone(data, read):
    """Decodes one value that must fill the whole input (PRIM-011)."""
    reader = Reader(data)
    value = read(reader)
    reader.end()
    return value


# ---- writers ----------------------------------------------------------------------------------

def u8(n):
    return n.to_bytes(1, "big")


def uvarint(n):
    out = bytearray()
    while n > 0x7F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def blob(value):
    """`bytes(a..b)`: the length, then the bytes."""
    return uvarint(len(value)) + value


def time8(n):
    """CONV-001: big-endian."""
    return n.to_bytes(8, "big")


def stamp(time, replica):
    return time8(time) + replica


def listed(parts):
    """A count and the parts."""
    parts = list(parts)
    return uvarint(len(parts)) + b"".join(parts)


def vector(entries):
    return listed(e["replica"] + time8(e["time"]) for e in entries)
