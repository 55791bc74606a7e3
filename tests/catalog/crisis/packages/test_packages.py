"""Packages: found by name or path, bounded, the same world to the byte, and no world shared between purposes."""

import json
from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura.catalog.crisis.packages.build import Built, build, build_world, make, scene_of, with_floors
from mensura.catalog.crisis.packages.check import check
from mensura.catalog.crisis.packages.draw import draw_package
from mensura.catalog.crisis.packages.find import find_package, parse, shipped
from mensura.catalog.crisis.packages.package import Package
from mensura.catalog.crisis.packages.writing import package_words, world_words
from mensura.catalog.crisis.world.data import read
from mensura.catalog.crisis.world.parameters import PackageParameters
from mensura.dialogue.canonical import canonical
from mensura.errors import BadFile, UnknownName

TASKS = {
    "room_facts": "room_fact", "event_facts": "event_fact", "availability": "availability",
    "preferences": "preference", "web": "web", "queries": "query", "orders": "order",
}  # fmt: skip
BOUNDS = {
    "tracks": (2, 8), "papers": (8, 48), "panels": (2, 9), "lost_rooms": (4, 10), "lost_blocks": (3, 8),
    "room_facts": (2, 20), "event_facts": (2, 18), "availability": (2, 16), "preferences": (2, 16), "web": (2, 20),
    "queries": (2, 16), "orders": (1, 8),
}  # fmt: skip


def test_the_shipped_packages_are_these():
    expected = ("crisis-1", "crisis-2", "practice-1", "training-1", "training-2", "training-3", "training-4")
    assert shipped() == expected
    purposes = {name: find_package(name).purpose for name in shipped()}
    assert {name for name, purpose in purposes.items() if purpose == "test"} == {"crisis-1", "crisis-2"}
    assert sum(purpose == "training" for purpose in purposes.values()) == 4


def test_a_practice_package_is_small_and_short():
    world = build_world("practice-1")
    assert world.minutes == 20
    assert len(world.events) < 35
    assert sum(letter.tick >= 0 for letter in world.letters) == 26


def test_no_two_shipped_packages_share_a_seed_or_a_field_between_test_and_training():
    packages = [find_package(name) for name in shipped()]
    assert len({package.source_seed for package in packages}) == len(packages)
    tests = {package.parameters.field for package in packages if package.purpose == "test"}
    others = {package.parameters.field for package in packages if package.purpose != "test"}
    assert not tests & others


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_no_seed_of_one_purpose_is_ever_a_seed_of_another(one, other):
    seeds = [
        Package(name="x", seed=seed, purpose=purpose).source_seed
        for seed, purpose in ((one, "test"), (other, "training"), (other, "practice"))
    ]
    assert len(set(seeds)) == 3


def test_the_same_seed_gives_other_people_for_other_purposes():
    test, training = (build(draw_package(seed=7, purpose=purpose)) for purpose in ("test", "training"))
    assert test.hash != training.hash
    assert test.boss != training.boss


def test_the_same_package_gives_the_same_bytes():
    for name in ("crisis-1", "practice-1"):
        one, other = build(find_package(name)), build(find_package(name))
        assert canonical(one.data()) == canonical(other.data())
        assert one.hash == other.hash == build_world(name).hash


def test_an_unknown_package_is_named_with_the_nearest():
    with pytest.raises(UnknownName, match="Did you mean crisis-1"):
        find_package("crisis-11")


def test_a_file_that_is_not_there_is_said_so(tmp_path):
    with pytest.raises(BadFile, match="cannot be read"):
        find_package(str(tmp_path / "none.yaml"))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            "name: x\nseed: 1\nparameters: {lost_rooms: 14}",
            "parameters.lost_rooms: Input should be less than or equal to 10",
        ),
        ("name: x\nseed: 1\nparameters: {held: 0.9}", "parameters.held"),
        ("name: x\nseed: 1\nparameters: {lost_romms: 4}", "parameters.lost_romms"),
        ("name: x\nseed: -1", "seed"),
        ("name: x\nseed: 1\npurpose: exam", "purpose"),
        ("seed: 1", "name: Field required"),
        ("name: x\nseed: 1\nparameters: {messages: 150, noise: 20}", "messages - noise must lie between 55 and 80"),
        ("- 1", "holds no package"),
        ("a: [", "is not YAML"),
    ],
)
def test_what_lies_outside_the_bounds_is_refused_with_its_place(words, expected):
    with pytest.raises(BadFile) as wrong:
        parse(words, place="mine.yaml")
    assert "mine.yaml" in str(wrong.value)
    assert expected in str(wrong.value)


def test_a_variable_that_nothing_uses_is_refused():
    with pytest.raises(BadFile, match=r"variables\.wifi_pasword"):
        build(Package(name="x", seed=1, variables={"wifi_pasword": "x"}), place="mine.yaml")


def test_an_unknown_field_is_refused_with_those_there_are():
    with pytest.raises(BadFile, match=r"parameters.field.*Soils"):
        build(Package(name="x", seed=1, parameters=PackageParameters(field="Soil")))


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 500), st.sampled_from(["test", "training"]))
def test_drawn_packages_differ_and_stay_within_the_bounds(seed, purpose):
    package = draw_package(seed=seed, purpose=purpose)
    assert 6 <= package.parameters.lost_blocks <= 8
    assert 8 <= package.parameters.lost_rooms <= 10
    assert 90 <= package.parameters.messages <= 135
    assert package.first.weekday() == 0


