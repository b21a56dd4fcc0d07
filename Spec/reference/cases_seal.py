"""seal.json: key ids and box keys, envelopes, padding of 05."""

import frames
import seal
import secretbox
from build import Area, edit
from cases_frame import (HASH, ID, causal, entry, event, head, items, marker, print_, request, rows_frame,
                         sighting, unanswered, write)
from leaves import keyed, plain
from merge import IN, Message
from primitives import u8
from samples import A, B, DIGEST_KEY, EPOCH0, EPOCH1, FLEET, HIGH, NOBODY, OTHER_FLEET, OTHER_SEAL_KEY, SEAL_KEY, at, noise

FLAGS = {
    "KeyDerivation": {"why": "what the key id and the box key are made of", "bugType": "CRYPTO",
                      "effect": "peers cannot open each other's frames"},
    "Padding": {"why": "padded sizes around their steps", "bugType": "OFF_BY_ONE",
                "effect": "a frame of some sizes is refused"},
    "BadPadding": {"why": "a padding that sealing does not make", "bugType": "CANONICAL",
                   "effect": "sizes tell more than they should, frames have second spellings"},
    "ModifiedBox": {"why": "a bit of what the box protects was changed", "bugType": "CRYPTO",
                    "effect": "forged frames are taken"},
    "ModifiedHeader": {"why": "the clear header was changed", "bugType": "CRYPTO",
                       "effect": "a frame passes as one of another version or key"},
    "Length": {"why": "an envelope that is too short", "bugType": "BOUNDS", "effect": "reads beyond the input"},
    "BadFrame": {"why": "the box opens and holds no frame", "bugType": "VALIDATION",
                 "effect": "what was sealed is trusted to be well-formed"},
    "Order": {"why": "the order of the checks of an envelope", "bugType": "DIAGNOSIS",
              "effect": "two implementations name different errors"},
}
BASE = {"sealKey": SEAL_KEY, "fleet": FLEET}
OPEN = "SEAL-005 SEAL-007 SEAL-008 SEAL-009"


def make():
    a = Area("seal", "seal", "keys, envelopes, padding", FLAGS)
    derivations(a)
    twins = envelopes(a)
    outside(a, twins), inside(a, twins)
    channel_derivations(a)
    rooms(a)
    both(a, frames.encode({**head("message_op", recipient=NOBODY), "namespace": b"chat", **frames.message_row(
        OTHER_FLEET + b"m1", Message((IN, at(1), b"hello")))}), "a message_op: which keys it may stand under is the session's matter")
    return a


def derivations(a):
    for key, fleet, comment in ((SEAL_KEY, FLEET, "the keys of the other cases"), (OTHER_SEAL_KEY, FLEET, "another key"),
                                (SEAL_KEY, HIGH, "another fleet"), (bytes(32), NOBODY, "zeros are as good as any key"),
                                (noise("seal key", 32), noise("fleet", 16), "")):
        key_id = seal.key_id(key, fleet)
        a.ok("key", "seal.key", {"sealKey": key, "fleet": fleet}, "SEAL-001 SEAL-002 VER-001", comment,
             "KeyDerivation", {
                 plain(key + b"cenotaph/1 key id" + fleet)[:8]: "the key id was made with a prefix, not in keyed mode",
                 keyed(key, b"cenotaph/1 key id")[:8]: "the fleet is missing from the key id (SEAL-001)",
                 keyed(key, b"cenotaph/1 key id\0" + fleet)[:8]: "the text in the key id ends with a zero byte",
                 keyed(key, b"cenotaph/1 key id" + fleet)[24:]: "the key id is the end of the hash, not its beginning",
                 keyed(key, b"cenotaph/1 box" + key_id): "the version is missing from the box key (SEAL-002)",
                 keyed(key, b"cenotaph/1 box" + u8(1)): "the key id is missing from the box key (SEAL-002)",
                 keyed(key, b"cenotaph/1 box" + key_id + u8(1)): "version and key id change places (SEAL-002)",
                 keyed(key, b"cenotaph/1 box" + u8(1) + fleet): "the fleet stands where the key id belongs",
                 plain(key + b"cenotaph/1 box" + u8(1) + key_id): "the box key was not made in keyed mode",
                 key: "the seal key itself is the key of the box (SEAL-002)"})


