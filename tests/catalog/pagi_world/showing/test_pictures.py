"""Pictures of things come from the folder of their room, and from nowhere else."""

import json
from base64 import b64decode

import numpy as np

from mensura.catalog.pagi_world.play import PlayTerms, RoomPlay
from mensura.catalog.pagi_world.rooms.room import draw_room
from mensura.catalog.pagi_world.showing.pictures import pictures_of


def test_only_small_pictures_of_the_folder_are_read(tmp_path):
    folder = tmp_path / "room"
    folder.mkdir()
    (folder / "duck.png").write_bytes(b"a duck")
    (folder / "large.png").write_bytes(b"x" * 500)
    (folder / "notes.txt").write_text("private")
    (tmp_path / "other.png").write_bytes(b"outside")
    (folder / "link.png").symlink_to(tmp_path / "other.png")
    names = [
        "duck.png",
        "large.png",
        "notes.txt",
        "../other.png",
        "link.png",
        "missing.png",
        str(tmp_path / "other.png"),
    ]
    things = [{"kind": "block", "name": f"b{n}", "at": [2 * n, 0], "picture": name} for n, name in enumerate(names)]
    room = json.loads(json.dumps({"things": things, "editing": True}))
    play = RoomPlay(draw_room(room, np.random.default_rng(0)), PlayTerms())
    play.folder = folder
    found = pictures_of(play, most=100)
    assert list(found) == ["duck.png"]
    head, _, data = found["duck.png"].partition(",")
    assert (head, b64decode(data)) == ("data:image/png;base64", b"a duck")
