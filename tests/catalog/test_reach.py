"""A plain subject is handed nothing that leads to the world behind a test; who is declared to know it is handed it."""

from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from mensura.catalog.find import find_test
from mensura.dialogue import Ask, Outcome
from mensura.running.checks.leak.reaching import check_reach
from mensura.running.checks.leak.walk import walk
from mensura.running.checks.trial import Trial
from mensura.running.take import take
from mensura.subjects import Chance

SMALL = {"individuals": 120, "days": 60}
OFFICE = {"package": "practice-1", "minutes": 15}
WALKS = {"episodes": 2, "agents": 2, "iterations": 10}
BEHIND = ("world.", "planning.", "scoring.", "dialogue", "schedule", "office.office", "office.lookup")
BEHIND += ("office.visible_parts",)
LARGE: list[tuple[str, dict[str, Any], tuple[str, ...]]] = [
    ("crisis", {**OFFICE, "condition": "cots+a"}, BEHIND),
    ("crisis", {**OFFICE, "condition": "radar+l"}, BEHIND),
    ("crisis", {**OFFICE, "condition": "agent"}, BEHIND),
    ("detection", SMALL, ("world.", "patrol.account")),
    ("detection-patrol", {**SMALL, "step_days": 20}, ("world.", "patrol.account")),
    ("lambda-star", {**WALKS, "rehearsals": 1}, ("world", "batch.", "environment.pattern")),
    ("lambda-star-landscape", WALKS, ("world", "landscape.world", "landscape.terrain")),
    ("lambda-star-social", WALKS, ("world", "social.world")),
    ("sensemaking", {"tasks": "1234567", "trials": 2}, ("exam", "administration", "solving.", "generating.")),
    ("forecasting", {"count": 6}, ("urns", "almanac", "pupil", "question_set")),
    ("forecasting", {"count": 6, "questions": "quantities"}, ("urns", "almanac", "pupil", "question_set")),
    ("inbox", {}, ("mail",)),
]
"""A test, its parameters, and the parts of its folder whose things are hidden."""
NAMES = [f"{name}-{parameters.get('condition', number)}" for number, (name, parameters, _) in enumerate(LARGE)]


class Spy:
    """Keeps all that it is handed, and lets another answer."""

    def __init__(self, subject: Any, *, knows: str = "") -> None:
        self.subject, self.knows = subject, knows
        self.kept: list[Any] = []

    def begin(self, rng: np.random.Generator) -> None:
        self.kept.append(rng)
        getattr(self.subject, "begin", lambda rng: None)(rng)

    def feedback(self, told: Ask) -> None:
        self.kept.append(told)
        getattr(self.subject, "feedback", lambda told: None)(told)

    def __call__(self, ask: Ask) -> Any:
        self.kept.append(ask)
        return self.subject(ask)

    def end(self, outcome: Outcome) -> None:
        self.kept.append(outcome)


def spied(name: str, parameters: dict[str, Any], *, knows: str = "") -> list[Spy]:
    """Take a test with a spy in every role; in the office simulated people work, so that much is shown."""
    test = find_test(name)
    roles = test.cast_roles(test.fill(parameters))
    who = {role: test.played.get(role, "scripted") for role in roles} if name == "crisis" else {}
    cast = {role: Spy(test.subjects[who[role]]() if who else Chance(), knows=knows) for role in roles}
    taken = take(test, cast, seed=5, parameters=parameters)
    assert taken.record.status == "finished", taken.record.last_words
    return list(cast.values())


def reached(spies: list[Spy], name: str, hidden: tuple[str, ...]) -> set[str]:
    """Name the hidden things, generators but one's own, and running dialogues that a spy could find."""
    folder = find_test(name).function.__module__.split(".")[2]
    prefixes = tuple(f"mensura.catalog.{folder}.{part}" for part in hidden)
    for prefix in prefixes:
        assert find_spec(prefix.rstrip(".")), f"{prefix} is no part of the test any more"
    found = set()
    for spy in spies:
        for path, thing in walk(spy.kept[1:], name, seen={id(spy.kept[0]): spy.kept[0]}, most=2_000_000):
            module = type(thing).__module__
            if module.startswith(prefixes) or isinstance(thing, np.random.Generator) or hasattr(thing, "gi_frame"):
                found.add(f"{path}: {module}.{type(thing).__name__}")
    return found


@pytest.mark.parametrize(("name", "parameters", "hidden"), LARGE, ids=NAMES)
def test_nothing_that_is_handed_out_leads_behind_the_test(
    name: str, parameters: dict[str, Any], hidden: tuple[str, ...]
) -> None:
    assert reached(spied(name, parameters), name, hidden) == set()


@pytest.mark.parametrize("number", [0, 4, 5, 6])
def test_the_same_walk_finds_the_world_of_whoever_is_told_it(number: int) -> None:
    name, parameters, hidden = LARGE[number]
    assert reached(spied(name, parameters, knows="truth"), name, hidden)


@pytest.mark.parametrize(("name", "parameters", "hidden"), LARGE, ids=NAMES)
def test_nothing_leads_to_seed_generator_or_truth(
    name: str, parameters: dict[str, Any], hidden: tuple[str, ...]
) -> None:
    test = find_test(name)
    result = check_reach(Trial(test, test.fill({**parameters, **({"minutes": 5} if name == "crisis" else {})})))
    assert result.passed, result
