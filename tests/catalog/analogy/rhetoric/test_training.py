"""The classifier of sentences learns what can be learned, and its score is of documents that it has not seen."""

import json

import numpy as np
import pytest

from mensura.catalog.analogy.rhetoric.category import categorise
from mensura.catalog.analogy.rhetoric.report import trained
from mensura.catalog.analogy.rhetoric.training import cross_validated, load_classifier
from mensura.errors import BadFile

WORDS = {"background": ["history", "known", "earlier"], "approach": ["method", "compute", "filter"]}


def labelled(path, *, documents=12, learnable=True):
    rng = np.random.default_rng(1)
    rows = []
    for document in range(documents):
        for label, words in WORDS.items():
            said = words if learnable else [word for held in WORDS.values() for word in held]
            sentence = " ".join(str(word) for word in rng.choice([*said, "the", "a", "thing"], size=8))
            rows.append({"sentence": sentence, "category": label, "document": f"d{document}"})
    path.write_text("\n".join(json.dumps(row) for row in rows))
    return path


def test_what_can_be_learned_is_and_what_cannot_is_not(tmp_path):
    good = trained(labelled(tmp_path / "good.jsonl"), tmp_path / "good.json", folds=4)
    none = trained(labelled(tmp_path / "none.jsonl", learnable=False), tmp_path / "none.json", folds=4)
    assert good["accuracy"]["value"] > 0.9
    assert none["accuracy"]["value"] < 0.75
    assert load_classifier(str(tmp_path / "good.json")).predict(["the earlier history", "compute the filter"]) == [
        "background", "approach"
    ]  # fmt: skip


def test_no_sentence_of_a_judged_document_was_learned_from():
    """Each document has a word of its own that gives its labels away; only one that had seen it could know."""
    sentences = [f"w{document}{side} thing" for document in range(10) for side in "ab" for _ in range(3)]
    labels = [
        name for document in range(10) for name in (("background", "approach")[:: 1 if document % 2 else -1])
        for _ in range(3)
    ]  # fmt: skip
    documents = [str(document) for document in range(10) for _ in range(6)]
    said = cross_validated(sentences, labels, documents, folds=5)
    assert np.mean([one == other for one, other in zip(said, labels, strict=True)]) <= 0.6


@pytest.mark.parametrize(
    ("text", "words"),
    [("{oops", ":1: this is not JSON"), ('{"sentence": "a", "category": "plot"}', "categories are background"),
     ('{"sentence": "a", "category": "approach"}', "fewer than two categories")],
)  # fmt: skip
def test_damaged_labels_are_named(tmp_path, text, words):
    (tmp_path / "a.jsonl").write_text(text)
    with pytest.raises(BadFile, match=words):
        trained(tmp_path / "a.jsonl", tmp_path / "b.json")


def test_cue_words_are_a_guess_that_may_be_none():
    assert categorise(["In future work we hope to extend it.", "We propose a filter.", "Mice."]) == [
        "future work", "approach", ""
    ]  # fmt: skip
