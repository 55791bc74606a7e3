"""The source's table: one row for each method and budget, paired with random by start, empty cells shown empty."""

import pytest

from mensura.catalog.arcade.exhibits import METHODS, exhibits, rows_of
from mensura.dialogue import Scores
from mensura.exhibit import Group

HUMAN = "human.json, 50 starts for training, made by human"
SEARCH = "s.json, 50 starts for training, made by search"


def group(name, means, **player):
    rows = [{"start": start, "mean": mean} for start, mean in means.items()]
    told = {"method": name, **player}
    return Group(name, "", {"game": "montezuma-revenge"}, [Scores({}, {"by_start": rows, "player": told})])


def starts(*values):
    return {f"start {number}": float(value) for number, value in enumerate(values)}


CHANCE = group("random", starts(0, 100, 0, 400, 0, 100))
LEARNED = {"frames": 10_000_320, "method": "hcr", "starts": HUMAN, "human": ["50 checkpoints"]}


def test_a_single_player_has_no_table():
    assert exhibits([CHANCE]) == []


def test_rows_nobody_filled_are_shown_empty():
    table = exhibits([CHANCE, group("hcr 1", starts(90, 210, 100, 500, 90, 210), **LEARNED)])[0]
    rows = {row[0]: row for row in table.rows}
    assert set(rows) == set(METHODS)
    assert rows["her"][1:] == ["empty"] * 7
    assert rows["hcr"][1:4] == ["10.0 million", 1, 6]
    assert rows["random"][4].value == 100
    assert rows["hcr"][7].value == 100
    assert "more is earned than by random" in table.words
    assert any("50 million frames were not reached" in note for note in table.notes)


def test_a_learner_of_few_frames_is_a_learner():
    few = {**LEARNED, "frames": 2_000}
    table = exhibits([CHANCE, group("hcr 1", starts(90, 210, 100, 500, 90, 210), **few)])[0]
    assert {row[0]: row[1] for row in table.rows}["hcr"] == "2,000"
    assert "hcr, 2,000" in table.words
    assert any("50 million frames were not reached" in note for note in table.notes)


def test_a_difference_that_cannot_be_told_from_none_says_how_many_starts_it_would_take():
    table = exhibits([CHANCE, group("hcr 1", starts(100, 0, 100, 500, 0, 0), **LEARNED)])[0]
    assert "nothing can be concluded against random" in table.words
    # Differences 100, -100, 100, 100, 0, -100: mean 16.7, sd 98.3, so (2.8 * 98.3 / 16.7)² = 272.8.
    assert "273 starts are needed" in table.words


def test_differences_that_do_not_vary_promise_no_power():
    words = exhibits([CHANCE, group("hcr 1", starts(0, 100, 0, 400, 0, 100), **LEARNED)])[0].words
    assert "from every start the same as random" in words
    assert "0 points or more" not in words


def test_seeds_are_pooled_by_start_and_learners_cut_short_stand_apart():
    one, other = starts(0, 100), starts(200, 300)
    rows = rows_of(
        [group("a", one, **LEARNED), group("b", other, **LEARNED), group("c", one, **LEARNED | {"frames": 6_180_000})]
    )
    assert [(row.method, row.frames, len(row.evaluations)) for row in rows] == [
        ("hcr", 6_200_000, 1),
        ("hcr", 10_000_000, 2),
    ]
    assert rows[1].by_start == {"start 0": 100.0, "start 1": 200.0}


@pytest.mark.parametrize(("made", "method"), [(HUMAN, "hcr"), (SEARCH, "hcr, search-made starts")])
def test_checkpoints_of_a_search_are_a_method_of_their_own(made, method):
    assert rows_of([group("x", starts(1), **LEARNED | {"starts": made})])[0].method == method
