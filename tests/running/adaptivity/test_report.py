"""The report of courses of a learner whose every level is known in closed form, written out here."""

from math import exp, log
from pathlib import Path

import numpy as np
import pytest

from mensura.running.study import Cast, Stopping, Study, conduct, exhibits_of
from tests.running.adaptivity.made import EFFORT, FORGETS, LASTS, NOISE, PLACES, SIZES, mastery

MADE = str(Path(__file__).with_name("made.py"))
N, COURSES = 6, 6
CLOSE = 0.02
"""Noise is uniform within 0.02, so the mean of six courses lies within that of the closed form, always."""


def train(task, sessions=N, name=""):
    return {"name": name or f"train {task}", "task": task, "sessions": sessions} | {
        "parameters": {"task": task},
        "knowledge": True,
    }


def probes(at, tasks="ABCD", **more):
    return [{"probe": task, "at": at, "sessions": 1, "parameters": {"task": task}, **more} for task in tasks]


def insight(at):
    return {"probe": "the law", "at": at, "test": f"{MADE}:insight", "sessions": 1}


STUDY = Study(
    name="report",
    tests=(f"{MADE}:skill",),
    casts=(Cast("learner", {"": "made-learner"}),),
    arms={
        "A": (
            *(*probes("first", "A"), insight("first"), train("A", N // 2, "train A 1"), *probes("half")),
            *(insight("half"), train("A", N // 2, "train A 2") | {"first": N // 2}, *probes("last"), insight("last")),
            *(*probes("later", "A", pause=300), *probes("much later", "A", pause=500)),
        ),
        "B": (train("B"), *probes("last")),
        "C": (train("C"), *probes("last")),
        "D": (train("D"), *probes("last")),
        "A then B": (train("A"), *probes("between", "AB"), train("B"), *probes("last")),
        "B then A": (train("B"), *probes("between", "AB"), train("A"), *probes("last")),
        "half A then B": (train("A", N // 2), *probes("between", "AB"), train("B"), *probes("last")),
        "turns": ({"interleave": [train("A"), train("B")], "blocks": 2}, *probes("last")),
    },
    adaptivity={"score": "level", "chance": 0.05, "oracle": 0.95, "reach": 0.5},
    stopping=Stopping(most=COURSES),
    seed=3,
)


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    from mensura.store import open_store

    with open_store(str(tmp_path_factory.mktemp("report") / "report.db")) as kept:
        conduct(STUDY, store=kept)
        yield {one.title: one for one in exhibits_of(STUDY, store=kept)}


def scaled(level):
    return (level - 0.05) / 0.9


def test_retention_over_pauses_is_the_decay_that_the_learner_has(report):
    found = report["Retention over pauses"]
    assert found.columns[3] == "pause (minutes)"
    rows = {(row[2], row[3]): row for row in found.rows}
    learned = scaled(mastery(N, 1))
    for minutes in (300 / 60, 800 / 60):
        _, task, _, _, before, after, loss, kept = rows["frozen", minutes]
        share = exp(-minutes * 60 / LASTS)
        assert task == "A"
        assert before.value == pytest.approx(learned, abs=CLOSE / 0.9)
        assert after.value == pytest.approx(learned * share, abs=CLOSE / 0.9)
        assert loss.value == pytest.approx(before.value - after.value)
        assert kept.value == pytest.approx(share, abs=3 * CLOSE)
        assert loss.n == COURSES
    assert len(found.figures) == 1


def test_the_matrix_of_pairs_shows_what_each_order_costs(report):
    found = report["Interference of tasks learned one after the other: learner, probed frozen"]
    rows = {row[0]: dict(zip(found.columns[1:], row[1:], strict=True)) for row in found.rows}
    left = scaled(mastery(N, 1)), scaled(mastery(N * FORGETS**N, 1))
    # What B gives to A is less than what is left of A.
    assert left[1] > scaled(mastery(N, 2)) * (1 - PLACES["B"])
    assert rows["A"]["by B"].value == pytest.approx(left[0] - left[1], abs=2 * CLOSE / 0.9)
    on_b = scaled(mastery(N, 2)), max(scaled(mastery(N * FORGETS**N, 2)), scaled(mastery(N, 1)) * (1 - PLACES["B"]))
    assert rows["B"]["by A"].value == pytest.approx(on_b[0] - on_b[1], abs=2 * CLOSE / 0.9)
    assert rows["A"]["by C"] is None
    assert rows["A"]["by A"] is None
    assert "of 2 ordered pairs" in found.words


def test_tasks_in_turns_are_set_against_each_alone_for_as_many_sessions(report):
    found = report["Interference of tasks learned in turns: learner, probed frozen"]
    rows = {row[0]: dict(zip(found.columns[1:], row[1:], strict=True)) for row in found.rows}
    half = N // 2
    # A, B, A, B: what A's first block left is forgotten over B's first, and all of A over B's second.
    on_a = (half * FORGETS**half + half) * FORGETS**half
    on_b = half * FORGETS**half + half
    assert rows["A"]["by B"].value == pytest.approx(scaled(mastery(N, 1)) - scaled(mastery(on_a, 1)), abs=0.05)
    assert rows["B"]["by A"].value == pytest.approx(scaled(mastery(N, 2)) - scaled(mastery(on_b, 2)), abs=0.05)


def test_transfer_is_given_by_training_by_level_and_by_knowledge(report):
    found = report["Transfer of learner from A to B by training, probed frozen"]
    assert found.columns[:3] == ("sessions on X", "level reached on X", "knowledge gained on X")
    by = {row[0]: dict(zip(found.columns, row, strict=True)) for row in found.rows}
    assert list(by) == [N // 2, N]
    for sessions, row in by.items():
        level = scaled(mastery(sessions, 1))
        assert row["level reached on X"].value == pytest.approx(level, abs=CLOSE / 0.9)
        assert row["knowledge gained on X"].value == sessions - 1
        assert row["raw performance"].value == pytest.approx(level * (1 - PLACES["B"]), abs=CLOSE / 0.9)
        assert row["performance loss"].value == pytest.approx(level * PLACES["B"], abs=2 * CLOSE / 0.9)
        assert row["gain with extra time"].n == COURSES
    assert len(found.figures) == 3


def test_the_legend_of_a_band_is_below_and_as_strong_as_its_lines(report):
    found = report["Transfer of learner from A to B by training, probed frozen"]
    drawn = found.figures[0].chart().to_dict()
    legend = drawn["layer"][0]["encoding"]["color"]["legend"]
    assert (legend["orient"], legend["symbolOpacity"]) == ("bottom", 1)


def test_the_learning_rate_over_tasks_is_corrected_for_size_and_foretells_each(report):
    found = report["Learning rate over 4 tasks: learner"]
    rows = {row[0]: dict(zip(found.columns, row, strict=True)) for row in found.rows}
    assert [rows[task]["size"] for task in "ABCD"] == [1, 2, 4, 8]
    # The level is reached by the first session that begins with enough practice: size · ln 2 sessions, and then one.
    for task in "ABC":
        assert rows[task]["sessions to reach it"].value == pytest.approx(np.ceil(SIZES[task] * log(2)) + 1, abs=0.6)
    assert rows["D"]["reached"] == "0 of 6"
    assert "6 times of 24 never came" in found.words
    times = np.array([[rows[task]["sessions to reach it"].value for task in "ABCD"]])
    others = np.polyfit(np.log([1, 2, 4]), np.log(times[0, :3]), 1)
    foretold = exp(np.polyval(others, log(8)))
    assert rows["D"]["foretold from the others"] == pytest.approx(foretold, rel=0.05)


def test_generalisation_falls_with_the_distance_from_what_was_trained(report):
    found = report["Generalisation, probed frozen"]
    rows = [row[1:] for row in found.rows if row[0] == "learner in A"]
    assert [(row[0], row[1]) for row in rows] == [(PLACES[task], task) for task in "ABCD"]
    learned = scaled(mastery(N, 1))
    for far, _, level in rows:
        # Below chance, a score of 0.05, the worst is 0: there a level is steeper.
        shown = level.value * (0.9 if level.value > 0 else 0.05)
        assert shown == pytest.approx(0.9 * learned * (1 - far), abs=CLOSE)
    assert any(note.startswith("learner in A: Per unit of distance: a fall of") for note in found.notes)
    both = [row[1:] for row in found.rows if row[0] == "learner in A then B"]
    assert [(row[0], row[1]) for row in both] == [(0, "A and B"), (0.3, "C"), (0.8, "D")]


def test_a_training_set_is_representative_by_the_level_on_targets_over_their_own(report):
    found = report["How representative training sets are: learner"]
    rows = {(row[0], row[2]): row for row in found.rows}
    row = rows["A and B", "frozen"]
    assert row[1] == "C and D"
    known = {"A": scaled(mastery(N * FORGETS**N, 1)), "B": scaled(mastery(N, 2))}
    after = [max(level * (1 - abs(PLACES[task] - PLACES[target])) for task, level in known.items()) for target in "CD"]
    own = [scaled(mastery(N, SIZES[target])) for target in "CD"]
    assert row[3].value == pytest.approx(np.mean(after), abs=CLOSE / 0.9)
    assert row[4].value == pytest.approx(np.mean(own), abs=CLOSE / 0.9)
    assert row[5].value == pytest.approx(row[3].value / row[4].value)


def test_the_four_numbers_of_understanding_grow_along_the_course_each_with_an_interval(report):
    found = report["Understanding of the law along the course: learner in A, probed frozen"]
    assert found.columns[1:] == ("predict", "achieve", "explain", "recreate")
    assert [row[0] for row in found.rows] == [0, N // 2, N, "growth"]
    for sessions, *four in found.rows[:3]:
        level = mastery(sessions, 1)
        for one, share in zip(four, (1.0, 0.5, 0.25, 0.0), strict=True):
            assert one.value == pytest.approx(level * share, abs=NOISE)
            assert one.has_interval
            assert one.n == COURSES
    grown = found.rows[3]
    assert grown[1].value == pytest.approx(mastery(N, 1) - mastery(0, 1), abs=2 * NOISE)
    assert not grown[4].excludes(0) or abs(grown[4].value) < NOISE
    for place in range(1, 5):
        shown = found.rows[2][place].value - found.rows[0][place].value
        assert grown[place].value == pytest.approx(shown, abs=1e-12)
    assert len(found.figures) == 1


def test_probes_of_another_test_do_not_count_as_sessions_without_a_score(report):
    assert "How it failed" not in report
    assert all("the law" not in str(row) for row in report["Levels, frozen and while learning"].rows)


def test_no_interval_of_a_level_passes_the_oracle_or_the_worst(report):
    places = {"first level", "last level", "area", "frozen", "while learning", "level", "raw performance"}
    places |= {"level reached on X"}
    found = [
        cell
        for one in report.values()
        for row in one.rows
        for name, cell in zip(one.columns, row, strict=True)
        if name in places and getattr(cell, "has_interval", False)
    ]
    assert len(found) > 100
    assert max(cell.high - max(1, cell.value) for cell in found) <= 1e-12
    assert min(cell.low for cell in found) >= -1
    assert any("Fewer than 8 courses" in note for note in report["Learning curves"].notes)


def test_what_cannot_be_measured_is_said_with_what_it_would_take(report):
    found = report["Not measured in this study"]
    by_dose = ["Dose and response", "Training time by dose", "Transfer by dose", "Recovery after the onset of a fault"]
    assert [row[0] for row in found.rows] == by_dose
    assert "fault" in found.rows[0][1]


def levels_of(report, who):
    """Return what was trained before and what is probed → the level, frozen, of one subject in one arm."""
    rows = report["Levels, frozen and while learning"].rows
    return {(row[1], row[2]): row[3] for row in rows if row[0] == f"learner in {who}"}


def test_generalisation_has_the_levels_of_the_table_of_levels(report):
    probed = {task: level for (before, task), level in levels_of(report, "A").items() if before != "nothing"}
    reached = {row[2]: row[3] for row in report["Generalisation, probed frozen"].rows if row[0] == "learner in A"}
    assert set(reached) == set("ABCD")
    assert set(probed) & set(reached)
    assert {task: reached[task] for task in probed} == probed


def test_the_matrix_has_the_levels_of_the_table_of_levels(report):
    found = report["Every task after every phase, frozen"]
    compared = 0
    for who, before, *levels in found.rows:
        table = levels_of(report, who.removeprefix("learner in "))
        for task, level in zip(found.columns[2:], levels, strict=True):
            if level is not None:
                assert table[before, task] == level
                compared += 1
    assert compared > 20


def test_retention_begins_with_the_level_of_the_table_of_levels(report):
    rows = [row for row in report["Retention over pauses"].rows if row[0] == "learner in A" and row[2] == "frozen"]
    assert len(rows) == 2
    assert {row[4] for row in rows} == {levels_of(report, "A")["train A 1, train A 2", "A"]}


def test_transfer_has_the_levels_of_the_table_of_levels(report):
    found = report["Transfer of learner from A to B, probed frozen"]
    raw = next(row[1] for row in found.rows if row[0] == "raw performance")
    table = levels_of(report, "A")
    assert raw == table["train A 1, train A 2", "B"]
    by = report["Transfer of learner from A to B by training, probed frozen"]
    last = dict(zip(by.columns, by.rows[-1], strict=True))
    assert last["raw performance"] == raw
    assert last["level reached on X"] == table["train A 1, train A 2", "A"]


def test_what_it_takes_to_reach_a_level_is_given_in_sessions_in_what_the_test_says_is_spent_and_in_knowledge(report):
    found = report["Learning curves"]
    place = found.columns.index("sessions to reach it")
    assert found.columns[place + 1 :] == ("effort (minutes) to reach it", "knowledge to reach it")
    for row in found.rows:
        sessions, effort, known = row[place:]
        assert (effort is None) == (sessions is None)
        if sessions is not None:
            assert effort.value == pytest.approx(EFFORT * sessions.value)
        if row[:2] == ["learner in A", "A"]:
            # It is noted as a session begins, and each session adds one.
            assert known.value == pytest.approx(sessions.value - 1)
