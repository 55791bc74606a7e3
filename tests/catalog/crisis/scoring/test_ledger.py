"""The ledger of the sixteen key tasks."""

from dataclasses import dataclass, field, replace
from typing import Any

from mensura.catalog.crisis.scoring.ledger import TASKS, KeyTask, ledger
from mensura.catalog.crisis.scoring.snapshot import Snapshot


@dataclass
class Did:
    """An entry of an office's history."""

    tick: int
    call: str
    arguments: dict[str, Any] = field(default_factory=dict)
    ok: bool = True
    role: str = "subject"
    proposal: str = ""


def lines(standing: Snapshot, history: list[Did], read: dict[str, int]) -> dict[str, KeyTask]:
    """Give the ledger by task."""
    return {line.task: line for line in ledger(standing, history=history, read=read, batches=["p1"])}


def test_there_are_sixteen_tasks_in_the_order_of_the_source() -> None:
    assert len(TASKS) == 16
    assert next(iter(TASKS)) == "find_message"
    assert list(TASKS)[-1] == "batch"


def test_whoever_does_nothing_has_found_and_done_nothing(found: Snapshot) -> None:
    for line in lines(found, [], {}).values():
        assert (line.found, line.done, line.count) == (None, None, 0)


def test_a_session_is_told_task_by_task(done: Snapshot) -> None:
    standing = replace(done, briefing="The keynote is in Orchard Auditorium.")
    history = [
        Did(100, "ask_room", {"room": "auditorium", "day": 2, "block": 1}),
        Did(130, "move", {"event": "keynote", "room": "auditorium", "day": 2, "block": 1}),
        Did(150, "move", {"event": "panel", "room": "auditorium", "day": 3, "block": 2}),
        Did(170, "move", {"event": "dinner", "room": "terrace", "day": 3, "block": 5}),
        Did(180, "look", {"page": "orders"}),
        Did(200, "change_order", {"order": "o-2", "event": "dinner"}),
        Did(260, "order", {"vendor": "petal", "item": "bouquet", "quantity": 2, "event": "dinner"}),
        Did(280, "edit_entry", {"entry": "site-kofi", "field": "name", "value": "Kofi Mensah"}),
        Did(300, "edit_entry", {"entry": "site-keynote", "field": "room", "value": "Orchard Auditorium"}),
        Did(320, "set_room_fact", {"room": "l12", "fact": "equipment", "value": ["screen", "whiteboard"]}),
        Did(400, "brief", {"text": "..."}),
    ]
    told = lines(standing, history, {"m-1": 30, "m-2": 90, "m-4": 270, "m-6": 255})
    assert (told["find_message"].found, told["find_message"].count) == (30, 4)
    assert told["find_message"].done is None
    assert (told["see_need"].found, told["see_need"].done) == (30, 130)
    assert (told["find_slot"].found, told["find_slot"].done) == (100, 170)
    assert (told["adjust"].count, told["adjust"].of, told["adjust"].done) == (3, 3, 170)
    assert (told["see_adequate"].found, told["see_adequate"].done) == (170, 280)
    assert (told["find_orders"].done, told["change_orders"].done, told["new_orders"].done) == (180, 200, 260)
    assert (told["web_change"].found, told["web_change"].done) == (270, 280)
    assert (told["publish"].count, told["publish"].of, told["publish"].done) == (4, 4, 300)
    assert told["room_facts"].count == 1
    assert (told["brief"].done, told["brief"].of) == (400, 1)
    assert (told["batch"].found, told["batch"].done) == (None, None)


def test_acts_that_came_to_nothing_are_not_done(found: Snapshot) -> None:
    history = [Did(10, "order", {"vendor": "nobody"}, ok=False), Did(20, "move", {"event": "keynote"}, ok=False)]
    told = lines(found, history, {})
    assert told["new_orders"].count == 0
    assert told["adjust"].count == 0


def test_a_batch_counts_when_it_was_carried_out(done: Snapshot) -> None:
    history = [
        Did(10, "batch"),
        Did(20, "edit_entry", {"entry": "site-keynote", "field": "room", "value": "Orchard Auditorium"}, proposal="p1"),
        Did(20, "accept", {"proposal": "p1"}),
    ]
    told = lines(done, history, {})
    assert (told["batch"].found, told["batch"].done) == (10, 20)
    assert lines(done, history[:1], {})["batch"].done is None


def test_things_may_be_called_by_their_names_in_any_case(done: Snapshot) -> None:
    history = [
        Did(130, "move", {"event": "The Keynote", "room": "Orchard Auditorium", "day": 2, "block": 1}),
        Did(150, "move", {"event": "PANEL", "room": "orchard  auditorium", "day": 3, "block": 2}),
        Did(170, "move", {"event": "the dinner", "room": "Terrace Room", "day": 3, "block": 5}),
        Did(180, "look", {"page": " Orders"}),
        Did(280, "edit_entry", {"entry": "Site-Kofi", "field": "name", "value": "Kofi Mensah"}),
        Did(300, "edit_entry", {"entry": "SITE-keynote", "field": "room", "value": "Orchard Auditorium"}),
        Did(320, "set_room_fact", {"room": "Linden 12", "fact": "Equipment", "value": "screen, whiteboard"}),
    ]
    told = lines(done, history, {"m-1": 30, "m-2": 90, "m-4": 270})
    assert (told["adjust"].count, told["adjust"].done) == (3, 170)
    assert (told["find_slot"].count, told["find_slot"].done) == (3, 170)
    assert told["find_orders"].done == 180
    assert (told["web_change"].done, told["publish"].done) == (280, 300)
    assert told["room_facts"].count == 1


def test_what_was_done_in_the_first_second_was_done(done: Snapshot) -> None:
    history = [Did(0, "edit_entry", {"entry": "site-kofi", "field": "name", "value": "Kofi Mensah"})]
    assert lines(done, history, {"m-4": 0})["web_change"].done == 0
    assert lines(done, history, {"m-4": 0})["read_tasks"].count == 1


def test_an_event_copied_on_a_sheet_has_come_to_its_new_place(done: Snapshot) -> None:
    history = [
        Did(10, "copy", {"event": "dinner", "room": "terrace", "day": 3, "block": 5}),
        Did(20, "unschedule", {"event": "dinner", "room": "great", "day": 2, "block": 5}),
    ]
    told = lines(done, history, {})
    assert (told["adjust"].count, told["find_slot"].count) == (1, 1)


def test_an_order_is_taken_up_by_its_number(done: Snapshot) -> None:
    letter, task = next((letter, task) for letter, task in done.world.tasks.values() if task.kind == "order")
    asked = task.model_copy(update={"target": {"order": "o-2", "quantity": 80}})
    tasks = [asked if one is task else one for one in letter.tasks]
    letters = [
        one if one is not letter else one.model_copy(update={"tasks": tuple(tasks)}) for one in done.world.letters
    ]
    standing = replace(done, world=done.world.model_copy(update={"letters": tuple(letters)}))
    told = lines(standing, [Did(50, "change_order", {"order": "o-2", "quantity": 80})], {letter.id: 40})
    assert told["read_tasks"].count == 1
    told = lines(standing, [Did(50, "change_order", {"order": "o-1", "quantity": 80})], {letter.id: 40})
    assert told["read_tasks"].count == 0
