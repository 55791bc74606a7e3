"""Schema: what a room's file may hold, as JSON Schema, made from the tables that read it."""

from typing import Any

from mensura.catalog.pagi_world.calls import TOOLS
from mensura.catalog.pagi_world.rooms.measure import MEASURES
from mensura.catalog.pagi_world.rooms.rules import WORDS
from mensura.catalog.pagi_world.world.kinds import KINDS
from mensura.catalog.pagi_world.world.plan import EVENTS, JOINTS

Schema = dict[str, Any]
COMPUTED: Schema = {"type": "string", "pattern": r"^\[.*\]$"}
"""An expression of what was drawn stands for any value."""
NUMBER: Schema = {"anyOf": [{"type": "number"}, COMPUTED]}
NUMBERS: Schema = {"type": "array", "items": NUMBER}
PAIR: Schema = {**NUMBERS, "minItems": 2, "maxItems": 2}
TEXT: Schema = {"type": "string"}
TEXTS: Schema = {"type": "array", "items": TEXT}
RULE: Schema = {"$ref": "#/$defs/rule"}


def room_schema() -> Schema:
    """Return the schema of a room's file.

    >>> room_schema()["$defs"]["thing"]["properties"]["kind"]["anyOf"][0]["enum"][:2]
    ['apple', 'bacon']
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A room of PAGI World",
        **_object(
            ("name",), name=TEXT, about=TEXT, instructions=TEXT, gravity=PAIR, seconds=NUMBER, editing=_flag(),
            agents=_list("agent", 1), things=_list("thing"), joints=_list("joint"), questions=_list("question"),
            foreign=_list("foreign"), silenced=TEXTS, groups={"type": "array", "items": TEXTS},
            draws={"type": "object"}, success=RULE, failure=RULE, moves=_list("rule"), chance={}, ceiling={},
            praises={"type": "array", "items": {"anyOf": [RULE, _object(("which",), which=NUMBER)]}},
            measures={"type": "object", "additionalProperties": {"$ref": "#/$defs/measure"}},
            water=_object((), boxes={"type": "array", "items": {**NUMBERS, "minItems": 4, "maxItems": 4}}),
        ),
        "$defs": {
            "agent": _object((), role=TEXT, at=PAIR, angle=NUMBER, instructions=TEXT),
            "thing": _object(
                ("kind",), kind={"anyOf": [{"enum": list(KINDS)}, COMPUTED]}, name=TEXT, target=TEXT, picture=TEXT,
                at=PAIR, velocity=PAIR, angle=NUMBER, spin=NUMBER, size=NUMBERS, mass=NUMBER, friction=NUMBER,
                bounce=NUMBER, temperature=NUMBER, texture=NUMBERS, visual=NUMBERS, endorphin=NUMBER, of={},
                turns=_flag(), fixed=_flag(), hooks=NUMBERS, events={"type": "array", "items": {"enum": list(EVENTS)}},
            ),
            "joint": _object(
                ("kind",), kind={"enum": list(JOINTS)}, first=TEXT, second=TEXT, at=PAIR, limits=NUMBERS,
                length=NUMBER, locked=_flag(), breaks={"anyOf": [NUMBER, {"type": "null"}]}, bends=NUMBER,
            ),
            "question": _object(
                ("key", "text", "truth"), key=TEXT, text=TEXT, truth={}, options=TEXTS
            ),
            "foreign": _object(
                ("from", "to", "call"), role=TEXT, to=NUMBER,
                call={"type": "array", "prefixItems": [{"enum": list(TOOLS)}], "minItems": 1},
                **{"from": NUMBER, "if": NUMBER},
            ),
            "measure": {
                "type": "object",
                "required": ["kind"],
                "oneOf": [
                    {"properties": {"kind": {"const": kind}}, "required": ["kind", *needed]}
                    for kind, needed in MEASURES.items()
                ],
            },
            "rule": {
                "type": "object",
                "properties": {word: {} for word in WORDS}
                | {word: _list("rule") for word in ("all", "any")}
                | dict.fromkeys(("not", "at_end", "within"), RULE)
                | {"for": {"type": "array", "prefixItems": [NUMBER, RULE], "minItems": 2, "maxItems": 2}},
                "additionalProperties": False,
                "minProperties": 1,
                "maxProperties": 1,
            },
        },
    }  # fmt: skip


def _object(required: tuple[str, ...], **properties: Schema) -> Schema:
    return {"type": "object", "required": list(required), "properties": properties, "additionalProperties": False}


def _list(of: str, least: int = 0) -> Schema:
    return {"type": "array", "items": {"$ref": f"#/$defs/{of}"}, "minItems": least}


def _flag() -> Schema:
    return {"type": "boolean"}
