"""Honesty is optimal over time: expected scores are summed exactly over everything that can happen."""

from itertools import product

import numpy as np
import pytest

from mensura.dialogue import Columns
from mensura.scores import rule
from mensura.track_record.files.book import Book
from mensura.track_record.files.scoring import score_book
from mensura.track_record.over_time.moments import standing_scores
from mensura.track_record.over_time.standing import Forecasts
from mensura.track_record.together.ranking import compare_scores

DAYS = 12
RULES = ("log", "quadratic", "spherical", "phi:u*(1-u)")
# Chance each day of being settled as yes, and as no; what is open at the end is yes one time in five.
HAZARDS = {
    "constant": (np.full(DAYS, 0.08), np.zeros(DAYS)),
    "early": (np.linspace(0.3, 0.0, DAYS), np.zeros(DAYS)),
    "late": (np.linspace(0.0, 0.3, DAYS), np.full(DAYS, 0.02)),
    "as no": (np.zeros(DAYS), np.full(DAYS, 0.1)),
}
FACTORS = (0.5, 0.8, 0.95, 1.05, 1.25, 2.0, 3.0)


def worlds(hazard):
    """List what can happen as (day of resolution, outcome, probability), and the belief in yes of each open day."""
    yes, no = HAZARDS[hazard]
    found, open_ = [], 1.0
    for day in range(DAYS):
        found += [(day + 1, 0, open_ * yes[day]), (day + 1, 1, open_ * no[day])]
        open_ *= 1 - yes[day] - no[day]
    found += [(DAYS, 0, 0.2 * open_), (DAYS, 1, 0.8 * open_)]
    belief = [0.2]
    for day in reversed(range(DAYS)):
        belief.append(yes[day] + (1 - yes[day] - no[day]) * belief[-1])
    return [world for world in found if world[2] > 0], np.array(belief[:0:-1])


def said(hazard, factor=1.0, every=1):
    """Return what is said in each world by one who multiplies odds and looks again every so many days."""
    happens, belief = worlds(hazard)
    odds = factor * belief / (1 - belief)
    rows = [
        (k, day, odds[day] / (1 + odds[day])) for k, (end, _, _) in enumerate(happens) for day in range(0, end, every)
    ]
    question, day, p = (np.array(column) for column in zip(*rows, strict=True))
    end, outcome, chance = (np.array(column) for column in zip(*happens, strict=True))
    stated = np.stack([p, 1 - p], axis=1)
    times = (np.full(len(p), 0.0), end[question].astype(float), np.full(len(p), float(DAYS)))
    return Forecasts(stated, outcome[question], question, day.astype(float), *times), chance


def expected(forecasts, chance, scored):
    scores = scored.score(forecast=forecasts.probabilities, outcome=forecasts.outcomes)
    return float((forecasts.shares() * scores) @ chance[forecasts.questions])


@pytest.mark.parametrize(("hazard", "name"), list(product(HAZARDS, RULES)))
def test_honesty_is_optimal_when_questions_resolve_early(hazard, name):
    scored = rule(name)
    honest = expected(*said(hazard), scored)
    assert honest > max(expected(*said(hazard, factor), scored) for factor in FACTORS)
    # Nor does anyone gain by looking less often, whatever is then said.
    lazy = [expected(*said(hazard, factor, every), scored) for factor in (1.0, *FACTORS) for every in (2, 3, 5, DAYS)]
    assert honest > max(lazy)


@pytest.mark.parametrize("hazard", HAZARDS)
def test_honesty_wins_on_equal_terms_when_questions_resolve_early(hazard):
    both = [said(hazard), *(said(hazard, factor) for factor in FACTORS)]
    first, chance = both[0]
    columns = [np.concatenate([getattr(one, name) for one, _ in both]) for name in ("questions", "times", "outcomes")]
    who = np.repeat(np.arange(len(both)), len(first.times))
    page = Columns(
        np.concatenate([one.probabilities for one, _ in both]), who, *columns, [str(k) for k in range(len(both))]
    )
    ends = np.zeros(len(chance))
    ends[first.questions] = first.resolved
    found = standing_scores(Book([page], np.zeros(len(chance)), ends, np.full(len(chance), float(DAYS))), every=1.0)
    weights = found.weights * chance[found.questions]
    ranking = compare_scores(page.subjects, found.scores, questions=found.questions, weights=weights)
    for k in range(1, len(both)):
        assert ranking.difference("0", str(k)).value > 0


