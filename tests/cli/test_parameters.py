"""The parameters of a test as the command line shows them."""

import pytest

DICE = '''
from typing import Annotated, Literal

from mensura.dialogue import Ask, Choice, test


@test("told-v1")
def told(
    rng,
    *,
    rolls: Annotated[int, "How many throws are asked about, 1 or more."] = 6,
    kind: Annotated[Literal["fair", "loaded"], "Whether every side is equally likely."] = "fair",
    of_whom_the_throws_were_recorded: Annotated[str, """A file of recorded throws, one line each, which is read once
and whose lines are then asked about in the order in which they were written; none: throws are drawn."""] = "",
):
    """Say what a die shows."""
    yield Ask("Which side?", Choice(("1", "2")), key="a", truth="1")
'''


@pytest.fixture
def told(mensura, tmp_path):
    (tmp_path / "told.py").write_text(DICE)
    return mensura


def one_line(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("words", [("list",), ("run", "--help"), ("take", "--help"), ("check", "--help")])
def test_every_place_says_what_a_parameter_is_and_what_it_takes(told, words):
    done = told(words[0], "./told.py", *words[1:])
    assert done.status == 0
    said = one_line(done.out)
    assert "--rolls How many throws are asked about, 1 or more. [whole number; default: 6]" in said
    assert "--kind Whether every side is equally likely. [fair or loaded; default: fair]" in said
    assert "none: throws are drawn. [text; default: none]" in said


def test_parameters_fit_on_80_columns(told):
    lines = told("list", "./told.py").out.splitlines()
    assert max(map(len, lines)) <= 80
    assert (
        max(len(line) for line in told("list", "lambda-star").out.split("Parameters of")[1].split("setting ")[0]) <= 80
    )


def test_json_gives_name_default_and_about_of_each_parameter(told):
    rolls, kind, file = told("list", "./told.py", "--json").json["parameters"]
    assert (rolls["name"], rolls["default"]) == ("rolls", 6)
    assert rolls["about"] == "How many throws are asked about, 1 or more."
    assert kind["choices"] == ["fair", "loaded"]
    assert file["default"] == ""


def test_help_of_a_verb_without_a_test_is_the_help_of_the_verb(mensura):
    said = mensura("run", "--help").out
    assert "Parameters of" not in said
    assert "--sessions" in said


def test_help_names_a_test_that_does_not_exist(mensura):
    said = mensura("run", "coyn", "--help").out
    assert "There is no test called 'coyn'. Did you mean coin?" in said
    assert "--sessions" in said
