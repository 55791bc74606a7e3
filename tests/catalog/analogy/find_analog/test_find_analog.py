"""The retrieval test: an analog, a decoy of the same words, and others."""

import pytest

from mensura.catalog.analogy.find_analog.dialogue import retrieval
from mensura.catalog.analogy.likeness.plain import tfidf, words_of
from mensura.catalog.analogy.subjects import WordCounting
from mensura.dialogue import Refused
from mensura.errors import BadParameter
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take


def scored(subject, **parameters):
    found = take(retrieval, subject, seed=1, parameters=parameters)
    scores = score_record(retrieval, found.record, found.truths).values
    return {name: float(items.values.mean()) for name, items in scores.items()}


def test_knowing_finds_all_refusing_none_and_word_counting_takes_the_decoy():
    truths = take(retrieval, lambda ask: Refused("no"), seed=1).truths
    assert scored(lambda ask: truths[ask.key]["analog"]) == {"accuracy": 1.0, "surface": 0.0}
    assert scored(lambda ask: Refused("no")) == {"accuracy": 0.0, "surface": 1.0}
    assert scored(WordCounting("tfidf")) == {"accuracy": 0.0, "surface": 1.0}


def test_the_decoy_has_the_words_of_the_target_and_the_analog_has_few_of_them():
    seen = {}
    taken = take(retrieval, lambda ask: seen.setdefault(ask.key, ask.prompt) and Refused("no"), seed=1)
    for key, prompt in seen.items():
        texts = {document["title"]: document["text"] for document in prompt.documents}
        decoy, analog = (texts[taken.truths[key][name]] for name in ("decoy", "analog"))
        assert sorted(words_of(decoy)) == sorted(words_of(texts["Target"]))
        assert decoy != texts["Target"]
        assert tfidf(texts["Target"], analog) < 0.8


def test_so_many_documents_are_offered_and_their_place_tells_nothing():
    seen = []
    truths = take(
        retrieval, lambda ask: seen.append(ask.space.options) or Refused("no"), seed=1, parameters={"among": 8}
    ).truths
    assert {len(options) for options in seen} == {8}
    assert len({truth["analog"] for truth in truths.values()}) > 4
    for among in (2, 99):
        with pytest.raises(BadParameter, match="from 3 to 13"):
            retrieval.fill({"among": among})
