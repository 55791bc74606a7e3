"""Numbers of Hurley, Abgaz, Ali and O'Donoghue (2016): the corpus of short answers, and what ratings can be."""

from itertools import combinations_with_replacement, product
from pathlib import Path

import numpy as np
import pytest
from krippendorff import alpha as library_alpha

from mensura.catalog.analogy.plagiarism.corpus import LEVELS, read_corpus

DATA = Path(__file__).parents[3] / "shared" / "data" / "analogy" / "clough_stevenson"
needs_data = pytest.mark.skipif(not DATA.exists(), reason="the plagiarism corpus is not part of the package")


@needs_data
def test_19_participants_answered_five_tasks_and_with_the_five_sources_100_documents_are_in_the_corpus():
    corpus = read_corpus(str(DATA))
    assert (len(corpus.answers), len(corpus.sources), len(corpus.participants)) == (95, 5, 19)
    assert sorted(corpus.sources) == list("abcde")
    assert {sum(one.participant == who for one in corpus.answers) for who in corpus.participants} == {5}


@needs_data
def test_38_answers_are_not_plagiarised_and_19_of_each_other_level():
    """The paper speaks of one non-plagiarised version of each document; the corpus has two for each of the others."""
    found = {level: sum(one.level == level for one in read_corpus(str(DATA)).answers) for level in LEVELS}
    assert found == {"cut": 19, "light": 19, "heavy": 19, "non": 38}


@pytest.mark.parametrize(("raters", "most"), [(12, 0.1742), (13, 0.2188)])
def test_the_printed_alpha_of_novelty_cannot_come_from_the_two_printed_means(raters, most):
    """Section 6: novelty 4.5 and 4.1, Krippendorff's alpha .344; 12 raters in one place, 13 in another."""
    assert greatest_alpha((4.5, 4.1), raters=raters) == pytest.approx(most, abs=0.0001)
    assert most < 0.23 < 0.344


@pytest.mark.parametrize("raters", [12, 13])
def test_the_other_printed_alphas_are_possible(raters):
    assert greatest_alpha((3.7, 3.0), raters=raters) > 0.274
    assert greatest_alpha((4.1, 3.3), raters=raters) > 0.394


def test_the_greatest_alpha_is_that_of_the_library_over_all_ways_to_rate():
    ways = list(combinations_with_replacement(range(1, 6), 4))
    best = -1.0
    for first, second in product(ways, ways):
        if abs(np.mean(first) - 4.5) <= 0.05 and abs(np.mean(second) - 3.75) <= 0.05:
            table = np.array([first, second], dtype=float).T
            best = max(best, library_alpha(table, level_of_measurement="interval"))
    assert greatest_alpha((4.5, 3.75), raters=4) == pytest.approx(best)


def greatest_alpha(means: tuple[float, ...], *, raters: int, points: int = 5) -> float:
    """Return the greatest alpha (interval) of whole ratings whose means, rounded to one place, are these.

    All ways in which so many raters could have rated each item are gone through. With the means given, agreement is
    greatest where ratings of one item differ least, but means are rounded, so that all are tried.
    """
    held = [_least_spread(mean, raters=raters, points=points) for mean in means]
    best = -np.inf
    stack: list[tuple[tuple[int, ...], ...]] = [()]
    for choices in held:
        stack = [(*done, one) for done in stack for one in choices]
    for items in stack:
        values = np.array(items, dtype=float)
        within = np.mean([2 * one.var(ddof=1) for one in values])
        across = 2 * values.var(ddof=1)
        best = max(best, 1 - within / across if across else -np.inf)
    return float(best)


def _least_spread(mean: float, *, raters: int, points: int) -> list[tuple[int, ...]]:
    """Return for every sum of ratings with this rounded mean the ratings that spread least."""
    by_sum: dict[int, tuple[int, ...]] = {}
    for ratings in combinations_with_replacement(range(1, points + 1), raters):
        whole = sum(ratings)
        if abs(whole / raters - mean) <= 0.05 + 1e-9:
            known = by_sum.get(whole)
            if known is None or np.var(ratings) < np.var(known):
                by_sum[whole] = ratings
    return list(by_sum.values())
