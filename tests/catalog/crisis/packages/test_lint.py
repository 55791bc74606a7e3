"""The linter: refuses with the place, proves solvable, and what is stored beside the shipped packages is current."""

import json

import pytest

from mensura.catalog.crisis.packages.build import build, build_world
from mensura.catalog.crisis.packages.check import check
from mensura.catalog.crisis.packages.find import find_package, shipped
from mensura.catalog.crisis.packages.lint import lint, lint_package, words_of
from mensura.catalog.crisis.packages.package import Package
from mensura.catalog.crisis.schedule import span
from mensura.catalog.crisis.world.conference import FOUND
from mensura.catalog.crisis.world.requirement import Requirement
from mensura.errors import BadFile

PRACTICE = "practice-1"


@pytest.fixture(scope="module")
def practice():
    return build_world(PRACTICE)


def places(world):
    return [str(finding) for finding in check(world)]


def world_json(world):
    return world.model_dump_json(exclude_defaults=True, exclude=FOUND)


def with_letter(world, id, **changes):
    letters = tuple(one.model_copy(update=changes) if one.id == id else one for one in world.letters)
    return world.model_copy(update={"letters": letters})


def with_rule(world, **rule):
    return world.model_copy(update={"rules": (*world.rules, Requirement.model_validate(rule))})


@pytest.mark.parametrize("name", shipped())
def test_nothing_is_wrong_with_the_shipped_packages(name):
    assert check(build_world(name)) == []


def test_nothing_is_wrong_with_the_small_world(small):
    assert [str(finding) for finding in check(small) if "answers it" not in finding.words] == []


@pytest.mark.parametrize("seed", range(20, 26))
def test_nothing_is_wrong_with_drawn_packages(seed):
    assert check(build(Package(name="x", seed=seed))) == []


def test_a_dangling_variable_is_refused_with_message_and_field(practice):
    world = with_letter(practice, "m-3", body="Please see {room} on {first+1|weekday}.")
    assert places(world)[:2] == [
        "letters, m-3, body: the variable '{room}' dangles: it was never filled in.",
        "letters, m-3, body: the variable '{first+1|weekday}' dangles: it was never filled in.",
    ]
    assert "'[[' dangles" in places(with_letter(practice, "m-3", body="[[By the way.]] See you."))[0]
    assert not places(with_letter(practice, "m-3", body="<![CDATA[ see you ]]>"))
    assert "'{Room2}' dangles" in places(with_letter(practice, "m-3", body="Please see {Room2}."))[0]


def test_a_circle_of_orders_is_refused_with_its_rules(practice):
    world = with_rule(
        practice, id="one", kind="before", leaf="requests", event="papers-a2", other="papers-b2", source="m-3"
    )
    world = with_rule(
        world, id="two", kind="before", leaf="requests", event="papers-b2", other="papers-a2", source="m-4"
    )
    assert any(
        "rules, " in place and "one" in place and "two" in place and "m-3, m-4" in place for place in places(world)
    )


def test_an_event_before_itself_is_refused(practice):
    world = with_rule(practice, id="one", kind="before", leaf="requests", event="papers-a2", other="papers-a2")
    assert "rules, one: papers-a2 would have to come before itself (from manual)." in places(world)


def test_a_circle_through_the_manual_is_found_too(practice):
    world = with_rule(practice, id="back", kind="before", leaf="requests", event="panel-a1", other="papers-a1")
    assert any("would have to come before the other" in place for place in places(world))


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ({"kind": "room", "event": "papers-a1", "place": "attic"}, "rules, new, place: there is no room 'attic'."),
        ({"kind": "building", "event": "papers-a1", "place": "castle"}, "there is no building 'castle'"),
        ({"kind": "away", "person": "nobody", "slots": (1,)}, "rules, new, person: there is no person 'nobody'."),
        ({"kind": "placed", "event": "papers-z9"}, "rules, new, event: there is no event 'papers-z9'."),
        ({"kind": "apart", "event": "papers-a1", "other": "papers-z9"}, "rules, new, other: there is no event"),
        ({"kind": "slots", "event": "papers-a1", "slots": (25,)}, "there is no slot 25"),
        ({"kind": "slots", "event": "papers-a1", "slots": (4,)}, "together they leave no time for papers-a1"),
        ({"kind": "placed", "event": "papers-a1", "leaf": "luck"}, "rules, new, leaf: there is no leaf 'luck'."),
        ({"kind": "placed", "event": "papers-a1", "source": "m-999"}, "there is no message 'm-999'"),
        ({"kind": "equipment", "event": "papers-a1", "item": "samovar"}, "rules, new, item: there is no equipment"),
        ({"id": "", "kind": "placed", "event": "papers-a1"}, "rules: an id is empty"),
    ],
)  # fmt: skip
def test_rules_about_what_is_not_there_are_refused_with_the_place(practice, rule, expected):
    world = with_rule(practice, **{"id": "new", "leaf": "requests", **rule})
    assert any(expected in place for place in places(world))


