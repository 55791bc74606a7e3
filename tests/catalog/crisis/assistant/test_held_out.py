"""What the assistant learned in training packages, tried on test packages that it never saw."""

import numpy as np
import pytest

from mensura.catalog.crisis.act import same
from mensura.catalog.crisis.assistant.classifier import Classifier
from mensura.catalog.crisis.assistant.drafter import Drafter
from mensura.catalog.crisis.assistant.elicitor import Elicitor
from mensura.catalog.crisis.assistant.extractor import Extractor
from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.assistant.learning.learned import Learned, check_apart, read_learned
from mensura.catalog.crisis.assistant.reader import Reader
from mensura.catalog.crisis.assistant.room_finder import RoomFinder, owner_features
from mensura.catalog.crisis.assistant.workflow import Workflow
from mensura.catalog.crisis.office.office import OfficeState
from mensura.catalog.crisis.office.visible import known
from mensura.catalog.crisis.packages.build import build_world
from mensura.catalog.crisis.packages.find import find_package
from mensura.catalog.crisis.settings import BASE, RADAR
from mensura.catalog.crisis.subjects.settling import acts_for
from mensura.catalog.crisis.world.conference import Conference

Held = tuple[Conference, OfficeState, Known]


@pytest.fixture(scope="module")
def learned() -> Learned:
    return read_learned("default")


@pytest.fixture(scope="module", params=["crisis-1", "crisis-2"])
def held_out(request: pytest.FixtureRequest) -> Held:
    world = build_world(request.param)
    office = OfficeState(world, tools=BASE | RADAR)
    office.arrive(world.minutes * 60)
    return world, office, Known(known(office))


def f_score(classifier: Classifier, held_out: Held) -> float:
    world, _, office = held_out
    reader = Reader(office)
    given = right = true = 0
    for letter in world.letters:
        if letter.tick >= 0:
            labels = set(classifier.labels(office.letters[letter.id], office, reader=reader))
            kinds = {task.kind for task in letter.tasks}
            given, right, true = given + len(labels), right + len(labels & kinds), true + len(kinds)
    return 2 * right / (given + true)


def wrong_and_right(extractor: Extractor, held_out: Held) -> tuple[int, int]:
    world, _, office = held_out
    wrong = right = 0
    for letter in world.letters:
        wanted = [
            act for task in letter.tasks for act in acts_for(task, message=letter.id, world=world, constraints=True)
        ]
        if letter.tick >= 0 and wanted:
            for entry in extractor.entries(office.letters[letter.id], office):
                hit = any(same(entry.act, act) for act in wanted)
                right, wrong = right + hit, wrong + (not hit)
    return wrong, right


def test_the_shipped_learning_comes_from_training_packages_only(learned: Learned) -> None:
    assert [source.purpose for source in learned.sources] == ["training"] * 4
    for name in ("crisis-1", "crisis-2", "practice-1"):
        package = find_package(name)
        check_apart(learned, package=name, purpose=package.purpose, seed=package.source_seed)


def test_the_shipped_learning_was_made_in_the_worlds_as_they_are(learned: Learned) -> None:
    stale = [source.package for source in learned.sources if build_world(source.package).hash != source.hash]
    assert not stale, "Train again: mensura generate crisis-learning --out assistant/learning/learned/default.json"


def test_labels_are_better_than_keywords(learned: Learned, held_out: Held) -> None:
    unlearned, taught = f_score(Classifier({}), held_out), f_score(Classifier(learned.classifier), held_out)
    assert taught > 0.8
    assert taught > unlearned + 0.15


def test_forms_are_as_many_and_fewer_are_wrong(learned: Learned, held_out: Held) -> None:
    wrong_before, right_before = wrong_and_right(Extractor({}), held_out)
    wrong, right = wrong_and_right(Extractor(learned.extractor), held_out)
    assert right >= right_before - 3
    assert wrong < wrong_before
    assert right_before > 40


def test_owners_answers_are_foreseen(learned: Learned, held_out: Held) -> None:
    world, _, office = held_out
    finder = RoomFinder(learned.room_finder)
    chances, answers = [], []
    for room in world.rooms:
        for held, shown in zip(room.reservations, office.rooms[room.id]["reservations"], strict=True):
            chances.append(finder.chance(owner_features(office, office.rooms[room.id], shown)))
            answers.append(held.yields)
    loss = np.mean((np.array(chances) - np.array(answers)) ** 2)
    assert loss < 0.2
    assert np.corrcoef(chances, answers)[0, 1] > 0.5


def test_facts_of_the_same_campus_are_remembered(learned: Learned, held_out: Held) -> None:
    assert seats_error(Elicitor(learned.elicitor), held_out) < 0.5 * seats_error(Elicitor({}), held_out)


def test_on_another_campus_only_what_is_usual_is_carried_over(learned: Learned, held_out: Held) -> None:
    elsewhere = Elicitor({**learned.elicitor, "campus": {}})
    assert seats_error(elsewhere, held_out) < seats_error(Elicitor({}), held_out)


def seats_error(elicitor: Elicitor, held_out: Held) -> float:
    world, _, office = held_out
    beliefs, table = elicitor.seats(office), office.raw["facts"]["capacity"]
    return float(
        np.mean(
            [
                abs(beliefs.get((room.id, layout), table[room.id].get(layout, 0)) - seats) / seats
                for room in world.rooms
                if room.usable
                for layout, seats in room.capacity.items()
            ]
        )
    )


def test_announcements_can_be_written_without_examples(learned: Learned, held_out: Held) -> None:
    assert Workflow({}).rules(held_out[2]) == {}
    assert Workflow(learned.workflow).rules(held_out[2]) == {"room": "room", "time": "time"}


def test_a_draft_says_what_people_kept(learned: Learned, held_out: Held) -> None:
    kinds = [item.kind for item in Drafter(learned.drafter).draft(held_out[2])]
    assert "mail" in {item.kind for item in Drafter({}).draft(held_out[2])}
    assert "mail" not in kinds[:4]
    assert "crisis" in kinds
