"""The schema of rooms agrees with what reads them."""

from dataclasses import fields

import jsonschema
import numpy as np
import pytest

from mensura.catalog.pagi_world.play import PlayTerms, RoomPlay
from mensura.catalog.pagi_world.rooms.room import PARTS, draw_room, find_room, list_rooms
from mensura.catalog.pagi_world.rooms.schema import room_schema
from mensura.catalog.pagi_world.world.plan import JointPlan, ThingPlan


@pytest.mark.parametrize("name", list_rooms())
def test_rooms_and_what_is_written_of_them_keep_the_schema(name):
    schema, room = room_schema(), find_room(name)
    jsonschema.validate(room, schema)
    if name != "water-diversion":
        jsonschema.validate(RoomPlay(draw_room(room, np.random.default_rng(0)), PlayTerms()).as_room(), schema)


def test_the_schema_names_every_part_that_is_read_and_no_other():
    schema = room_schema()
    assert set(schema["properties"]) == PARTS
    for part, plan in (("thing", ThingPlan), ("joint", JointPlan)):
        assert set(schema["$defs"][part]["properties"]) == {one.name for one in fields(plan)}


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "a", "colour": "red"},
        {"name": "a", "things": [{"kind": "aple"}]},
        {"name": "a", "success": {"devoured": "apple"}},
        {"name": "a", "measures": {"m": {"kind": "when"}}},
        {"name": "a", "agents": []},
    ],
)
def test_what_is_refused_when_read_is_refused_by_the_schema(wrong):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, room_schema())
