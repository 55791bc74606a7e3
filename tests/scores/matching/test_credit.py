"""Tables of credit hold exactly what the definition gives for every two values."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura.errors import BadParameter
from mensura.scores.matching import credit as module
from mensura.scores.matching.credit import CURVES, SIMILARITIES, Credit

STRINGS = st.lists(st.text(alphabet="ab C", max_size=7), max_size=6, unique=True)
NUMBERS = st.lists(st.integers(0, 40).map(float), max_size=8, unique=True)


def matrix(credit, reference, hypotheses):
    table = credit.between(reference, hypotheses)
    found = np.zeros((len(reference), len(hypotheses)))
    found[table.row, table.column] = table.f
    return found


def edit_distance(first, second):
    if not first or not second:
        return len(first) + len(second)
    same = edit_distance(first[1:], second[1:]) + (first[0] != second[0])
    return min(same, edit_distance(first[1:], second) + 1, edit_distance(first, second[1:]) + 1)


def pieces(text, name):
    if name == "words":
        return set(text.lower().split())
    return {f"  {text.lower()} "[place : place + 3] for place in range(len(text) + 1)}


def similarity(first, second, name):
    """The definition, one pair at a time."""
    if name == "edit":
        return 1.0 if first == second else 1 - edit_distance(first, second) / max(len(first), len(second))
    mine, other = pieces(first, name), pieces(second, name)
    return len(mine & other) / len(mine | other) if mine | other else 1.0


def curve(x, name):
    """The definition of credit for a distance."""
    value = {"linear": 1 - x, "quadratic": 1 - x * x, "step": float(x <= 1), "halving": 0.5**x * (x <= 10)}[name]
    return max(0.0, value)


def each_with_each(function, reference, hypotheses):
    values = [[function(a, b) for b in hypotheses] for a in reference]
    return np.array(values).reshape(len(reference), len(hypotheses))


@settings(deadline=None, max_examples=60)
@given(STRINGS, STRINGS, st.sampled_from(SIMILARITIES), st.sampled_from([0.0, 0.3, 0.6, 1.0]))
def test_similar_strings_are_found_as_by_comparing_each_with_each(reference, hypotheses, name, at_least):
    expected = each_with_each(lambda a, b: similarity(a, b, name), reference, hypotheses)
    expected = np.where(expected >= at_least, expected, 0)
    assert matrix(Credit("similarity", name, 1.0, at_least), reference, hypotheses) == pytest.approx(expected)


@settings(deadline=None, max_examples=60)
@given(NUMBERS, NUMBERS, st.sampled_from(list(CURVES)))
def test_near_numbers_are_found_as_by_comparing_each_with_each(reference, hypotheses, name):
    expected = each_with_each(lambda a, b: curve(abs(a - b) / 4.0, name), reference, hypotheses)
    assert matrix(Credit("curve", name, 4.0), reference, hypotheses) == pytest.approx(expected)


def test_too_many_comparisons_are_refused_with_their_number_and_a_way_out(monkeypatch):
    monkeypatch.setattr(module, "MOST_EDITS", 3)
    with pytest.raises(BadParameter, match=r"place has 2 and 2 different values.*at most 3.*trigrams or words"):
        Credit("similarity", "edit").between(["a", "b"], ["a", "c"], what="place")


def test_thousands_of_names_are_compared_by_edit_distance_in_seconds():
    rng = np.random.default_rng(1)
    names = ["".join(rng.choice(list("abcdefghij"), 10)) for _ in range(2000)]
    table = Credit("similarity", "edit", 1.0, 0.7).between(names, names)
    assert np.all(table.f[table.row == table.column] == 1.0)
    assert np.sum(table.row == table.column) == 2000