def test_a_package_written_down_is_read_back(tmp_path):
    package = draw_package(seed=4)
    assert package == draw_package(seed=4)
    path = tmp_path / "mine.yaml"
    path.write_text(package_words(package), encoding="utf-8")
    assert find_package(str(path)) == package
    assert build_world(str(path)).hash == build(package).hash


def test_a_world_written_down_is_read_back_and_can_be_edited(tmp_path):
    world = build_world("practice-1")
    path = tmp_path / "world.yaml"
    words = world_words(world)
    path.write_text(words, encoding="utf-8")
    again = build_world(str(path))
    assert again.hash == world.hash
    assert again.purpose == "practice"
    edited = tmp_path / "edited.yaml"
    edited.write_text(words.replace(f"title: {world.title}", "title: Congress of Umbrellas"), encoding="utf-8")
    assert build_world(str(edited)).title == "Congress of Umbrellas"


def test_a_world_whose_file_is_wrong_names_the_place(tmp_path):
    said = json.loads(canonical(build_world("practice-1").data()))
    said["rooms"][0]["capacity"] = "many"
    path = tmp_path / "world.json"
    path.write_text(json.dumps(said), encoding="utf-8")
    with pytest.raises(BadFile, match=r"rooms\.0\.capacity"):
        build_world(str(path))


def test_a_world_that_contradicts_itself_is_not_played(tmp_path):
    said = json.loads(canonical(build_world("practice-1").data()))
    said["events"][0]["room"] = "atlantis"
    path = tmp_path / "world.json"
    path.write_text(json.dumps(said), encoding="utf-8")
    with pytest.raises(BadFile, match="there is no room 'atlantis'"):
        build_world(str(path))


def test_floors_are_not_believed_of_another_world():
    package = find_package("crisis-1")
    other = build(package.model_copy(update={"seed": 1}))
    assert package.found is not None
    assert with_floors(Built(other, make(package).witness), package) == other
    assert with_floors(Built(other, package.found.witness), package) == other
    assert with_floors(Built(other, None), package) == other


def test_a_package_that_was_never_linted_is_built_once_and_has_bounds_of_its_floors(monkeypatch):
    drawn = []
    monkeypatch.setattr(
        "mensura.catalog.crisis.packages.build.scene_of",
        lambda package, **place: drawn.append(package.seed) or scene_of(package, **place),
    )
    package = find_package("practice-1").model_copy(update={"seed": 12, "found": None})
    world = with_floors(make(package), package)
    assert drawn == [12]
    assert world.ceiling == {"quality": 1.0}
    assert world.best.keys() == world.event.keys()


def test_what_the_linter_found_is_no_part_of_the_hash():
    world = build_world("crisis-1")
    assert world.model_copy(update={"floor_money": 5.0, "floor_bumps": 2, "ceiling": {}}).hash == world.hash


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"tracks": 2, "papers": 48}, "48 paper sessions do not fit into 2 tracks"),
        ({"tracks": 4, "papers": 40, "panels": 9, "workshops": 3}, r"parameters\.papers: \d+ events do not fit"),
        ({"preferences": 16, "papers": 8, "panels": 2, "tracks": 2, "messages": 113}, r"parameters\.preferences: only"),
        (
            {"room_facts": 19, "event_facts": 2, "availability": 4, "preferences": 16, "web": 2, "queries": 2,
             "orders": 8, "messages": 84},
            r"parameters\.messages: \d+ of the tasks would have to be brought with another .* make it \d+ or more",
        ),
    ],
)  # fmt: skip
def test_parameters_that_ask_too_much_are_refused_with_their_name(parameters, words):
    with pytest.raises(BadFile, match=rf"^mine\.yaml: .*{words}"):
        build(read(Package, {"name": "x", "seed": 5, "parameters": parameters}, place="mine.yaml"), place="mine.yaml")


def test_the_number_of_messages_that_a_refusal_names_is_enough():
    counts = {"room_facts": 19, "event_facts": 2, "availability": 4, "preferences": 16, "web": 2, "queries": 2}
    parameters = {**counts, "orders": 8, "messages": 84}
    with pytest.raises(BadFile) as said:
        build(Package(name="x", seed=5, parameters=PackageParameters(**parameters)))
    enough = int(str(said.value).rpartition("make it ")[2].split()[0])
    world = build(Package(name="x", seed=5, parameters=PackageParameters(**{**parameters, "messages": enough})))
    assert sum(letter.tick >= 0 for letter in world.letters) == enough
    assert len([task for letter, task in world.tasks.values() if letter.tick >= 0]) == 53 + 5


@pytest.mark.slow
def test_worlds_of_any_parameters_within_bounds_hold_what_was_asked_for_or_are_refused():
    rng, built = Random(3), 0
    for seed in range(20):
        said = {name: rng.randint(*bounds) for name, bounds in BOUNDS.items()}
        tasks = sum(said[name] for name in TASKS)
        said |= {"noise": rng.randint(4, 60)}
        said["messages"] = said["noise"] + 5 + rng.randint(-(-tasks * 2 // 3), tasks)
        try:
            package = read(Package, {"name": "x", "seed": seed, "parameters": said}, place="x")
            world = build(package)
        except BadFile:
            continue
        built += 1
        arriving = [letter for letter in world.letters if letter.tick >= 0]
        kinds = Counter(task.kind for letter in arriving for task in letter.tasks)
        assert len(arriving) == said["messages"]
        assert sum(not letter.tasks for letter in arriving) == said["noise"]
        assert {name: kinds[kind] for name, kind in TASKS.items()} == {name: said[name] for name in TASKS}
        assert check(world) == []
    assert built > 7
