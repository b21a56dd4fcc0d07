"""The JSON Schemas of the files (11), as the objects that make_vectors.py writes."""

from errors import CLASSES
from ops import OPS


def _map(value):
    return {"type": "object", "additionalProperties": value}


def _object(required, optional=()):
    return {"type": "object", "additionalProperties": False, "required": list(required),
            "properties": {**dict(required), **dict(optional)}}


TEXT = {"type": "string"}
HEX = {"type": "string", "pattern": "^([0-9a-f]{2})*$"}
NAME = {"type": "string", "pattern": "^[A-Za-z0-9]+$"}
REQUIREMENT = {"type": "string", "pattern": "^[A-Z]+-[0-9]{3}$"}
FEATURE = {"type": "string", "pattern": "^[a-z]+\\.[a-z-]+$"}
CASE_ID = {"type": "string", "pattern": "^[a-z]+-[a-z]+-[0-9]{4}$"}
NATURAL = {"type": "integer", "minimum": 0}


def _listed(item, least=0):
    return {"type": "array", "items": item, **({"minItems": least} if least else {})}


FILL = _object({"fill": {"type": "string", "pattern": "^[0-9a-f]{2}$"}, "n": {"type": "integer", "minimum": 1}})
PARTS = _listed({"anyOf": [HEX, FILL]}, 1)
VALUE = {"anyOf": [TEXT, PARTS]}
EDIT = _object({"at": NATURAL, "del": NATURAL, "ins": {"anyOf": [HEX, PARTS]}})
TWIN = _object({"of": CASE_ID, "field": TEXT, "edits": _listed(EDIT, 1)}, {"layer": {"enum": ["plaintext"]}})
REJECT = _object({"class": {"enum": list(CLASSES)}, "layer": {"enum": ["seal", "frame", "value", "state"]}},
                 {"also": _listed({"enum": list(CLASSES)}, 1)})
CASE = {
    **_object({"id": CASE_ID, "op": {"anyOf": [{"enum": list(OPS)}, {"type": "string", "pattern": "^canary\\."}]}, "in": _map(VALUE), "req": _listed(REQUIREMENT, 1),
               "flags": _listed(NAME), "source": NAME, "added": TEXT},
              {"out": _map(VALUE), "reject": REJECT, "twin": TWIN, "twinless": TEXT, "decoys": _map(TEXT),
               "comment": TEXT, "requires": _listed(FEATURE, 1)}),
    "oneOf": [{"required": ["out"]}, {"required": ["reject"]}],
}
VECTORS = {
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


def _list_file(name, title, item):
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **_object({
        "schema": {"const": f"{name}-1"}, "spec": TEXT, "corpus": TEXT, "about": TEXT, name: _listed(item)})}


SCHEMAS = {
    "vectors-1": VECTORS,
    "bugs-1": _list_file("bugs", "Cenotaph mistakes", _object(
        {"name": {"type": "string", "pattern": "^[a-zA-Z]+\\.[a-zA-Z0-9-]+$"}, "description": TEXT,
         "killed": {"type": "integer", "minimum": 1}, "by": _listed(CASE_ID, 1)}, {"strict": {"const": True}})),
    "withdrawn-1": _list_file("withdrawn", "Cenotaph withdrawn cases", _object(
        {"id": CASE_ID, "withdrawn": TEXT, "reason": TEXT, "case": CASE}, {"replacement": CASE_ID})),
}
