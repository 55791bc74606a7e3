"""Rooms: every family is solved by its script, bad files are refused in a sentence, saved sessions go on alike."""

import json
import re
import struct
from pathlib import Path

import numpy as np
import pytest

from mensura.catalog.pagi_world.dialogue import pagi_world
from mensura.catalog.pagi_world.play import PlayTerms, RoomPlay
from mensura.catalog.pagi_world.rooms.room import draw_room, find_room, list_rooms
from mensura.catalog.pagi_world.subjects import reasoner
from mensura.errors import MensuraError
from mensura.running.course import Phase, run_courses
from mensura.running.take import take
from mensura.store import open_store

TASKS = [name for name in list_rooms() if name != "open"]
WET = "water-diversion"


def solved(room, seed, who="solver"):
    return take(pagi_world, who, seed=seed, parameters={"room": room}).truths["result"]["success"]


@pytest.mark.parametrize("room", TASKS)
def test_the_script_of_a_room_solves_it(room):
    assert all(solved(room, seed) for seed in (1, 2))


@pytest.mark.proof
@pytest.mark.parametrize("room", [room for room in TASKS if room != WET])
def test_the_script_of_a_room_solves_200_seeds(room):
    assert sum(solved(room, seed) for seed in range(200)) == 200


@pytest.mark.proof
def test_the_script_of_the_room_with_water_solves_20_seeds():
    assert sum(solved(WET, seed) for seed in range(20)) == 20


@pytest.mark.parametrize("room", [room for room in TASKS if room not in (WET, "hijack", "hot-plate")])
def test_who_does_nothing_solves_nothing(room):
    assert not any(solved(room, seed, "still") for seed in (1, 2, 3))


@pytest.mark.parametrize("room", ["three-pills", "hijack", "two-soldiers", "jump-the-gap"])
def test_the_reasoner_takes_its_rooms(room):
    pytest.importorskip("z3", reason='reasoners need z3: pip install "mensura[reasoning]"')
    assert all(solved(room, seed, "reasoner") for seed in range(4))


@pytest.mark.parametrize("room", ["three-pills", "hijack", "two-soldiers", "jump-the-gap"])
def test_the_reasoner_is_said_to_infer_only_where_z3_is_asked(room, monkeypatch):
    z3 = pytest.importorskip("z3", reason='reasoners need z3: pip install "mensura[reasoning]"')
    asked, check = [], z3.Solver.check
    monkeypatch.setattr(z3.Solver, "check", lambda solver: asked.append(solver) or check(solver))
    # Half of the sessions of the cliff have no push to explain.
    for seed in range(4):
        solved(room, seed, "reasoner")
    readme = (Path(reasoner.__file__).parent.parent / "README.md").read_text()
    said = re.search(r"`reasoner` \(infers with z3 in ([^;]*);", readme.replace("\n", " ")).group(1)
    assert (f"`{room}`" in said) == bool(asked)
    assert (f"`{room}`" in reasoner.Reasoner.__doc__.splitlines()[0]) == bool(asked)


def test_who_asks_its_hand_from_afar_misses_the_ball_that_a_reflex_catches():
    def caught(who):
        parameters = {"room": "catch-ball", "latency": 300}
        taken = [take(pagi_world, who, seed=seed, parameters=parameters) for seed in range(10)]
        return sum(one.truths["result"]["success"] for one in taken)

    assert caught("reflex") >= 9
    assert caught("controller") <= 3


def described(**changes):
    room = {
        "name": "mine",
        "things": [{"kind": "apple", "at": [3, 0]}],
        "success": {"eaten": "apple"},
    }
    return {**room, **changes}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"things": [{"kind": "aple"}]}, "Did you mean apple"),
        ({"things": [{"kind": "apple", "at": [float("nan"), 0]}]}, "finite number"),
        ({"things": [{"kind": "apple"}, {"kind": "apple"}]}, "taken twice"),
        ({"success": {"eaten": "pear"}}, "nobody could reach that"),
        ({"success": {"devoured": "apple"}}, "A rule is an object"),
        ({"draws": {"x": {"from": 1}}}, "The range 'x'"),
        ({"gravity": ["[1/0]", 0]}, "divides by zero"),
        ({"colour": "red"}, "A room has no 'colour'"),
        ({"joints": [{"kind": "pivot", "second": "nobody"}]}, "there is no such thing"),
        ({"seconds": 0}, "seconds lie between"),
    ],
)
def test_a_bad_room_is_refused_in_a_sentence(changes, words):
    with pytest.raises(MensuraError, match=words):
        draw_room(described(**changes), np.random.default_rng(0))


def test_a_picture_outside_the_folder_of_a_room_is_refused(tmp_path):
    path = tmp_path / "room.json"
    path.write_text(json.dumps(described(things=[{"kind": "apple", "picture": "../secret.png"}])))
    with pytest.raises(MensuraError, match="outside the folder"):
        find_room(str(path))


@pytest.mark.parametrize("room", ["key-and-lock", "balance-beam", "two-soldiers"])
def test_a_room_goes_on_alike_after_a_save(room):
    plan = draw_room(find_room(room), np.random.default_rng(4))
    play = RoomPlay(plan, PlayTerms())
    role = plan.roles[0]
    play.call(role, [("setReflex", "push", "", [("addForce", "RHvec", [20, 10])]), ("setState", "a", 500)])
    for _ in range(50):
        play.step()
    state = json.loads(json.dumps(play.state()))
    resumed = RoomPlay(plan, PlayTerms(), state)
    for one in (play, resumed):
        one.call(role, [("addForce", "RHG", None), ("addForce", "J", None)])
        for _ in range(60):
            one.step()
    assert play.state() == resumed.state()