def channel_derivations(a):
    for key, sender, receiver, comment in ((SEAL_KEY, FLEET, OTHER_FLEET, "one direction of a channel"),
                                           (SEAL_KEY, OTHER_FLEET, FLEET, "the other direction: other keys"),
                                           (OTHER_SEAL_KEY, FLEET, OTHER_FLEET, "another channel of the two"),
                                           (bytes(32), NOBODY, HIGH, "zeros are as good as any key")):
        key_id = seal.channel_key_id(key, sender, receiver)
        low, high = sorted((sender, receiver))
        wrong = {
            seal.channel_key_id(key, receiver, sender): "the fleets change places (SEAL-040)",
            seal.channel_box_key(key, receiver, sender): "the fleets change places (SEAL-041)",
            seal.key_id(key, sender): "the key id was made as a fleet's (SEAL-001)",
            seal.box_key(key, sender): "the box key was made as a fleet's (SEAL-002)",
            keyed(key, b"cenotaph/1 key id" + sender + receiver)[:8]: "the text in the key id is a fleet's",
            keyed(key, b"cenotaph/1 box" + u8(1) + key_id): "the text in the box key is a fleet's",
            keyed(key, b"cenotaph/1 channel key id" + sender)[:8]: "the receiver is missing from the key id",
            keyed(key, b"cenotaph/1 channel box" + key_id): "the version is missing from the box key",
            keyed(key, b"cenotaph/1 channel box" + u8(1) + sender + receiver): "the fleets stand where the key id belongs",
            key: "the channel key itself is the key of the box"}
        if (low, high) != (sender, receiver):
            wrong[seal.channel_key_id(key, low, high)] = "the fleets were sorted (SEAL-040)"
        a.ok("channel", "seal.channel", {"channelKey": key, "sendingFleet": sender, "receivingFleet": receiver},
             "SEAL-040 SEAL-041", comment, "KeyDerivation", wrong)


def rooms(a):
    for key, fleet, comment in ((DIGEST_KEY, FLEET, "a fleet's room"), (DIGEST_KEY, OTHER_FLEET, "another fleet: another room"),
                                (OTHER_SEAL_KEY, FLEET, "another digest key: another room"), (bytes(32), NOBODY, "zeros are as good as any key")):
        a.ok("room", "relay.room", {"digestKey": key, "fleet": fleet}, "RELAY-001", comment, "KeyDerivation", {
            plain(key + b"cenotaph/1 relay" + fleet)[:16]: "made with a prefix, not in keyed mode",
            keyed(key, b"cenotaph/1 relay")[:16]: "the fleet is missing",
            keyed(key, fleet)[:16]: "the text is missing",
            keyed(key, b"cenotaph/1 relay\0" + fleet)[:16]: "the text ends with a zero byte",
            keyed(key, b"cenotaph/1 relay channel" + fleet)[:16]: "the text is a channel's",
            keyed(key, b"cenotaph/1 relay" + fleet)[16:]: "the end of the hash, not its beginning"})
    for key, own, contact, comment in ((SEAL_KEY, FLEET, OTHER_FLEET, "a channel's room"),
                                       (SEAL_KEY, OTHER_FLEET, FLEET, "the other fleet finds the same room"),
                                       (OTHER_SEAL_KEY, FLEET, OTHER_FLEET, "another channel of the two"),
                                       (SEAL_KEY, FLEET, HIGH, "another contact"), (bytes(32), HIGH, NOBODY, "zeros are as good as any key")):
        low, high = sorted((own, contact))
        a.ok("roomchannel", "relay.channel", {"channelKey": key, "own": own, "contact": contact}, "RELAY-002", comment,
             "KeyDerivation", {
                 keyed(key, b"cenotaph/1 relay channel" + high + low)[:16]: "the greater fleet id comes first",
                 keyed(key, b"cenotaph/1 relay channel" + low)[:16]: "one fleet is missing",
                 keyed(key, b"cenotaph/1 relay" + low + high)[:16]: "the text is a fleet's",
                 seal.channel_key_id(key, own, contact): "the key id of a direction"})


