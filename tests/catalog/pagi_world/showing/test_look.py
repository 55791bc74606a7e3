"""How rooms look: the same table for pages and films."""

import json

from mensura.catalog.pagi_world.showing.look import MARKS, room_look
from mensura.catalog.pagi_world.world.kinds import KINDS


def test_every_kind_can_be_drawn_from_data_alone():
    look = json.loads(json.dumps(room_look()))
    assert set(look["kinds"]) == set(KINDS)
    assert set(MARKS) <= set(KINDS)
    for row in look["kinds"].values():
        assert row["outline"][0] in ("circle", "box", "poly", "parts")
        for mark in row["marks"]:
            assert mark[0] in ("poly", "line", "disc")
            assert mark[0] == "disc" or len(mark[-1]) % 2 == 0
