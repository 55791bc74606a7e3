"""The parameters of a test as the command line shows them."""

import pytest
from click.testing import CliRunner

from mensura.catalog.find import find_test, list_tests
from mensura.cli.results.listing import command

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


@pytest.mark.parametrize("id", list_tests())
def test_list_shows_the_sentence_of_every_parameter_of_every_test(id):
    done = CliRunner().invoke(command, [id])
    assert done.exit_code == 0, done.output
    said = "".join(done.output.split())
    for parameter in find_test(id).parameters.values():
        assert "".join(f"{parameter.flag} {parameter.about}".split()) in said, parameter.name


def test_a_test_without_sentences_is_refused_with_the_line_to_write(told, tmp_path):
    mute = DICE.replace('Annotated[int, "How many throws are asked about, 1 or more."]', "int")
    (tmp_path / "mute.py").write_text(mute)
    done = told("check", "./mute.py", "--sessions", "2")
    assert done.status == 1
    (line,) = [line for line in done.out.splitlines() if "parameters documented" in line]
    assert line.startswith("FAILED")
    assert 'rolls: Annotated[int, "What it is, and which values it takes."] = 6' in line
    assert "ok      parameters documented" in told("check", "./told.py", "--sessions", "2").out


def test_a_new_test_documents_its_parameters(mensura):
    assert mensura("new", "urn").status == 0
    assert "How many balls are drawn from the urn" in one_line(mensura("list", "./urn.py").out)
    assert "ok      parameters documented" in mensura("check", "./urn.py").out