def both(a, frame, comment, flags="", opened=True, key=SEAL_KEY):
    """The frame sealed, and the same bytes opened: two cases that mirror each other."""
    nonce = noise(f"nonce {comment} {len(frame)}", 24)
    base = {"sealKey": key, "fleet": FLEET}
    wrong = {
        (u8(1) + seal.key_id(key, FLEET) + nonce
         + secretbox.seal(key, nonce, seal.pad(frame))).hex(): "the seal key itself is the key of the box (SEAL-002)",
        (u8(1) + seal.key_id(key, FLEET) + nonce + secretbox.seal(seal.box_key(key, FLEET), nonce, seal.pad(frame))[16:]
         + secretbox.seal(seal.box_key(key, FLEET), nonce, seal.pad(frame))[:16]).hex():
            "the tag stands behind the ciphertext",
    } if len(frame) < 400 else None
    sealed = a.ok("seal", "seal.seal", {**base, "nonce": nonce, "frame": frame},
                  "SEAL-002 SEAL-007 SEAL-008", comment, flags, wrong)
    if opened:
        return a.ok("open", "seal.open", {**base, "bytes": a.by_id[sealed]["out"]["bytes"]}, OPEN, comment, flags,
                    expect={"frame": frame.hex()})
    return sealed


def sized(length):
    """A frame of exactly that many bytes: an event, or a kind that may be skipped where that is too small."""
    row = rows_frame("sync_delta", 1, [event(b"k", at(1), A, b"g", b"")], [A])
    for body in range(max(0, length - 120), length):
        row["rows"][0]["body"] = noise(f"sized {length}", body)
        data = frames.encode(row)
        if len(data) == length:
            return data
    return None


def grease(length):
    return b"\xe5" + A + NOBODY + EPOCH0 + noise(f"grease {length}", length - 49)


def envelopes(a):
    twins = {}
    small = frames.encode({**head("digest"), "form": 0, "summary": ID[0]})
    twins["small"] = both(a, small, "a summary")
    every = (
        ({**head("hello", recipient=NOBODY), "minVersion": 1, "maxVersion": 1, "capabilities": 0, "schema": HASH[0],
          "incarnation": ID[0], "challenge": ID[1], "answer": NOBODY, "sightings": [sighting(B, ID[2], at(5))]},
         "a hello"),
        ({**head("digest"), "form": 1, "namespaces": [entry(b"a", 3, 1, [(A, at(1)), (B, at(2))]), entry(b"b")]},
         "a full digest"),
        (request(print_(b"m", 0), items(b"", b"m", b"n")), "a request"),
        (rows_frame("reconcile_resp", 1, [event(b"k1", at(1), A, b"g1", b"hello")], [A]), "an answer with an event"),
        (rows_frame("reconcile_resp", 2, [marker(b"g1", at(1), A)], [A], claims=[unanswered(b"")]),
         "an answer with a marker"),
        (rows_frame("sync_delta", 3, [causal(b"k", (A, at(2), b"x"), (B, at(1), None))], [A, B], epoch=EPOCH1),
         "a delta with a causal row"),
        ({**head("error"), "class": "range", "request": 7, "rule": b"WIRE-031", "detail": b"out of range"}, "an error"),
    )
    for frame, comment in every:
        twins[comment] = both(a, frames.encode(frame), comment)
    twins["skip"] = both(a, grease(60), "a kind that may be skipped is opened like any other")
    both(a, grease(49), "a skippable kind without a body", key=OTHER_SEAL_KEY)
    for length in (254, 255, 256, 271, 272, 300, 303, 304, 511, 512, 543, 544, 1000, 1023, 1024, 4095, 4096):
        frame = sized(length) or grease(length)
        twins[length] = both(a, frame, f"L = {length}, P = {seal.padded_size(length)}", "Padding")
    both(a, grease(65_000), f"L = 65000, P = {seal.padded_size(65_000)}: the example of 05", "Padding", opened=False)
    twins[80] = both(a, grease(79) + b"\x80", "a frame whose last byte is 80", "Padding")
    twins["zeros"] = both(a, grease(60) + bytes(40), "a frame that ends with zeros", "Padding")
    twins["80 00"] = both(a, grease(60) + b"\x80" + bytes(20), "a frame that ends like a padding", "Padding")
    both(a, frames.encode(rows_frame("sync_delta", 4, [write(b"k", at(2), A, None), write(b"l", at(1), B, b"x")], [A, B])),
         "a delta with last-writer rows")
    return twins


