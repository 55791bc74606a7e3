"""Verifying: every false claim of a puzzle is named, and one without a proof is not passed over."""

from dataclasses import replace

import pytest

from mensura.catalog.puzzles.files.line import read_line
from mensura.catalog.puzzles.posing import PuzzleRequest, pose
from mensura.catalog.puzzles.verifying import verify_lines
from mensura.dialogue import Choice, generator


def made(kind="number-series", **asked):
    [line] = pose(PuzzleRequest(kinds=kind, count=1, **asked), generator(3))
    return line


def told(line):
    found = verify_lines([line])
    return "; ".join(found.wrong.get(line.id, []))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"derivation": (("add", [1], ""),)}, "its shortest derivation is"),
        ({"derivation": (("conjure", [], ""),)}, "its shortest derivation is"),
        ({"derivation": ()}, "its shortest derivation is"),
        ({"load": {}}, "the rules of its load is"),
        ({"structure": "0123456789abcdef"}, "the hash of its structure is not"),
        ({"presentation": {"symbols": "roman"}}, "it is not presented as its presentation says"),
        ({"tags": ("number-series", "rules-9")}, "its tag rules-9 is false"),
        ({"tags": ("matrix",)}, "its tag matrix is false"),
        ({"tags": ("symbols-roman",)}, "its tag symbols-roman is false"),
    ],
)
def test_each_false_claim_is_named(change, words):
    line = made()
    assert told(line) == ""
    assert words in told(replace(line, **change))


def test_tags_of_the_users_own_are_left_alone():
    line = made()
    assert told(replace(line, tags=(*line.tags, "pilot"))) == ""


@pytest.mark.parametrize(
    ("kind", "option"),
    [("number-series", "apple"), ("number-series", "007"), ("letter-string", "a1"), ("odd-one-out", "9")],
)
def test_an_option_that_is_not_of_the_kind_is_named(kind, option):
    line = made(kind)
    wrong = next(place for place, one in enumerate(line.space.options) if one != line.answer)
    options = tuple(option if place == wrong else one for place, one in enumerate(line.space.options))
    assert "option" in told(replace(line, space=Choice(options)))


@pytest.mark.parametrize("change", [{"proof": {}}, {"proof": {"complexity": 30.0}}, {"grammar": "letter-series-g1"}])
def test_a_generated_puzzle_without_its_proof_is_said_to_lack_it(change):
    line = replace(made(), **change)
    found = verify_lines([line])
    assert list(found.unproven) == [line.id]
    assert (found.right, found.unchecked) == (0, {})


def test_a_puzzle_of_another_kind_than_it_says_is_named():
    line = replace(made(), kind="letter-series", grammar="letter-series-g1")
    assert "cannot be read as a puzzle of the kind letter-series" in told(line)


def test_more_answers_do_not_make_an_ambiguous_puzzle_right():
    line = made()
    cells = [{"type": "text", "words": words} for words in ("1", "2", "4")] + [{"type": "gap", "words": "?"}]
    ambiguous = replace(line, prompt=replace(line.prompt, cells=cells), answers=((8, 1.0), (7, 1.0)))
    assert "different answers" in told(ambiguous)


@pytest.mark.parametrize("kind", ["letter-series", "letter-string", "matrix", "geometric-analogy", "classification"])
@pytest.mark.parametrize("answer", ["choice", "construct"])
def test_what_is_made_has_all_that_it_claims_once_it_is_read_again(kind, answer):
    lines = pose(PuzzleRequest(kinds=kind, count=4, answer=answer, presentation="mixed"), generator(8))
    found = verify_lines(read_line(line.as_json()) for line in lines)
    assert (found.wrong, found.unproven) == ({}, {})
    assert found.right + len(found.unchecked) == 4
