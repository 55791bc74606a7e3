"""Observations: scores with their items, sessions and courses."""

from time import process_time

import numpy as np
import pytest

from mensura.errors import BadData
from mensura.stats import Observations


def test_unknown_scores_are_dropped_with_their_labels():
    seen = Observations([1, np.nan, 0], items=["a", "b", "c"], sessions=["1", "1", "2"])
    assert seen.values.tolist() == [1, 0]
    assert seen.names("items") == ("a", "c")
    assert len(seen) == 2
    kept = Observations([1, np.nan], items=np.array([7, 8]))
    assert kept.names("items") == ("7",)


def test_designs_are_known_from_labels():
    assert Observations([1, 0, 1, 0], items=list("abab"), sessions=list("1122")).design == "fixed"
    assert Observations([1, 0, 1, 0], items=list("abcd"), sessions=list("1122")).design == "redrawn"
    assert Observations([1, 0, 1], items=list("aba"), sessions=list("112")).design == "mixed"
    assert Observations([1, 0], items=list("ab")).design == "redrawn"


def test_a_course_is_the_mean_of_its_sessions():
    seen = Observations([0, 0, 0, 1], sessions=["1", "1", "1", "2"], courses=["a"] * 4)
    assert seen.means("courses").tolist() == [0.5]
    assert Observations([0, 1], sessions=["1", "2"]).means("courses").tolist() == [0, 1]


def test_the_table_averages_cells_and_leaves_gaps():
    seen = Observations([0, 1, 1], items=list("aab"), sessions=list("112"))
    assert seen.table()[0, 0] == 0.5
    assert np.isnan(seen.table()[0, 1])
    assert seen.answers("items").tolist() == [2, 1]


def test_numbers_without_items_are_one_per_session():
    seen = Observations([0.3, 0.4, 0.5])
    assert seen.count("sessions") == 3
    assert not seen.has_items


def test_only_keeps_the_named_rows_and_closes_gaps():
    seen = Observations([1, 2, 3], items=list("abc"), sessions=list("112")).only("items", ["c"])
    assert seen.names("sessions") == ("2",)
    assert seen.table().tolist() == [[3]]


@pytest.mark.parametrize(
    ("labels", "words"), [(["a"], "1 for 2 scores"), ("ab", "'ab'"), (["a", None], "got None"), ([], "0 for 2")]
)
def test_labels_that_do_not_fit_are_refused(labels, words):
    with pytest.raises(BadData, match=words):
        Observations([1, 2], items=labels)


def test_infinite_scores_are_refused():
    with pytest.raises(BadData, match="must be finite"):
        Observations([1, float("inf")])


def test_a_million_rows_take_seconds_at_most():
    values = np.tile([0.0, 1.0], 500_000)
    items = [f"item {at % 1000}" for at in range(1_000_000)]
    begun = process_time()
    seen = Observations(values, items=items, sessions=np.repeat(np.arange(1000), 1000))
    assert seen.design == "fixed"
    assert len(seen.means("items")) == 1000
    assert process_time() - begun < 5
