"""Damage: what each kind keeps and what it does not, by dose."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mensura.catalog.analogy.damage.damaging import HARMFUL, KINDS, damaged
from mensura.catalog.analogy.damage.sentences import sentences_of
from mensura.catalog.analogy.damage.wording import KEPT, base, thesaurus
from mensura.catalog.analogy.likeness.plain import containment, words_of
from mensura.catalog.analogy.own.stories import own_stories
from mensura.catalog.analogy.own.texts import own_texts
from mensura.errors import BadParameter, UnknownName

TEXTS = [(one.source, one.concepts) for one in own_texts()] + [(one.base, tuple(one.pairs)) for one in own_stories()]
CASES = st.tuples(st.sampled_from(TEXTS), st.floats(0, 1), st.integers(0, 99))


def done(kind, case):
    (text, concepts), dose, seed = case
    return text, damaged(text, kinds=[kind], dose=dose, rng=np.random.default_rng(seed), concepts=concepts)


@pytest.mark.parametrize("kind", KINDS)
def test_no_dose_is_no_damage_and_the_same_seed_the_same_damage(kind):
    text, concepts = TEXTS[0]

    def made(dose):
        return damaged(text, kinds=[kind], dose=dose, rng=np.random.default_rng(1), concepts=concepts)

    assert made(0.0) == text
    assert made(0.7) == made(0.7)
    assert made(1.0) != text


@given(CASES)
def test_reordering_keeps_every_sentence(case):
    text, made = done("reorderings", case)
    assert sorted(sentences_of(made)) == sorted(sentences_of(text))


@given(CASES)
def test_swapped_arguments_keep_every_word(case):
    text, made = done("swapped arguments", case)
    assert sorted(words_of(made)) == sorted(words_of(text))


@given(CASES)
def test_splitting_and_joining_keep_every_word_in_its_order_but_and(case):
    for kind in ("splits", "joins"):
        text, made = done(kind, case)
        assert [word for word in words_of(made) if word != "and"] == [word for word in words_of(text) if word != "and"]


@given(CASES)
def test_deletions_take_words_away_and_spare_connectives(case):
    text, made = done("deletions", case)
    left, whole = words_of(made), words_of(text)
    assert not set(left) - set(whole)
    assert len(left) >= len(whole) / 2 - len(sentences_of(text))
    assert [word for word in left if word in KEPT] == [word for word in whole if word in KEPT]


def test_a_word_that_is_replaced_is_replaced_everywhere_with_its_ending():
    text = "The dam broke. Dams break because the dams are old."
    made = damaged(text, kinds=["synonyms"], dose=1.0, rng=np.random.default_rng(1))
    assert made == "The barrier burst. Barriers burst because the barriers are old."


@pytest.mark.parametrize("kind", HARMFUL)
def test_more_of_a_dose_leaves_fewer_pairs_of_words_as_they_were(kind):
    left = []
    for dose in (0.2, 0.5, 1.0):
        shares = []
        for place, (text, concepts) in enumerate(TEXTS):
            made = damaged(text, kinds=[kind], dose=dose, rng=np.random.default_rng(place), concepts=concepts)
            shares.append(containment(text, made, size=3))
        left.append(np.mean(shares))
    assert left[0] > left[1] > left[2]


def test_every_word_of_our_list_has_another_and_what_it_is_a_kind_of():
    for word, (synonym, hypernym) in thesaurus().items():
        assert len({word, synonym, hypernym}) == 3
    assert base("wolves") == ("wolf", "s")


def test_a_dose_beyond_all_and_an_unknown_kind_are_refused():
    rng = np.random.default_rng(1)
    with pytest.raises(BadParameter, match="between 0 and 1"):
        damaged("a", kinds=["splits"], dose=1.5, rng=rng)
    with pytest.raises(UnknownName, match="splits"):
        damaged("a", kinds=["split"], dose=1, rng=rng)
