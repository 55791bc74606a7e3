"""Numbers of Hurley, Abgaz, Ali and O'Donoghue (2016): the corpus of short answers, and what ratings can be."""

from pathlib import Path

import pytest

from mensura.catalog.analogy.experts.sizing import greatest_alpha
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


@pytest.mark.parametrize("raters", [12, 13])
def test_the_printed_alpha_of_novelty_cannot_come_from_the_two_printed_means(raters):
    """Section 6: novelty 4.5 and 4.1, Krippendorff's alpha .344; 12 raters in one place, 13 in another."""
    greatest = greatest_alpha((4.5, 4.1), raters=raters)
    assert greatest < 0.344
    assert greatest == pytest.approx(0.23, abs=0.06)


@pytest.mark.parametrize("raters", [12, 13])
def test_the_other_printed_alphas_are_possible(raters):
    assert greatest_alpha((3.7, 3.0), raters=raters) > 0.274
    assert greatest_alpha((4.1, 3.3), raters=raters) > 0.394
