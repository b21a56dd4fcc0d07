"""The bytes of a relay's stream (13): greetings, records, notices. Each function reads from the front of what has come so far."""

from errors import Reject
from primitives import check_ascending

MAGIC = b"CnRl"
VERSION = 1
MAX_TOKEN = 64
FRAMES = (305, 1_048_625)
NOTICES = {True: (1, 9), False: (1, 1 + 4 * 4_095)}       # to the relay; to a client
KINDS = {1: "members", 2: "arrived", 3: "departed", 4: "ping", 5: "pong", 6: "closing", 7: "taken"}
TO_RELAY, TO_CLIENT = (4, 7), (1, 2, 3, 5, 6, 7)
LENGTHS = {2: 5, 3: 5, 4: 1, 5: 1, 6: 2, 7: 9}
REASONS = range(1, 8)
UNFINISHED = {"state": "unfinished"}


def number(data, at):
    return int.from_bytes(data[at:at + 4], "big")


def greeting(data):
    """RELAY-003: each field is judged as soon as it is there."""
    if not MAGIC.startswith(data[:4]):
        raise Reject("unexpected", "RELAY-003", 0)
    if len(data) > 4 and data[4] != VERSION:
        return {"state": "version"}
    if len(data) < 22:
        return UNFINISHED
    size = 22 + data[21]
    if size > 22 + MAX_TOKEN:
        raise Reject("range", "RELAY-003", 21)
    if len(data) < size:
        return UNFINISHED
    return {"state": "whole", "size": size, "room": data[5:21], "token": data[22:size]}


def record(data, to_relay):
    """RELAY-009: the length when the eight bytes are there, a notice when it is."""
    if len(data) < 8:
        return UNFINISHED
    length, sender = number(data, 0), number(data, 4)
    least, most = FRAMES if sender else NOTICES[to_relay]
    if length < least:
        raise Reject("truncated", "RELAY-009", 0)
    if length > most:
        raise Reject("too-large", "RELAY-009", 0)
    if len(data) < 8 + length:
        return UNFINISHED
    out = {"state": "whole", "size": 8 + length, "number": sender}
    return out if sender else {**out, **notice(data[8:8 + length], to_relay)}


def notice(data, to_relay):
    """RELAY-012, RELAY-013 and the table of kinds."""
    kind = data[0]
    if kind not in (TO_RELAY if to_relay else TO_CLIENT):
        raise Reject("type", "RELAY-013", 0)
    if len(data) != LENGTHS.get(kind, len(data)) or len(data) % 4 != 1 and kind != 6:
        raise Reject("range", "RELAY-009", 1)
    out = {"notice": KINDS[kind]}
    if kind == 1:
        previous = None
        for at in range(1, len(data), 4):
            if number(data, at) == 0:
                raise Reject("range", "RELAY-013", at)
            previous = check_ascending(previous, number(data, at), "RELAY-013", at)
        out["members"] = " ".join(str(number(data, at)) for at in range(1, len(data), 4))
    elif kind in (2, 3, 7):
        out["who"] = number(data, 1)
    elif kind == 6 and data[1] in REASONS:
        out["reason"] = data[1]
    if kind == 7:
        out["bytes"] = number(data, 5)
        if out["bytes"] == 0:
            raise Reject("range", "RELAY-013", 5)
    return out
