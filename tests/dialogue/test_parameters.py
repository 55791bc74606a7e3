"""Parameters: what a user can set, read from the signature of a test."""

import inspect
from functools import partial, wraps
from typing import Annotated, Any, Literal

import pytest

from mensura.dialogue import Ask, test
from mensura.dialogue.parameters import Parameter, read_parameters

Sides = Annotated[int, "How many sides a die has, from 2 to 100."]


def dice(
    rng: Any,
    *,
    sides: Sides = 6,
    kind: Annotated[Literal["fair", "loaded"], "Whether the dice are fair."] = "fair",
    seconds: Annotated[float | None, "Seconds for an answer; none: no limit."] = None,
    shown: Annotated[bool, "Whether earlier throws are shown."] = True,
    file: Annotated[str, "A file of throws; none: they are drawn."] = "",
    bare: int = 3,
) -> Any:
    yield Ask("?")


def parameters(function: Any) -> dict[str, Parameter]:
    return read_parameters(function, leave_out=("rng",))


def test_a_parameter_carries_the_sentence_declared_beside_it():
    found = parameters(dice)
    assert found["sides"].about == "How many sides a die has, from 2 to 100."
    assert found["seconds"].about == "Seconds for an answer; none: no limit."
    assert found["bare"].about == ""


def test_the_sentence_does_not_change_how_a_value_is_read():
    found = parameters(dice)
    assert [found[name].type for name in ("sides", "kind", "seconds", "shown", "file")] == [int, str, float, bool, str]
    assert found["sides"].read("12") == 12
    assert found["kind"].choices == ("fair", "loaded")
    assert found["seconds"].read("1.5") == 1.5
    assert test("dice-v1")(dice).fill({"shown": "no"})["shown"] is False


def test_what_a_parameter_takes_and_its_default_are_words():
    words = {name: (one.takes, one.default_words) for name, one in parameters(dice).items()}
    assert words == {
        "sides": ("whole number", "6"),
        "kind": ("fair or loaded", "fair"),
        "seconds": ("number", "none"),
        "shown": ("yes or no", "yes"),
        "file": ("text", "none"),
        "bare": ("whole number", "3"),
    }
    assert Parameter("list", list, []).default_words == "none"
    assert Parameter("rows", list, [{"a": 1}]).default_words == "built in"
    assert Parameter("needed", int, inspect.Parameter.empty).described().endswith("[whole number; required]")


@wraps(dice)
def wrapped(*arguments: Any, **given: Any) -> Any:
    return dice(*arguments, **given)


@pytest.mark.parametrize("function", [wrapped, partial(wrapped, bare=1), partial(dice, bare=1)])
def test_partials_and_wrapped_functions_keep_the_sentences(function):
    found = parameters(function)
    assert found["sides"].about == "How many sides a die has, from 2 to 100."
    assert found["kind"].choices == ("fair", "loaded")
