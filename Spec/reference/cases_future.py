"""future/canary.json: cases that need a feature which nobody has. Their answers are wrong on purpose: a checker that runs
them instead of skipping them fails on its first day, not when the first real feature comes."""

from primitives import uvarint
from samples import DIGEST_KEY, FLEET, SEAL_KEY

ABOUT = "cases that need an unknown feature, with wrong answers: a checker skips them, and counts them as skipped"
UNKNOWN = "canary.nobody-has-this"


def case(number, op, fields, answer, comment, requires=UNKNOWN):
    return {"id": f"future-canary-{number:04d}", "op": op, "in": fields, **answer, "req": ["CONV-003"], "flags": [], "comment": comment,
            "requires": [requires], "source": "py", "added": "1.0"}


def cases():
    number = {"bytes": uvarint(300).hex()}
    key = {"sealKey": SEAL_KEY.hex(), "fleet": FLEET.hex()}
    return [
        case(1, "uvarint.decode", number, {"out": {"value": "301"}}, "an answer that is wrong"),
        case(2, "uvarint.decode", {"bytes": "ac"}, {"out": {"value": "44"}}, "accepted, where it must be rejected"),
        case(3, "uvarint.decode", {"bytes": "7f"}, {"reject": {"class": "range", "layer": "value"}, "twinless": "a canary"}, "rejected, where it must be accepted"),
        case(4, "seal.key", key, {"out": {"keyID": "00" * 8, "boxKey": "00" * 32}}, "keys of zeros"),
        case(5, "canary.operation", {"bytes": ""}, {"out": {}}, "an operation that nobody has"),
        case(6, "schema", {"digestKey": DIGEST_KEY.hex(), "count": "1", "0.name": "6e", "0.code": "6"}, {"out": {"fingerprint": "00" * 32}},
             "a policy that nobody has")]
