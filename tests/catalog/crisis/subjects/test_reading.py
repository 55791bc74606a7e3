"""What simulated participants make of a message."""

import numpy as np
import pytest

from mensura.catalog.crisis.subjects.reading import acts_for, misread, same, understand
from mensura.catalog.crisis.subjects.traits import Traits
from mensura.catalog.crisis.world.world import World


def test_tasks_are_seen_as_often_as_skill_says(small: World) -> None:
    rng = np.random.default_rng(1)
    letter = small.letter["m-4"]
    for skill in (0.0, 0.6, 1.0):
        seen = [len(understand(letter, traits=Traits(skill, 1, 1), rng=rng)) for _ in range(2000)]
        assert np.mean(seen) / len(letter.tasks) == pytest.approx(0.5 + 0.5 * skill, abs=0.03)


def test_slips_are_as_rare_as_stated_and_change_the_value(small: World) -> None:
    rng = np.random.default_rng(2)
    task = small.tasks["task-attendance"][1]
    read = [misread(task, traits=Traits(0.0, 1, 1), rng=rng).target["value"] for _ in range(4000)]
    assert np.mean([value != 170 for value in read]) == pytest.approx(0.15, abs=0.02)
    assert all(misread(task, traits=Traits(1.0, 1, 1), rng=rng) == task for _ in range(50))


def test_tasks_become_the_acts_that_settle_them(small: World) -> None:
    def acts(name: str, *, constraints: bool = True) -> list[str]:
        letter, task = small.tasks[name]
        return [act["call"] for act in acts_for(task, message=letter.id, world=small, constraints=constraints)]

    assert acts("task-name") == ["edit_entry"]
    assert acts("task-attendance") == ["set_event_fact"]
    assert acts("task-projector") == ["set_room_fact"]
    assert acts("task-parking") == ["reply"]
    assert acts("task-flowers") == ["order"]
    assert acts("task-kofi") == ["constrain"]
    assert acts("task-kofi", constraints=False) == []


def test_a_constraint_says_all_that_its_rule_says(small: World) -> None:
    letter, task = small.tasks["task-kofi"]
    (act,) = acts_for(task, message=letter.id, world=small, constraints=True)
    assert act["arguments"] == {"kind": "away", "person": "kofi", "slots": "2"}


def test_acts_are_the_same_whatever_their_case_and_order() -> None:
    one = {"call": "set_room_fact", "arguments": {"room": "l12", "fact": "equipment", "value": "screen, whiteboard"}}
    other = {"call": "set_room_fact", "arguments": {"room": "L12", "fact": "equipment", "value": "whiteboard screen"}}
    assert same(one, other)
    assert not same(one, {**other, "call": "set_event_fact"})
