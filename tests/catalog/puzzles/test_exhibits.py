"""What a report shows of puzzles: generality first, kinds as a specialist's view, loads, cards, theory."""

import numpy as np
import pytest

from mensura.catalog.puzzles.dialogue import puzzles
from mensura.catalog.puzzles.difficulty import Faced, relation
from mensura.catalog.puzzles.exhibits import exhibits
from mensura.catalog.puzzles.scoring import score
from mensura.exhibit import Group
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take
from tests.catalog.puzzles.test_scoring import record_of


def group_of(name, subject, *, sessions=1, **parameters):
    taken = [take(puzzles, subject, seed=seed, parameters=parameters) for seed in range(sessions)]
    scores = [score_record(puzzles, one.record, one.truths) for one in taken]
    return Group(name, "", taken[0].record.parameters, scores, records=[(one.record, one.truths) for one in taken])


@pytest.fixture
def shown(tiny, knows):
    groups = [
        group_of("specialist", knows("number-series"), count=40),
        group_of("generalist", knows("number-series", "letter-series"), count=40),
    ]
    return exhibits(groups)


def test_generality_comes_first_and_kinds_are_labelled_specialist(shown):
    first, second = shown[:2]
    assert first.title == "Who is general and who is specialised"
    assert [row[0] for row in first.rows] == ["generalist", "specialist"]
    verdicts = {row[0]: row[first.columns.index("verdict")] for row in first.rows}
    assert set(verdicts.values()) == {"not asked in enough kinds to say"}
    assert second.title.startswith("Specialist")
    assert all(not exhibit.title.startswith("Specialist") for exhibit in (first, *shown[2:]))


@pytest.mark.parametrize(
    ("asked", "known", "verdict"),
    [
        (2, 2, "not asked in enough kinds to say"),
        (4, 1, "not asked in enough kinds to say"),
        (5, 5, "general"),
        (5, 1, "specialised"),
    ],
)
def test_nobody_is_called_general_who_was_asked_in_fewer_than_five_kinds(asked, known, verdict):
    answers = [(f"kind{kind}", "A", "A" if kind < known else "pass") for kind in range(asked)] * 12
    record, truths = record_of(answers)
    found = score(record, truths)
    (first, *_) = exhibits([Group("one", "", {}, [found], records=[(record, truths)])])
    assert first.rows[0][first.columns.index("verdict")] == verdict
    note = found.details["estimates"]["generality"]["note"]
    assert ("too few kinds to say whether it is general" in note) == (asked < 5)


def test_every_kind_has_an_interval_and_abstentions_stand_apart(shown):
    table = shown[1]
    row = next(row for row in table.rows if row[:2] == ("specialist", "letter-series"))
    told = dict(zip(table.columns, row, strict=True))
    assert (told["attempted"], told["abstained"], told["accuracy"].value) == (0, 20, 0)
    assert told["accuracy"].has_interval


def test_a_norm_is_shown_with_what_the_intervals_allow_to_say(tiny, knows, tmp_path):
    norm = tmp_path / "students.csv"
    norm.write_text("kind,right,asked\nnumber-series,400,1000\nletter-series,990,1000\n")
    table = exhibits([group_of("one", knows("number-series"), count=40, norm=str(norm))])[1]
    against = {row[1]: row[-1] for row in table.rows}
    assert against == {"number-series": "above", "letter-series": "below"}


def test_several_sessions_are_the_units_of_what_is_shown_of_them(tiny, knows):
    table = exhibits([group_of("many", knows("number-series"), sessions=4, count=8)])[1]
    assert {row[2].n for row in table.rows} == {4}


def test_load_predicts_difficulty_where_it_decides_and_not_where_it_does_not():
    rng = np.random.default_rng(3)
    loads = rng.integers(1, 5, size=200)
    decides = [Faced(str(i), "grid", {"rules": int(n)}, float(n >= 3)) for i, n in enumerate(loads)]
    chance = [Faced(str(i), "grid", {"rules": int(n)}, float(rng.random() < 0.5)) for i, n in enumerate(loads)]
    assert relation(decides, "rules").low > 0.7
    assert not relation(chance, "rules").excludes(0)
    assert relation(decides[:10], "rules").method == "none: fewer than 20 items"


@pytest.mark.proof
def test_the_relation_of_load_and_difficulty_covers_none_at_its_nominal_rate(monkeypatch):
    rng, hits = np.random.default_rng(5), 0
    monkeypatch.setattr("mensura.catalog.puzzles.difficulty.RESAMPLES", 399)
    for _ in range(400):
        faced = [
            Faced(str(i), "grid", {"rules": int(rng.integers(1, 5))}, float(rng.random() < 0.6)) for i in range(40)
        ]
        hits += not relation(faced, "rules").excludes(0)
    assert hits >= 366
