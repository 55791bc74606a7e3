import numpy as np
import pytest

from mensura.errors import BadData
from mensura.stats.adaptivity import knowledge_gained, learning_rate

SIZE = np.array([1.0, 2, 4, 8, 16])


def test_an_exact_law_is_found_and_foretells_every_task():
    talent = np.array([[1.0], [1.2], [0.9]])
    found = learning_rate(10 * talent * SIZE**1.5, properties={"size": SIZE}, reference={"size": 1})
    assert found.exponents["size"] == pytest.approx(1.5)
    assert 1 / found.rate.value == pytest.approx(10 * np.exp(np.log(talent).mean()))
    assert found.miss.value == pytest.approx(1)
    # An exact law foretells what it left out: the geometric mean of the courses' times.
    assert found.foretold == pytest.approx(10 * np.exp(np.log(talent).mean()) * SIZE**1.5)
    assert found.plain_miss.value > 2
    assert (found.rate.population, found.miss.population) == ("courses", "tasks like these")


def test_the_reference_is_the_middle_of_the_class_unless_given():
    times = np.array([[10.0, 19, 42, 81, 159], [12.0, 25, 44, 90, 200]])
    found = learning_rate(times, properties={"size": SIZE})
    assert 1 / found.rate.value == pytest.approx(np.exp(np.log(times).mean()))
    assert "left out of 5" in found.sentence


@pytest.mark.parametrize(
    ("times", "size", "words"),
    [
        ([[1.0, 2.0]], [1, 2], "need at least 3 tasks"),
        ([[1.0, 0.0, 2.0]], [1, 2, 3], "above 0"),
        ([[1.0]], [1, 2], "above 0"),
    ],
)
def test_too_few_tasks_or_no_times_are_refused(times, size, words):
    with pytest.raises(BadData, match=words):
        learning_rate(times, properties={"size": size})


def test_knowledge_grows_with_what_was_stored_anew_and_is_labelled_a_proxy():
    rng = np.random.default_rng(1)
    blank, some, more = np.zeros(300), np.zeros(300), rng.normal(size=300)
    some[:30] = more[:30]
    amounts = [knowledge_gained(before={"q": blank}, after={"q": after}).amount for after in (blank, some, more)]
    assert amounts[0] == 0
    assert 0 < amounts[1] < amounts[2] / 4
    assert "proxy" in knowledge_gained(before=b"", after=b"abc").measure
    with pytest.raises(BadData, match="bytes or JSON data"):
        knowledge_gained(before={}, after={"q": object()})
