"""What a record of the crisis holds beside the acts: floors of packages of one's own, and what was learned."""

import json

import pytest

from mensura.catalog.crisis.assistant.learning.learned import read_learned
from mensura.catalog.crisis.dialogue import crisis
from mensura.catalog.crisis.office.office import OfficeState
from mensura.catalog.crisis.packages.build import build_world
from mensura.catalog.crisis.packages.find import find_package
from mensura.catalog.crisis.scoring.scoring import score_office
from mensura.catalog.crisis.settings import BASE
from mensura.catalog.crisis.subjects.nothing import Nothing
from mensura.running.take import take


@pytest.fixture
def unlinted(tmp_path):
    """A package that no linter has seen: the practice world from another seed."""
    data = {**find_package("practice-1").data(), "name": "mine", "seed": 23}
    data.pop("found", None)
    path = tmp_path / "mine.yaml"
    path.write_text(json.dumps(data, default=str))
    return str(path)


def test_a_package_that_was_never_linted_has_floors_by_the_schedule_it_was_made_from(unlinted):
    world = build_world(unlinted)
    assert world.ceiling["quality"] == 1
    assert world.floor_money > 0 or world.floor_bumps > 0


def test_where_floors_are_unknown_nothing_is_charged_and_nothing_is_claimed(small):
    world = small.model_copy(update={"ceiling": {}, "floor_money": 0.0, "floor_bumps": 0})
    office = OfficeState(world, tools=BASE)
    office.act("subject", "ask_room", {"room": "auditorium", "day": 2, "block": 1}, now=1)
    scores = score_office(office)
    assert scores.details["money"]["best_plan"] is None
    assert scores.details["bumps"] == {"asked": 1, "best_plan": None}
    assert scores.values["bumps_loss"] == scores.values["money_loss"] == 0


def test_a_record_names_the_checksum_of_what_was_learned():
    parameters = {"condition": "radar+l", "package": "practice-1", "minutes": 1}
    taken = take(crisis, Nothing(), seed=1, parameters=parameters)
    assert taken.truths["world"]["learned"] == read_learned("default").sha256
    assert crisis.score(taken.record, taken.truths).details["learned_sha256"] == read_learned("default").sha256
    without = take(crisis, Nothing(), seed=1, parameters={**parameters, "condition": "radar-l"})
    assert "learned" not in without.truths["world"]


def test_publishing_an_event_announces_where_it_stands(small):
    office = OfficeState(small, tools=BASE | {"publish"})
    office.act("subject", "move", {"event": "panel", "room": "terrace", "day": 3, "block": 1}, now=1)
    said = office.act("subject", "publish", {"event": "panel"}, now=2)
    assert said.ok
    assert office.published["panel"] == office.place["panel"]
    office.act("subject", "unschedule", {"event": "panel"}, now=3)
    assert not office.act("subject", "publish", {"event": "panel"}, now=4).ok
