"""The shorter form of `make coverage`: a few cells that must hold, within the error of so few repetitions."""

import sys
from math import sqrt
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.coverage.cells import cells  # noqa: E402
from benchmarks.coverage.simulate import simulate  # noqa: E402
from benchmarks.coverage.table import BEGIN, END, put, written  # noqa: E402

REPETITIONS = 300
EVERY = {(cell.group, cell.name): cell for cell in cells()}


def error(share: float) -> float:
    """Return three standard errors of a share of so many repetitions."""
    return 3 * sqrt(share * (1 - share) / REPETITIONS)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("group", "name"),
    [
        ("items, one answer each", "10 items, 0.97 right"),
        ("items, one answer each", "100 items, 0.8 right"),
        ("fixed items, each apart", "50 items x 40, 0.8 right, deterministic"),
        ("fixed items, each apart", "50 items x 40, 0.97 right, between"),
        ("fixed items, each apart", "20 items x 5, 0.8 right, noisy"),
        ("fixed items, session effect", "50 items x 3 sessions, 0.8 right"),
        ("fixed items, session effect, 10 % lost", "50 items x 10 sessions, 0.8 right"),
        ("redrawn items", "10 sessions of 20 items, 0.8 right, session effect"),
        ("bounded numbers", "5 sessions, Beta(.3, 2)"),
        ("bounded numbers", "20 sessions, 90 % at 1, rest uniform"),
        ("half-bounded numbers", "10 sessions, exponential"),
        ("unbounded numbers", "10 sessions, t, 3 df"),
        ("learners", "3 x 5 sessions, skewed"),
        ("learners", "10 x 20 sessions, middling"),
        ("people on fixed items", "5 people x 20 items, 0.8 right"),
        ("these items only", "50 items x 5, between"),
    ],
)
def test_intervals_cover_at_least_93_percent(group, name):
    found = simulate(EVERY[group, name], repetitions=REPETITIONS)
    assert found.coverage >= 0.93 - error(0.93)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("group", "name"),
    [
        ("paired items, several answers each", "50 items x 10, both .8 right, deterministic"),
        ("paired items, several answers each", "50 items x 30, both .8 right, between"),
        ("paired items in other sessions", "50 items, 10 and 10 sessions, both .8 right, session effect"),
        ("paired items, one answer each", "20 items, 0.8 and 0.8 right"),
        ("paired numbers", "20 sessions, both exponential"),
        ("unpaired numbers", "5 and 30 sessions, both Beta(5, 1)"),
    ],
)
def test_two_subjects_of_equal_ability_are_rarely_told_apart(group, name):
    found = simulate(EVERY[group, name], repetitions=REPETITIONS)
    assert found.claims <= 0.05 + error(0.05)


@pytest.mark.slow
def test_one_session_of_a_conversation_says_that_it_may_not_cover():
    cell = EVERY["fixed items, session effect", "50 items x 1 sessions, 0.8 right"]
    found = simulate(cell, repetitions=100)
    assert found.note.startswith("One session: what another session would change cannot be known.")


def test_the_table_is_put_between_its_marks_and_nowhere_else(tmp_path):
    chosen = [
        EVERY["items, one answer each", "3 items, 0.5 right"],
        EVERY["paired numbers", "5 sessions, both uniform"],
    ]
    results = [(cell, simulate(cell, repetitions=10)) for cell in chosen]
    page = tmp_path / "scores.md"
    page.write_text("# Scores\n")
    put(written(results), page=page)
    put(written(results), page=page)
    text = page.read_text()
    assert text.startswith("# Scores\n\n## Coverage\n")
    assert text.count(BEGIN) == text.count(END) == 1
    assert "| 3 items, 0.5 right | items |" in text


def test_the_page_shows_the_table():
    text = (ROOT / "docs" / "scores.md").read_text()
    shown = text.split(BEGIN, 1)[1].split(END, 1)[0]
    assert all(f"| {cell.name} | {cell.population} |" in shown for cell in cells())
