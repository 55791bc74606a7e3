"""Populations: what an estimate generalises to."""

import pytest

from mensura.errors import BadData, UnknownName
from mensura.stats import POPULATIONS, Observations, default_population, read_population, sentence_of
from mensura.stats.population import TYPED, unit_of

FIXED = Observations([1, 0, 1, 1], items=list("abab"), sessions=list("1122"))
REDRAWN = Observations([1, 0, 1, 1], items=list("abcd"), sessions=list("1122"))
MIXED = Observations([1, 0, 1], items=list("aba"), sessions=list("112"))
ALONE = Observations([1, 0], items=list("ab"), sessions=list("11"))
NUMBERS = Observations([0.3, 0.4])


@pytest.mark.parametrize(
    ("seen", "said", "population"),
    [
        (FIXED, {"apart": True}, "items"),
        (REDRAWN, {"apart": True}, "items"),
        (FIXED, {"apart": False}, "items and sessions"),
        (MIXED, {"apart": False}, "items and sessions"),
        (REDRAWN, {"apart": False}, "sessions"),
        (ALONE, {"apart": False}, "items"),
        (NUMBERS, {"apart": False}, "sessions"),
        (NUMBERS, {"apart": True}, "sessions"),
        (FIXED, {"apart": False, "learners": True}, "courses"),
        (FIXED, {"apart": False, "people": True}, "people and items"),
        (FIXED, {"apart": True, "people": True, "learners": True}, "people and items"),
        (MIXED, {"apart": False, "people": True}, "people and items"),
        (REDRAWN, {"apart": False, "people": True}, "people"),
        (NUMBERS, {"apart": False, "people": True}, "people"),
    ],
)
def test_defaults(seen, said, population):
    assert default_population(seen, **said) == population


def test_every_population_can_be_typed():
    assert tuple(read_population(words) for words in TYPED) == POPULATIONS


def test_an_unknown_population_is_refused_with_the_nearest():
    with pytest.raises(UnknownName, match="Did you mean sessions"):
        read_population("session")
    with pytest.raises(UnknownName, match="There are these-items, items, sessions"):
        read_population("xyz")
    with pytest.raises(BadData, match="There is no population 'xyz'"):
        unit_of("xyz")


def test_sentences():
    assert sentence_of("items", MIXED) == "Generalises to items like these: 2 items, answered 1 to 2 times."
    assert sentence_of("items", ALONE) == "Generalises to items like these: 2 items, each answered once."
    assert sentence_of("these items", FIXED).startswith("Generalises to these items only, answered again: 2 items")
    assert sentence_of("people and items", FIXED).endswith("other people and other items: 2 people on 2 items.")
    assert sentence_of("sessions", NUMBERS) == "Generalises to other sessions: 2 sessions."
    learned = Observations([1, 0, 1], sessions=list("123"), courses=list("aab"))
    assert sentence_of("courses", learned) == "Generalises to other courses: 2 courses, 3 sessions in all."
    assert "none answered" in sentence_of("items", Observations([], items=[]))
