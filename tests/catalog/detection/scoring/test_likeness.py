"""Tables of credit hold exactly what the credit function gives for every two values."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura.catalog.detection.scoring import likeness
from mensura.catalog.detection.scoring.credit import CURVES, SIMILARITIES, Credit
from mensura.catalog.detection.scoring.likeness import scalar_table
from mensura.catalog.detection.scoring.specification import Attribute
from mensura.errors import BadParameter

STRINGS = st.lists(st.text(alphabet="ab C", max_size=7), max_size=6, unique=True)
NUMBERS = st.lists(st.integers(0, 40).map(float), max_size=8, unique=True)


def matrix(attribute, reference, hypotheses):
    table = scalar_table(attribute, reference, hypotheses)
    found = np.zeros((len(reference), len(hypotheses)))
    found[table.row, table.column] = table.f
    return found


def by_function(attribute, reference, hypotheses):
    function = attribute.credit.function()
    values = [[function(a, b) for b in hypotheses] for a in reference]
    return np.array(values).reshape(len(reference), len(hypotheses))


@settings(deadline=None, max_examples=60)
@given(STRINGS, STRINGS, st.sampled_from(SIMILARITIES), st.sampled_from([0.0, 0.3, 0.6, 1.0]))
def test_similar_strings_are_found_as_by_comparing_each_with_each(reference, hypotheses, name, at_least):
    attribute = Attribute("place", "string", credit=Credit("similarity", name, 1.0, at_least))
    expected = by_function(attribute, reference, hypotheses)
    assert matrix(attribute, reference, hypotheses) == pytest.approx(expected)


@settings(deadline=None, max_examples=60)
@given(NUMBERS, NUMBERS, st.sampled_from(CURVES))
def test_near_numbers_are_found_as_by_comparing_each_with_each(reference, hypotheses, name):
    attribute = Attribute("day", "number", credit=Credit("curve", name, 4.0))
    expected = by_function(attribute, reference, hypotheses)
    assert matrix(attribute, reference, hypotheses) == pytest.approx(expected)


def test_too_many_comparisons_are_refused_with_their_number_and_a_way_out(monkeypatch):
    monkeypatch.setattr(likeness, "MOST_EDITS", 3)
    attribute = Attribute("place", "string", credit=Credit("similarity", "edit"))
    with pytest.raises(BadParameter, match=r"place has 2 and 2 different values.*at most 3.*trigrams or words"):
        scalar_table(attribute, ["a", "b"], ["a", "c"])


def test_thousands_of_names_are_compared_by_edit_distance_in_seconds():
    rng = np.random.default_rng(1)
    names = ["".join(rng.choice(list("abcdefghij"), 10)) for _ in range(2000)]
    attribute = Attribute("name", "string", credit=Credit("similarity", "edit", 1.0, 0.7))
    table = scalar_table(attribute, names, names)
    assert np.all(table.f[table.row == table.column] == 1.0)
    assert np.sum(table.row == table.column) == 2000