def test_an_unknown_sender_and_a_late_message_are_refused(practice):
    assert "letters, m-2, sender: there is no person or vendor 'ghost'." in places(
        with_letter(practice, "m-2", sender="ghost")
    )
    late = places(with_letter(practice, "m-2", tick=99999))
    assert "letters, m-2, tick: it would arrive after the 20 minutes are over." in late


def test_orders_and_closed_rooms_at_times_that_are_not_there_are_refused(practice):
    order, *others = practice.orders
    orders = (order.model_copy(update={"slot": 20}), *others)
    assert f"orders, {order.id}, slot: there is no slot 20; they are counted from 0 to 19." in places(
        practice.model_copy(update={"orders": orders})
    )
    room, *rest = practice.rooms
    rooms = (room.model_copy(update={"closed": (-1,)}), *rest)
    assert f"rooms, {room.id}, closed: there is no slot -1; they are counted from 0 to 19." in places(
        practice.model_copy(update={"rooms": rooms})
    )


def test_a_vendor_who_gives_what_no_rule_knows_is_refused(practice):
    vendor, *others = practice.vendors
    item, *rest = vendor.items
    wrong = vendor.model_copy(update={"items": (item.model_copy(update={"gives": "projecter"}), *rest)})
    assert f"vendors, {vendor.id}, {item.id}, gives: there is no equipment 'projecter'." in places(
        practice.model_copy(update={"vendors": (wrong, *others)})
    )


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("rooms", 0, "price"), float("nan")),
        (("rooms", 0, "price"), -5.0),
        (("rooms", 0, "capacity", "theatre"), -1),
        (("events", 0, "attendance"), -1),
        (("vendors", 0, "lead_days"), 10**12),
        (("vendors", 0, "items", 0, "price"), float("inf")),
        (("rules", 0, "weight"), -1.0),
        (("first",), "9999-12-31"),
        (("minutes",), 0),
    ],
)
def test_numbers_that_cannot_be_are_refused_with_the_place(practice, path, value):
    said = json.loads(world_json(practice))
    inner = said
    for part in path[:-1]:
        inner = inner[part]
    inner[path[-1]] = value
    with pytest.raises(BadFile, match=rf"^mine\.yaml: {'.'.join(map(str, path))}: Input should be"):
        build(Package(name="mine", seed=1, world=said), place="mine.yaml")


def test_two_things_with_one_id_are_refused(practice):
    world = practice.model_copy(update={"rooms": (*practice.rooms, practice.rooms[0])})
    assert f"rooms, {practice.rooms[0].id}: the id is used 2 times; each thing needs its own." in places(world)


def test_a_target_that_is_not_there_is_refused(practice):
    letter, task = next((letter, task) for letter, task in practice.tasks.values() if task.kind == "web")
    wrong = tuple(
        one.model_copy(update={"target": {**one.target, "entry": "person-x"}}) if one is task else one
        for one in letter.tasks
    )
    assert f"letters, {letter.id}, {task.id}, target: there is no entry 'person-x'." in places(
        with_letter(practice, letter.id, tasks=wrong)
    )


@pytest.mark.parametrize("kind", ["web", "room_fact", "event_fact", "availability", "preference", "order"])
def test_a_task_that_does_not_say_what_would_settle_it_is_refused(practice, kind):
    letter, task = next((letter, task) for letter, task in practice.tasks.values() if task.kind == kind)
    wrong = tuple(one.model_copy(update={"target": {}}) if one is task else one for one in letter.tasks)
    found = places(with_letter(practice, letter.id, tasks=wrong))
    assert any(f"letters, {letter.id}, {task.id}, target: a task of kind {kind} says its" in place for place in found)


def test_a_target_that_is_no_name_is_refused(practice):
    letter, task = next((letter, task) for letter, task in practice.tasks.values() if task.kind == "room_fact")
    wrong = tuple(
        one.model_copy(update={"target": {**one.target, "room": ["attic"]}}) if one is task else one
        for one in letter.tasks
    )
    assert f"letters, {letter.id}, {task.id}, target: there is no room ['attic']." in places(
        with_letter(practice, letter.id, tasks=wrong)
    )


@pytest.mark.parametrize("answer", ["desk", 7, None])
def test_an_answer_that_is_no_list_is_refused(practice, answer):
    letter, task = next((letter, task) for letter, task in practice.tasks.values() if task.kind == "query")
    wrong = tuple(one.model_copy(update={"target": {"answer": answer}}) if one is task else one for one in letter.tasks)
    assert any(
        "the answer is a list of words" in place for place in places(with_letter(practice, letter.id, tasks=wrong))
    )


def test_a_question_that_nothing_answers_is_refused(practice):
    letter, task = next((letter, task) for letter, task in practice.tasks.values() if task.kind == "query")
    wrong = tuple(
        one.model_copy(update={"target": {"answer": ["forty-two"]}}) if one is task else one for one in letter.tasks
    )
    found = places(with_letter(practice, letter.id, tasks=wrong))
    assert any("answers it (forty-two)" in place for place in found)


def test_a_refused_world_is_not_searched_and_says_what_is_wrong(practice):
    report = lint(with_letter(practice, "m-2", sender="ghost"))
    assert report.refused
    assert not report.solvable
    assert words_of(report).startswith("practice-1 is refused.\n  letters, m-2, sender")


