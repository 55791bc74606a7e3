"""The coin test: what is said is true, and scores are where closed forms put them."""

from math import log

import numpy as np
import pytest

from mensura.catalog.coin.dialogue import coin
from mensura.catalog.coin.subjects import CHANCE_SAID
from mensura.dialogue import generator, prompt_text
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take
from mensura.subjects.chance import Chance


def scores_of(subject, *, flips=4000, seed=1):
    taken = take(coin, subject, seed=seed, parameters={"flips": flips})
    return {name: items.values for name, items in score_record(coin, taken.record, taken.truths).values.items()}


def within_error(values, expected):
    return abs(values.mean() - expected) < 4 * values.std(ddof=1) / np.sqrt(len(values))


def test_chance_scores_at_the_closed_form():
    scores = scores_of(Chance())
    for name, level in coin.chance_levels(coin.fill()).items():
        assert within_error(scores[name], level), name


def test_stating_the_chance_scores_at_the_ceiling():
    scores = scores_of(coin.subjects["stated"]())
    assert within_error(scores["quadratic_score"], 1 / 12)
    assert within_error(scores["logarithmic_score"], log(2) - 1 / 2)


def test_always_one_half_scores_exactly_zero():
    scores = scores_of(coin.subjects["half"](), flips=50)
    assert all(np.allclose(values, 0) for values in scores.values())


def test_overconfidence_costs():
    sure, honest = (scores_of(coin.subjects[name]()) for name in ("overconfident", "stated"))
    difference = honest["quadratic_score"] - sure["quadratic_score"]
    assert difference.mean() > 4 * difference.std(ddof=1) / np.sqrt(len(difference))


def test_heads_come_as_often_as_is_said():
    said, fell = [], []
    for ask in coin(generator(7), flips=20_000):
        said.append(float(CHANCE_SAID.search(prompt_text(ask.prompt))[1]))
        fell.append(ask.truth)
    surprise = np.array(fell) - np.array(said)
    for low in np.arange(0, 1, 0.25):
        chosen = surprise[(np.array(said) >= low) & (np.array(said) < low + 0.25)]
        assert within_error(chosen, 0.0), low


def test_stated_crashes_with_a_sentence_where_no_chance_is_stated():
    from mensura.dialogue import Ask
    from mensura.errors import SubjectCrashed

    with pytest.raises(SubjectCrashed, match="No chance is stated"):
        coin.subjects["stated"]()(Ask("What is it?"))
