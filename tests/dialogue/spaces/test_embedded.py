"""Answers of a page of a test's own: a declared shape, checked word by word."""

from typing import Any, ClassVar

import numpy as np
import pytest

from mensura.dialogue import Embedded
from mensura.dialogue.spaces.embedded import TRIALS
from mensura.dialogue.spaces.shape import check_shape, draw_shape, fit
from mensura.errors import BadFile, BadParameter, Invalid

TRIAL = {"trial_type": "flanker", "trial_index": 0, "time_elapsed": 512, "rt": 301.5, "response": "left"}
SHAPES: list[dict[str, Any]] = [
    TRIALS,
    {"enum": ["a", 1, None]},
    {"type": "object", "properties": {"side": {"enum": ["left", "right"]}, "sure": {"type": "boolean"}}},
    {"type": "array", "items": {"type": "integer", "minimum": -2, "maximum": 2}, "minItems": 1, "maxItems": 2},
    {"type": "string", "minLength": 2, "maxLength": 4},
    {"type": ["number", "null"], "maximum": -1},
    {"type": "null"},
]


@pytest.mark.parametrize("shape", SHAPES, ids=range(len(SHAPES)))
def test_what_is_drawn_fits_and_is_the_answer(shape: dict[str, Any]) -> None:
    rng = np.random.default_rng(4)
    space = Embedded(shape)
    for _ in range(20):
        drawn = draw_shape(shape, rng)
        assert space.check(drawn) == drawn
    assert space.check(space.draw(rng)) is not Ellipsis
    assert space.schema() == shape


@pytest.mark.parametrize(
    ("value", "shape", "words"),
    [
        ("c", {"enum": ["a", "b"]}, "must be one of"),
        (True, {"type": "integer"}, "of the type integer; got True"),
        (1.5, {"type": "integer"}, "of the type integer"),
        (float("nan"), {"type": "number"}, "of the type number"),
        ("x", {"type": ["number", "null"]}, "number or null; got 'x'"),
        (7, {"type": "number", "minimum": 0, "maximum": 5}, "at least 0 and at most 5; got 7"),
        (-1, {"type": "number", "minimum": 0}, "must be at least 0; got -1"),
        ("long", {"type": "string", "maxLength": 3}, "The length of the answer must be at most 3; got 4"),
        ([], {"type": "array", "items": {"type": "null"}, "minItems": 1}, "The number of items of the answer"),
        ([1, "x"], {"type": "array", "items": {"type": "number"}}, "Item 1 of the answer must be of the type number"),
        ({}, {"type": "object", "required": ["rt"]}, "The answer has no 'rt'"),
        ({"a": 1}, {"type": "object", "properties": {"b": {"type": "null"}}}, "'a', which is not allowed"),
        ({"b": 1}, {"type": "object", "properties": {"b": {"type": "null"}}}, "'b' of the answer must be of the type"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(value: Any, shape: dict[str, Any], words: str) -> None:
    with pytest.raises(Invalid, match=words):
        fit(value, shape)


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ({"type": "string", "pattern": "^a"}, "uses 'pattern', which is not supported"),
        ({"type": "text"}, "the type 'text'; types are object"),
        ({}, "names no type"),
        ({"enum": []}, "an empty enum"),
        ({"type": "object", "required": ["rt"]}, "requires 'rt', which is not among its properties"),
        ("object", "is a JSON schema"),
        ({"type": "object", "properties": {"a": {"type": "strnig"}}}, "The shape of a names the type"),
    ],
)
def test_a_shape_that_would_not_be_checked_is_refused(shape: Any, words: str) -> None:
    with pytest.raises(BadParameter, match=words):
        check_shape(shape)


def test_answers_are_json_that_can_be_stored_and_is_not_endless() -> None:
    space = Embedded(TRIALS, told={"trials": 3}, longest=300)
    assert space.parse({"answer": '[{"trial_type": "a"}]'}) == [{"trial_type": "a"}]
    assert space.check([TRIAL]) == [TRIAL]
    for text in ("{", "[" * 100_000):
        with pytest.raises(Invalid, match="must be JSON"):
            space.parse({"answer": text})
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    for wrong in (object(), deep, [{**TRIAL, "rate": float("nan")}]):
        with pytest.raises(Invalid, match="must be JSON"):
            space.check(wrong)
    with pytest.raises(Invalid, match="at most 300 are allowed"):
        space.check([TRIAL] * 9)
    for character in ("\x00", "\ud800"):
        with pytest.raises(Invalid, match="cannot be stored"):
            space.check([{**TRIAL, "response": character}])
    assert "told" in space.hint()
    assert "told" not in Embedded(TRIALS).hint()


def test_a_class_of_its_own_says_where_its_files_are_and_records_do_not() -> None:
    class Nowhere(Embedded):
        kind: ClassVar[str] = "nowhere-test"
        site: ClassVar[dict[str, str]] = {"start": "index.html"}

    class Somewhere(Embedded):
        kind: ClassVar[str] = "somewhere-test"
        site: ClassVar[dict[str, str]] = {"folder": "/here/pages"}

    with pytest.raises(BadFile, match="The site of Nowhere must name a folder or a package"):
        Nowhere(TRIALS)
    described = Somewhere(TRIALS).described()
    assert (described["kind"], described["like"]) == ("somewhere-test", "embedded")
    assert "/here" not in str(described)
