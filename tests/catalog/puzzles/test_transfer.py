"""Transfer: what is learned from a kind serves kinds that share its operations, and the matrix says how surely."""

import pytest

from mensura.catalog.puzzles.transfer import transfer_matrix

SERIES = ("number-series", "letter-series", "mental-rotation")


@pytest.fixture(scope="module")
def found():
    return transfer_matrix((*SERIES, "verbal-analogy"), courses=6)


def test_every_pair_of_kinds_that_the_learner_attempts_has_an_estimate_over_courses(found):
    assert found.kinds == SERIES
    for row in found.gains.values():
        for one in row.values():
            assert one.n == 6
            assert not one.has_interval or one.low <= one.value <= one.high


def test_lessons_help_in_their_own_kind_and_not_where_nothing_is_shared(found):
    assert found.gains["letter-series"]["letter-series"].value > 0
    assert found.gains["letter-series"]["mental-rotation"].value == 0
    assert f"Of 6 gains between kinds {len(found.found)} exclude 0" in found.sentence


def test_courses_are_drawn_apart_and_repeatable(found):
    again = transfer_matrix(SERIES[:2], courses=6)
    assert again.gains["number-series"]["letter-series"] == found.gains["number-series"]["letter-series"]
