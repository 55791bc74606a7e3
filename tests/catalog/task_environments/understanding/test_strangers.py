"""Understanding, tried by subjects that were made without looking at the test's own, and by two that cheat."""

import numpy as np
import pytest

from mensura.catalog.task_environments.understanding.dialogue import understanding
from mensura.catalog.task_environments.understanding.ignorance import ignorance_of
from mensura.catalog.task_environments.understanding.phenomenon import PHENOMENA
from mensura.catalog.task_environments.understanding.recreating import recreated_miss
from mensura.catalog.task_environments.understanding.scoring import score
from mensura.running.take import take
from tests.catalog.task_environments.understanding.strangers import Actor, Correlator, Modeller, Plain, Sheet

SHARES = (0.15, 0.85)
"""Where strengths lie in their range: a guess in its middle must not be right by luck."""
PARTS = ("predict", "achieve", "explain", "recreate")


def levels(subject, name, *, shares=SHARES, questions=3, goals=2):
    found = PHENOMENA[name]
    numbers = []
    for seed, share in enumerate(shares):
        strength = found.low + share * (found.high - found.low)
        given = {"phenomenon": name, "strength": strength, "questions": questions, "goals": goals}
        taken = take(understanding, subject(), seed=seed, parameters=given)
        numbers.append(score(taken.record, taken.truths).values)
    return {part: float(np.mean([one[part] for one in numbers])) for part in PARTS}


@pytest.mark.cells(2)
@pytest.mark.parametrize("name", PHENOMENA)
def test_the_four_numbers_separate_who_knows_who_correlates_and_who_acts(name):
    knows, fits, acts = (levels(one, name) for one in (Modeller, Correlator, Actor))
    assert min(knows.values()) > 0.95
    assert fits["predict"] < 0.9
    assert max(fits["achieve"], fits["explain"]) < 0.25
    # Of a slope the law is a constant acceleration, which a regression finds as it is.
    assert fits["recreate"] < (0.95 if name == "slope" else 0.1)
    assert max(acts[part] for part in ("predict", "explain", "recreate")) < 0
    assert acts["achieve"] < 0.6
    if name in ("friction", "slope", "drag"):
        assert fits["predict"] > 0
        assert acts["achieve"] > 0.05


@pytest.mark.cells(2)
@pytest.mark.parametrize("name", PHENOMENA)
def test_neither_the_world_without_the_phenomenon_nor_one_sheet_for_all_earns_anything(name):
    for cheat in (Plain, Sheet):
        assert max(levels(cheat, name).values()) < 0.1, cheat


@pytest.mark.cells(2)
@pytest.mark.parametrize("name", PHENOMENA)
def test_no_constant_number_recreates_a_phenomenon(name):
    found = PHENOMENA[name]
    numbers = np.linspace(found.low, found.high, 8)
    for guess in np.linspace(found.low, found.high, 4):
        off = [recreated_miss(found, one, str(guess), np.random.default_rng(1)) for one in numbers]
        kinds = {
            kind: 1 - np.mean([one[kind] for one in off]) / level for kind, level in ignorance_of(name).recreate.items()
        }
        assert min(kinds.values()) < 0.1


def test_the_question_about_a_larger_number_does_not_tell_where_the_number_lies():
    asked = set()

    class Listener(Sheet):
        def interventions(self, ask):
            asked.add(ask.space.questions["number"][0])
            return super().interventions(ask)

    for share in (0.05, 0.95):
        levels(Listener, "friction", shares=(share,), questions=1, goals=1)
    assert len(asked) == 1


FORMULAS = [
    "9**9**9**9",
    "(0-8)**0.5",
    "1/0",
    "exp(exp(exp(speed)))",
    "log(0-1)",
    "-" * 190 + "1",
    "(" * 60 + "1" + ")" * 60,
]


@pytest.mark.parametrize("text", FORMULAS)
def test_programs_that_are_huge_or_absurd_are_run_or_refused_and_earn_nothing(text):
    off = recreated_miss(PHENOMENA["drag"], 0.2, text, np.random.default_rng(1))
    assert off is None or (np.isfinite(list(off.values())).all() and max(off.values()) > 5)


@pytest.mark.parametrize("width", [0.0, 1e-9, 1e3])
def test_densities_that_are_all_too_sure_or_all_too_wide_earn_nothing(width):
    class Extreme(Sheet):
        def foretell(self, ask, rows, asked):
            if not hasattr(ask.space, "levels"):
                return 1.0
            middle, size = (ask.space.low + ask.space.high) / 2, len(ask.space.levels)
            return np.clip(middle + width * np.linspace(-1, 1, size), ask.space.low, ask.space.high).tolist()

    assert levels(Extreme, "friction")["predict"] <= 0