def test_a_drawn_package_is_proven_solvable_by_a_schedule_that_meets_every_rule():
    pytest.importorskip("ortools")
    report = lint_package(Package(name="x", seed=77), quick=True)
    assert report.solvable
    assert not report.refused
    assert report.ceiling == {"quality": 1.0}
    assert report.difficulty["bumps_needed"] == report.floor_bumps
    assert report.difficulty["messages"] == 107
    assert report.difficulty["noise"] == 42


def test_wishes_that_exclude_one_another_are_refused_with_their_messages(practice):
    rooms = [room.id for room in practice.rooms if room.usable][:2]
    world = with_rule(
        practice, id="here", kind="room", leaf="requests", event="papers-a1", place=rooms[0], source="m-3"
    )
    world = with_rule(world, id="there", kind="room", leaf="requests", event="papers-a1", place=rooms[1], source="m-4")
    found = places(world)
    assert any("here, there: together they leave no room for papers-a1" in place for place in found)
    assert any("m-3, m-4" in place for place in found)


@pytest.mark.slow
def test_a_world_without_a_solution_is_refused_with_the_rule_and_its_message(practice, monkeypatch):
    """Two events wish for one room at one time: each wish is possible, both are not."""
    pytest.importorskip("ortools")
    monkeypatch.setattr("mensura.catalog.crisis.planning.truth.BEST_WORK", 0.5)
    monkeypatch.setattr("mensura.catalog.crisis.planning.truth.BEST_KEEP", 3)
    room = next(room.id for room in practice.rooms if room.kind == "hall" and room.id not in practice.loss.rooms)
    world = practice
    for event, source in (("papers-a2", "m-3"), ("papers-b2", "m-4")):
        world = with_rule(
            world, id=f"at-{event}", kind="slots", leaf="requests", event=event, slots=(16,), source=source
        )
        world = with_rule(world, id=f"in-{event}", kind="room", leaf="requests", event=event, place=room, source=source)
    assert check(world) == []
    report = lint(world, witness=find_package(PRACTICE).found.witness)
    assert report.refused
    assert not report.solvable
    assert any("from m-3" in finding.place or "from m-4" in finding.place for finding in report.findings)


@pytest.mark.slow
def test_a_proof_is_searched_for_where_none_is_given(practice, monkeypatch):
    pytest.importorskip("ortools")
    monkeypatch.setattr("mensura.catalog.crisis.planning.truth.BEST_WORK", 3.0)
    report = lint(practice, quick=True)
    assert report.solvable
    assert set(report.witness) == set(practice.event)


@pytest.mark.parametrize("name", shipped())
def test_what_is_stored_beside_a_package_is_current(name):
    package = find_package(name)
    world = build_world(name)
    assert package.found is not None
    assert package.found.hash == world.hash, (
        f"store it again: mensura generate crisis --lint {name} --out src/.../packages/shipped"
    )
    assert world.floor_money == package.found.floor_money
    assert world.floor_bumps == package.found.floor_bumps
    assert world.ceiling["quality"] > 0.99


@pytest.mark.parametrize("name", shipped())
def test_the_stored_proof_holds_by_counting(name):
    """Counted here by the world's own words, without the optimiser or the score."""
    world = build_world(name)
    witness = find_package(name).found.witness
    stands = {}
    for id, (room, slot) in witness.items():
        event = world.event[id]
        held = {held.slot for held in world.room[room].reservations if not held.yields}
        lost = set(world.loss.slots) if room in world.loss.rooms else set()
        slots = set(span(slot, event.length))
        assert not slots & (held | lost | set(world.room[room].closed)), id
        assert world.room[room].capacity[event.layout] >= event.attendance, id
        for each in slots:
            assert stands.setdefault((room, each), id) == id
    at = {id: set(span(slot, world.event[id].length)) for id, (_, slot) in witness.items()}
    for rule in world.rules:
        if rule.kind == "away":
            assert all(not at[event.id] & set(rule.slots) for event in world.events if rule.person in event.people), (
                rule.id
            )
        elif rule.kind == "slots":
            assert witness[rule.event][1] in rule.slots, rule.id
        elif rule.kind == "before":
            assert max(at[rule.event]) < min(at[rule.other]), rule.id
        elif rule.kind == "apart":
            assert not at[rule.event] & at[rule.other], rule.id
        elif rule.kind == "building":
            assert world.room[witness[rule.event][0]].building == rule.place, rule.id
        elif rule.kind == "room":
            assert witness[rule.event][0] == rule.place, rule.id
        elif rule.kind == "stay":
            assert witness[rule.event] == (world.event[rule.event].room, world.event[rule.event].slot), rule.id
        elif rule.kind == "same_building":
            one, other = (world.room[witness[id][0]].building for id in (rule.event, rule.other))
            assert one == other, rule.id
        elif rule.kind == "speakers":
            people = world.event[rule.event].people
            others = [other for other in world.events if other.id != rule.event and at[other.id] & at[rule.event]]
            assert all(not people & other.people for other in others), rule.id