def test_inflating_does_not_pay_in_a_record_that_ends_before_its_questions():
    # Simulated: hazard 4 % a day over 20 days, seen on day 24, when what came true early is known.
    rng, factors = np.random.default_rng(1), (1.0, 2.0, 3.0)
    opened = rng.integers(24, size=600)
    day = rng.geometric(0.04, size=600)
    end = opened + np.minimum(day, 20)
    rows = [
        (odds / (1 + odds), who, question, opened[question] + t, int(day[question] > 20))
        for question in np.flatnonzero(end <= 24)
        for t in range(end[question] - opened[question])
        for who, factor in enumerate(factors)
        for odds in [factor * (0.96 ** (t - 20) - 1)]
    ]
    p, *columns = (np.array(column) for column in zip(*sorted(rows, key=lambda row: row[1:4]), strict=True))
    page = Columns(np.stack([p, 1 - p], axis=1), *columns, ["honest", "double", "triple"])
    book = Book([page], opened * 1.0, end * 1.0, opened + 20.0)
    scores = [one.score.value for one in score_book(book).diagnoses]
    assert scores[0] > max(scores[1:])
    assert book.unfinished == sum(opened[row[2]] > 4 for row in rows)


def test_no_strategy_beats_the_belief_given_all_that_was_seen():
    # Three alternatives; each day brings a sign and may settle the question, both depending on the truth at random.
    rng = np.random.default_rng(5)
    days, prior = 3, rng.dirichlet(np.ones(3))
    sign, settle = rng.random((days, 3)), 0.6 * rng.random((days, 3))
    paths = []
    for truth, signs, end in product(range(3), product((0, 1), repeat=days), range(1, days + 1)):
        chance = prior[truth]
        for day in range(end):
            chance *= sign[day, truth] if signs[day] else 1 - sign[day, truth]
            chance *= (
                settle[day, truth] if day == end - 1 < days - 1 else 1 - settle[day, truth] if day < days - 1 else 1
            )
        if signs[end:] == (0,) * (days - end):
            paths.append((truth, signs[:end], chance))
    assert sum(chance for *_, chance in paths) == pytest.approx(1)
    seen = sorted({signs[:k] for _, signs, _ in paths for k in range(1, len(signs) + 1)})
    open_then = {past: [(t, c) for t, signs, c in paths if signs[: len(past)] == past] for past in seen}
    belief = np.array([[sum(c for t, c in open_then[past] if t == y) for y in range(3)] for past in seen])
    belief /= belief.sum(axis=1, keepdims=True)
    rows = [
        (k, day, seen.index(signs[: day + 1])) for k, (_, signs, _) in enumerate(paths) for day in range(len(signs))
    ]
    question, day, place = (np.array(column) for column in zip(*rows, strict=True))
    truth, length = np.array([(truth, len(signs)) for truth, signs, _ in paths]).T
    chance = np.array([path[2] for path in paths])
    times = (np.zeros(len(rows)), length[question].astype(float), np.full(len(rows), float(days)))
    for name in RULES[:3]:
        honest = expected(Forecasts(belief[place], truth[question], question, day * 1.0, *times), chance, rule(name))
        for _ in range(40):
            other = belief + rng.choice([0.01, 0.1, 1.0]) * (rng.dirichlet(np.ones(3), len(seen)) - belief)
            rival = expected(Forecasts(other[place], truth[question], question, day * 1.0, *times), chance, rule(name))
            assert rival < honest
