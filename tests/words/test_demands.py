"""What predicates demand of their subjects, by the installed WordNet."""

import pytest

from mensura.errors import BadParameter
from mensura.words.demands import demand_of, demand_of_noun, meets
from mensura.words.wordnet import find_wordnet


@pytest.fixture(autouse=True)
def wordnet():
    try:
        find_wordnet()
    except BadParameter as error:
        pytest.skip(str(error))


@pytest.mark.parametrize(
    ("word", "demand"),
    [
        ("pregnant", "somebody"),
        ("hungry", "somebody"),
        ("feared", "somebody"),
        ("oversleeps", "somebody"),
        ("carcinogenic", "thing"),
    ],
)
def test_a_predicate_that_fits_only_some_says_whom(word, demand):
    found = demand_of(word)
    assert found is not None
    assert found[0] == demand


@pytest.mark.parametrize("word", ["big", "small", "wet", "heavy", "ran", "worn", "jjj"])
def test_what_fits_anything_or_is_unknown_demands_nothing(word):
    assert demand_of(word) is None


def test_who_is_a_winner_is_somebody_and_a_surprise_need_not_be():
    assert demand_of_noun("winner") is not None
    assert demand_of_noun("surprise") is None


@pytest.mark.parametrize(
    ("noun", "somebody", "thing"),
    [("women", True, False), ("pills", False, True), ("frog", True, False), ("councilmen", True, False)],
)
def test_nouns_meet_demands_by_any_familiar_sense(noun, somebody, thing):
    assert (meets(noun, "somebody"), meets(noun, "thing")) == (somebody, thing)


def test_an_unknown_noun_is_unknown():
    assert meets("qqqq", "thing") is None
