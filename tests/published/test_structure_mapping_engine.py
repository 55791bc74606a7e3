"""Falkenhainer, Forbus & Gentner (1989), The structure-mapping engine: Figures 15 and 16, Table 1, appendices."""

from pathlib import Path

import pytest

import mensura.catalog.analogy.predicates as room
from mensura.catalog.analogy.predicates.description import read_description
from mensura.catalog.analogy.predicates.mapping import map_descriptions
from mensura.errors import BadFile

FOLDER = Path(room.__file__).parent


def story(name):
    return read_description(FOLDER / f"{name}.lisp")


@pytest.mark.parametrize(("name", "expressions", "entities"), [("hawk", 26, 6), ("country", 24, 6), ("eagle", 24, 5)])
def test_descriptions_have_the_printed_sizes(name, expressions, entities):
    assert (len(story(name).expressions), len(story(name).entities)) == (expressions, entities)


@pytest.mark.parametrize(
    ("rules", "target", "count", "weight"),
    [("an", "country", 54, 22.3627), ("an", "eagle", 47, 16.8165), ("ma", "country", 12, 6.4116),
     ("ma", "eagle", 14, 7.7036)],
)  # fmt: skip
def test_hypotheses_and_weights_are_the_printed_ones(rules, target, count, weight):
    found = map_descriptions(story("hawk"), story(target), rules=rules)
    assert len(found.beliefs) == count
    assert found.weight == pytest.approx(weight, abs=5e-5)
    for side in ("base", "target"):
        mapped = [getattr(one, side) for one in found.chosen]
        assert len(set(mapped)) == len(mapped)
    assert {argument for one in found.chosen for argument in one.arguments} <= set(found.chosen)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(a b", "never closed"),
        ("(a b))", "not opened"),
        ("a", "outside"),
        ("(a)\n", "one argument"),
        ("", "no predicate"),
    ],
)
def test_a_damaged_description_is_refused_in_a_sentence(tmp_path, text, words):
    file = tmp_path / "story.lisp"
    file.write_text(text)
    with pytest.raises(BadFile, match=words):
        read_description(file)