def outside(a, t):
    def no(of, e, cls, comment, flags, req="SEAL-005"):
        a.no("open", t[of], "bytes", e, cls, req, comment, flags)

    def size(of):
        return len(a.bytes_of(t[of]))

    for version in (0x00, 0x02, 0x7F, 0x81, 0xFF):
        no("small", edit(0, 1, u8(version)), "version", f"version {version:02x}", "ModifiedHeader", "SEAL-005 VER-001")
    no("small", edit(0, size("small"), "02"), "version", "one byte: the version is met before the length", "Order")
    no("small", edit(0, size("small")), "truncated", "nothing", "Length")
    for length in (1, 8, 9, 33, 48, 49, 60, 303, 304):
        no("small", edit(length, size("small") - length), "truncated", f"{length} of 305 bytes", "Length")
    no("small", edit(1, size("small") - 1, bytes(48)), "truncated",
       "an unknown key id in a short frame: the length is met first", "Order")
    no(300, edit(305, size(300) - 305), "auth", "cut to 305 bytes: long enough, and the tag does not fit", "ModifiedBox",
       "SEAL-005 SEAL-006")
    no("small", edit(1, 8, bytes(8)), "auth", "a key id of zeros", "ModifiedHeader")
    no("small", edit(8, 1, u8(a.bytes_of(t["small"])[8] ^ 1)), "auth", "the last bit of the key id", "ModifiedHeader")
    no("small", edit(1, 1, u8(a.bytes_of(t["small"])[1] ^ 0x80)), "auth", "the first bit of the key id",
       "ModifiedHeader")
    no("small", edit(1, 8, seal.key_id(OTHER_SEAL_KEY, FLEET)), "auth", "the key id of another key", "ModifiedHeader")
    for of, at_, what in (("small", 9, "the first byte of the nonce"), ("small", 24, "the 16th byte of the nonce"),
                          ("small", 25, "the 17th byte of the nonce"), ("small", 32, "the last byte of the nonce"),
                          ("small", 33, "the first byte of the tag"), ("small", 48, "the last byte of the tag"),
                          ("small", 49, "the kind, under the seal"), ("small", 304, "the last byte of the padding"),
                          ("small", 150, "a byte in the middle"), ("a hello", 80, "a byte of a hello"),
                          ("a delta with a causal row", 120, "a byte of a delta"), (1000, 1072, "the last byte")):
        for bit in (0x01, 0x80) if at_ in (33, 48, 304) else (0x01,):
            no(of, edit(at_, 1, u8(a.bytes_of(t[of])[at_] ^ bit)), "auth", f"{what}, bit {bit:02x}",
               "ModifiedBox", "SEAL-005 SEAL-006")
    no("small", edit(33, 16, bytes(16)), "auth", "a tag of zeros", "ModifiedBox", "SEAL-005 SEAL-006")
    no("small", edit(305, 0, "00"), "auth", "one byte more", "ModifiedBox", "SEAL-005 SEAL-006")
    no(300, edit(352, 1), "auth", "one byte less, and still above 305", "ModifiedBox", "SEAL-005 SEAL-006")
    other = seal.box_key(SEAL_KEY, FLEET, 2)
    plaintext = seal.open_plaintext(SEAL_KEY, FLEET, a.bytes_of(t["small"]))
    nonce = a.bytes_of(t["small"])[9:33]
    no("small", edit(33, 272, secretbox.seal(other, nonce, plaintext)), "auth", "sealed for version 2",
       "KeyDerivation", "SEAL-002 SEAL-005 SEAL-006")
    no("small", edit(33, 272, secretbox.seal(SEAL_KEY, nonce, plaintext)), "auth", "sealed with the seal key itself",
       "KeyDerivation", "SEAL-002 SEAL-005 SEAL-006")
    no("small", edit(33, 272, secretbox.seal(seal.box_key(SEAL_KEY, HIGH), nonce, plaintext)), "auth",
       "sealed for another fleet", "KeyDerivation", "SEAL-002 SEAL-005 SEAL-006")


