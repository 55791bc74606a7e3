from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from mensura.catalog.analogy.baselines import (
    containment,
    latent,
    longest_common_subsequence,
    tfidf,
    words_of,
)

MEASURES = {"tfidf": tfidf, "containment": containment, "lcs": longest_common_subsequence, "lsa": latent}
TEXTS = st.lists(st.sampled_from(["dam", "mill", "the", "broke", "a", "river", "flood."]), min_size=1, max_size=20).map(
    " ".join
)


@given(TEXTS, TEXTS, st.lists(TEXTS, max_size=3))
def test_tfidf_is_that_of_scikit_learn(first, second, among):
    vectors = TfidfVectorizer(sublinear_tf=True, token_pattern="[a-z0-9]+").fit_transform([first, second, *among])
    assert tfidf(first, second, among=among) == pytest.approx(float((vectors[0] @ vectors[1].T).toarray()[0, 0]))


@given(TEXTS, TEXTS)
def test_the_longest_common_subsequence_is_that_of_the_usual_table(first, second):
    one, other = words_of(first), words_of(second)
    table = np.zeros((len(one) + 1, len(other) + 1))
    for row, word in enumerate(one, 1):
        for column, against in enumerate(other, 1):
            table[row, column] = (
                table[row - 1, column - 1] + 1 if word == against else max(table[row - 1, column], table[row, column - 1])
            )
    assert longest_common_subsequence(first, second) == pytest.approx(table[-1, -1] / len(one))


def test_containment_counts_distinct_runs_of_the_first_text_that_occur_in_the_second():
    # The three-word runs of A: "the dam broke", "dam broke the", "broke the dam" (its second "the dam broke" is the same).
    first, second = "the dam broke the dam broke", "Then: the dam, broke THE wall."
    assert containment(first, second, words=3) == pytest.approx(2 / 3)
    assert containment(second, first, words=3) == pytest.approx(2 / 4)
    assert isnan(containment("two words", second, words=3))


@pytest.mark.parametrize("name", MEASURES)
def test_a_text_is_wholly_like_itself_and_an_empty_one_is_unknown_not_unlike(name):
    text = "The dam broke. The flood reached the mill because the wall was thin."
    assert MEASURES[name](text, text) == pytest.approx(1.0)
    assert isnan(MEASURES[name]("", text))
    if name in ("tfidf", "lsa"):
        assert isnan(MEASURES[name](text, "..."))
    else:
        assert MEASURES[name](text, "...") == 0.0


@pytest.mark.parametrize("name", MEASURES)
@given(first=TEXTS, second=TEXTS)
def test_measures_lie_between_0_and_1(name, first, second):
    assert 0 <= MEASURES[name](first, second) <= 1
    assert nan is not MEASURES[name](first, second)


def test_the_order_of_words_matters_to_the_subsequence_alone():
    first, second = "one two three four", "four three two one"
    assert tfidf(first, second) == pytest.approx(1.0)
    assert containment(first, second) == 1.0
    assert longest_common_subsequence(first, second) == 0.25
