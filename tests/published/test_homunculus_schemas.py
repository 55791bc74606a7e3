"""The three schemas of Neufeld and Finnestad, "The Post-Modern Homunculus" (2016), sections 5 and 5.2, on the bench.

The verdicts rest on: WordNet (trophy passes, pregnant and carcinogenic are flagged), and for Frank and Bill on the two
readings that the source itself gives, rivals or friends; no people were asked.
"""

import pytest

from mensura.catalog.imitation.winograd.bench.bench import try_schemas
from mensura.catalog.imitation.winograd.schema import read_schema
from mensura.errors import BadParameter
from mensura.words.wordnet import find_wordnet

TROPHY = "The trophy would not fit in the brown suitcase because [it] was too {}."
PILLS = "The women stopped taking the pills because [they] were {}."
WINNER = "Frank was {} when Bill said that [he] was the winner of the competition."
FRIENDS = "they are friends, and it is a different story"
READINGS = [(0, "they are rivals", 1), (0, FRIENDS, 0), (1, "they are rivals", 0), (1, FRIENDS, 1)]


def twins(id, answers, frame, *words, readings=()):
    sentences = [{"text": frame.format(word), "word": word, "right": right} for word, right in words]
    given = [{"sentence": sentence, "when": when, "right": right} for sentence, when, right in readings]
    return read_schema({"id": id, "answers": answers, "sentences": sentences, "readings": given})


@pytest.fixture(scope="module")
def found():
    try:
        find_wordnet()
    except BadParameter as error:
        pytest.skip(str(error))
    schemas = [
        twins("trophy", ["the trophy", "the suitcase"], TROPHY, ("big", 0), ("small", 1)),
        twins("pills", ["the women", "the pills"], PILLS, ("pregnant", 0), ("carcinogenic", 1)),
        twins("winner", ["Frank", "Bill"], WINNER, ("jealous", 1), ("pleased", 0), readings=READINGS),
    ]
    return {one.schema.id: one for one in try_schemas(schemas).tried}


def test_the_trophy_passes(found):
    assert found["trophy"].flags == ()
    assert [one.verdict for one in found["trophy"].selection] == ["passes", "passes"]


def test_pregnant_and_carcinogenic_are_flagged_for_selectional_restriction(found):
    assert found["pills"].flags == ("selectional restriction",)
    assert [one.fits for one in found["pills"].selection] == [("the women",), ("the pills",)]
    assert all("WordNet" in one.rests_on for one in found["pills"].selection)


def test_frank_and_bill_are_ambiguous_by_the_readings_that_the_source_gives(found):
    assert found["winner"].flags == ("ambiguous",)
    assert all("readings that its author gives" in one.rests_on for one in found["winner"].ambiguity)
    assert all("people were not asked" in one.rests_on for one in found["winner"].ambiguity)
