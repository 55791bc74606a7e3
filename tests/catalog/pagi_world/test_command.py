"""What people type: rooms, kinds, schema, and a drawn room that can be checked, changed and played."""

import json

import pytest
from click.testing import CliRunner

from mensura.catalog.pagi_world.rooms.room import list_rooms
from mensura.cli.main import cli


def said(*words):
    done = CliRunner().invoke(cli, ["pagi-world", *words])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_rooms_kinds_and_schema_are_printed():
    assert [one["name"] for one in said("rooms", "--json")["rooms"]] == list_rooms()
    assert any(one["name"] == "apple" for one in said("kinds", "--json")["kinds"])
    assert said("schema")["title"] == "A room of PAGI World"


@pytest.mark.parametrize("room", ["hijack", "balance-beam", "magnet"])
def test_a_drawn_room_is_a_file_that_can_be_checked(room, tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(said("show", room, "--seed", "3")))
    assert said("check", str(path), "--json")["overlaps"] == []


def test_things_that_lie_in_each_other_are_named(tmp_path):
    blocks = [{"kind": "block", "name": name, "at": [5, 5]} for name in ("one", "other")]
    (tmp_path / "bad.json").write_text(json.dumps({"name": "bad", "things": blocks, "success": {"after": 1}}))
    assert said("check", str(tmp_path / "bad.json"), "--json")["overlaps"] == [["one", "other"]]


@pytest.mark.parametrize("room", [room for room in list_rooms() if room != "water-diversion"])
def test_nothing_lies_in_anything_in_the_rooms_that_come_with_it(room):
    assert said("check", room, "--json")["overlaps"] == []