def test_a_room_that_is_saved_as_a_file_can_be_played():
    play = RoomPlay(draw_room(find_room("two-soldiers"), np.random.default_rng(1)), PlayTerms())
    again = draw_room(play.as_room(), np.random.default_rng(0))
    assert {thing.name for thing in again.things} == {thing.name for thing in play.world.things.values()}


def tsk(things, *, cut=None, name="FileSaving"):
    """Write a file as .NET does: a class with a list of classes."""

    def text(value):
        return bytes([len(value)]) + value.encode()

    out = b"\0" + struct.pack("<iiii", 1, -1, 1, 0) + b"\x0c" + struct.pack("<i", 2) + text("PAGI")
    members = ["taskDescriptor", "bodyX", "bodyY", "gravity", "worldObjects"]
    out += b"\x05" + struct.pack("<i", 1) + text(name) + struct.pack("<i", len(members))
    out += b"".join(map(text, members)) + bytes([1, 0, 0, 0, 5]) + bytes([11, 11, 11]) + struct.pack("<i", 2)
    out += b"\x06" + struct.pack("<i", 3) + text("Find it.") + struct.pack("<fff", 1.0, 2.0, -5.0)
    out += b"\x10" + struct.pack("<ii", 4, len(things))
    for n, (number, x, y, angle, title) in enumerate(things):
        if n == 0:
            fields = ["prefabID", "positionX", "positionY", "rotation", "objName"]
            out += b"\x05" + struct.pack("<i", 10) + text("WorldObject") + struct.pack("<i", 5)
            out += b"".join(map(text, fields)) + bytes([0, 0, 0, 0, 1]) + bytes([8, 11, 11, 11]) + struct.pack("<i", 2)
        else:
            out += b"\x01" + struct.pack("<ii", 10 + 2 * n, 10)
        out += struct.pack("<ifff", number, x, y, angle) + b"\x06" + struct.pack("<i", 11 + 2 * n) + text(title)
    return (out + b"\x0b")[:cut]


def test_a_room_of_the_program_of_2018_is_imported(tmp_path):
    path = tmp_path / "old.tsk"
    path.write_bytes(tsk([(1, 3.0, 4.0, 0.0, "apple"), (6, -3.0, 4.0, 45.0, "brick"), (1, 5.0, 4.0, 0.0, "apple")]))
    room = draw_room(find_room(str(path)), np.random.default_rng(0))
    assert room.instructions == "Find it."
    assert room.gravity == (0.0, -5.0)
    assert [(one.kind, one.name, one.at, one.angle) for one in room.things] == [
        ("apple", "apple", (3.0, 4.0), 0.0),
        ("wallBlock", "brick", (-3.0, 4.0), 45.0),
        ("apple", "apple_2", (5.0, 4.0), 0.0),
    ]


def test_what_an_old_room_holds_and_ours_cannot_is_named_and_kits_keep_names_of_their_own(tmp_path):
    path = tmp_path / "old.tsk"
    path.write_bytes(tsk([(24, 0.0, 9.0, 0.0, "kit"), (24, 5.0, 9.0, 0.0, "kit"), (99, 1.0, 1.0, 0.0, "gadget")]))
    described = find_room(str(path))
    assert described["about"].endswith("Left out, since no kind has their number: gadget (99).")
    made = RoomPlay(draw_room(described, np.random.default_rng(0)), PlayTerms())
    assert len(made.world.things) == 4


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (tsk([(1, 0.0, 0.0, 0.0, "apple")], cut=90), "ends early"),
        (b"UnityFS not this", "not a saved room"),
        (tsk([], name="System.Diagnostics.Process"), "it holds a System.Diagnostics.Process"),
    ],
)
def test_what_is_no_such_room_is_refused_in_a_sentence(data, words, tmp_path):
    path = tmp_path / "bad.tsk"
    path.write_bytes(data)
    with pytest.raises(MensuraError, match=words):
        find_room(str(path))


def gap_of(first, subject, folder, courses=3):
    """Return the share of gaps that are jumped over after five sessions of another room: one for each act."""

    phases = [
        Phase("first", "pagi-world", 5, parameters={"room": first}),
        Phase("gap", "pagi-world", 2, learn=False, parameters={"room": "jump-the-gap"}),
    ]
    with open_store(str(folder / f"{first}.db")) as store:
        run = run_courses(phases, subject, store=store, courses=courses, seed=1)["gap"]
        scores = store.results.of(run.head.id).values()
        return sum(float(one.values["success"].values[0]) for one in scores) / len(scores)


@pytest.mark.slow
def test_what_was_learned_at_a_wall_serves_at_a_gap_to_who_keeps_it_and_to_nobody_else(tmp_path):
    assert gap_of("jump-the-wall", "analogist", tmp_path) == 1
    # Of five acts one helps; who forgets tries any of them, and so does who was elsewhere before.
    assert gap_of("jump-the-wall", "analogist#keep=false", tmp_path) < 0.7
    assert gap_of("catch-ball", "analogist", tmp_path) < 0.7