def inside(a, t):
    def no(of, e, cls, req, comment, flags="BadPadding"):
        a.no("open", t[of], "bytes", e, cls, req, comment, flags, layer="plaintext")

    def length(of):
        return len(bytes.fromhex(a.by_id[t[of]]["out"]["frame"]))

    P = "SEAL-009 SEAL-007"
    L = length("small")
    for of in ("small", 255, 300, 1000):
        no(of, edit(length(of), 1, "00"), "seal-format", P, "the byte 80 is missing")
    no("small", edit(0, 256, bytes(256)), "seal-format", P, "nothing but zeros")
    for byte in ("81", "01", "40", "c0", "ff"):
        no("small", edit(L, 1, byte), "seal-format", P, f"{byte} where 80 belongs")
    for where, what in ((L + 1, "the first"), (200, "one"), (255, "the last")):
        no("small", edit(where, 1, "01"), "seal-format", P, f"{what} byte of the padding is not zero")
    no(256, edit(271, 1, "ff"), "seal-format", P, "the last byte of the padding is not zero")
    S = "SEAL-009 SEAL-008"
    no("small", edit(256, 0, "00"), "seal-format", S, "P is one too great")
    no("small", edit(256, 0, bytes(16)), "seal-format", S, "P = 272 where 256 would do")
    no("small", edit(256, 0, bytes(256)), "seal-format", S, "P = 512 where 256 would do")
    no(300, edit(304, 0, bytes(16)), "seal-format", S, "P = 320 where 304 would do")
    no(256, edit(257, 15), "seal-format", S, "P = 257: no padding after the byte 80")
    no(300, edit(303, 1), "seal-format", S, "P is one too small")
    no(1000, edit(1001, 16), "seal-format", S, "padded to a multiple of 16 where 32 is the step")
    no(1000, edit(1024, 0, bytes(1024)), "seal-format", S, "padded to a power of two above")
    F = "SEAL-005"
    no("small", edit(L, 2, "0080"), "trailing", f"{F} WIRE-001", "a byte after the frame", "BadFrame")
    no("small", edit(200, 1, "80"), "trailing", f"{F} WIRE-001", "a byte 80 in the padding: what precedes it is frame",
       "BadFrame")
    no("small", edit(L - 1, 2, "8000"), "truncated", f"{F} PRIM-005", "the frame lacks its last byte", "BadFrame")
    no("small", edit(0, L + 1, b"\x80" + bytes(L)), "truncated", f"{F} PRIM-005", "an empty frame (L = 0)", "BadFrame")
    for kind, what in (("00", "no kind"), ("06", "a reserved kind"), ("12", "no kind"), ("7f", "no kind")):
        if kind == "06":
            a.retire("open", negative=True)            # message_op, when it was reserved
            continue
        no("small", edit(0, 1, kind), "type", f"{F} WIRE-003", what, "BadFrame")
    no("small", edit(1, 16, NOBODY), "range", f"{F} PRIM-007 MODEL-002", "nobody sends", "BadFrame")
    no("an error", edit(49, 1, "0f"), "range", f"{F} WIRE-061 ERR-001", "no class", "BadFrame")
    no("a request", edit(49, 1, "00"), "range", f"{F} WIRE-040", "request 0", "BadFrame")
    no("a hello", edit(50, 1, "00"), "range", f"{F} WIRE-010", "the versions are the wrong way round", "BadFrame")
