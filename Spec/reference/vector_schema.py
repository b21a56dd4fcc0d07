"""The JSON Schema of the vector files (11), as the object that make_vectors.py writes."""

from errors import CLASSES
from ops import OPS


def _strings():
    return {"type": "object", "additionalProperties": {"type": "string"}}


def _object(required, optional=()):
    return {"type": "object", "additionalProperties": False, "required": list(required),
            "properties": {**dict(required), **dict(optional)}}


TEXT = {"type": "string"}
HEX = {"type": "string", "pattern": "^([0-9a-f]{2})*$"}
NAME = {"type": "string", "pattern": "^[A-Za-z0-9]+$"}
REQUIREMENT = {"type": "string", "pattern": "^[A-Z]+-[0-9]{3}$"}
CASE_ID = {"type": "string", "pattern": "^[a-z]+-[a-z]+-[0-9]{4}$"}
NATURAL = {"type": "integer", "minimum": 0}


def _listed(item, least=0):
    return {"type": "array", "items": item, **({"minItems": least} if least else {})}


EDIT = _object({"at": NATURAL, "del": NATURAL, "ins": HEX})
TWIN = _object({"of": CASE_ID, "field": TEXT, "edits": _listed(EDIT, 1)}, {"layer": {"enum": ["plaintext"]}})
REJECT = _object({"class": {"enum": list(CLASSES)}, "layer": {"enum": ["seal", "frame", "value", "state"]}},
                 {"also": _listed({"enum": list(CLASSES)}, 1)})
CASE = {
    **_object({"id": CASE_ID, "op": {"enum": list(OPS)}, "in": _strings(), "req": _listed(REQUIREMENT, 1),
               "flags": _listed(NAME), "source": NAME, "added": TEXT},
              {"out": _strings(), "reject": REJECT, "twin": TWIN, "twinless": TEXT, "decoys": _strings(),
               "comment": TEXT, "kills": _listed(TEXT, 1), "requires": _listed(TEXT, 1)}),
    "oneOf": [{"required": ["out"]}, {"required": ["reject"]}],
}
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Cenotaph vector file",
    **_object({
        "schema": {"const": "vectors-1"}, "spec": TEXT, "corpus": TEXT, "area": NAME,
        "about": TEXT,
        "flags": {"type": "object", "additionalProperties": _object({"why": TEXT, "bugType": TEXT, "effect": TEXT})},
        "sources": {"type": "object", "additionalProperties": _object(
            {"impl": TEXT, "version": TEXT, "independent": {"type": "boolean"}})},
        "cases": _listed(CASE, 1)}),
}
