"""The space of an item and its answer: inferred, named, or refused in a sentence."""

import pytest

from mensura.catalog.bank.spaces import NAMED, read_answer, read_options, read_space
from mensura.dialogue import Choice, Density, Distribution, Number, Probability, Text
from mensura.errors import BadFile, Invalid

CITIES = Choice(("Rome", "Paris", "Bonn"))


@pytest.mark.parametrize(
    ("options", "answer", "space"),
    [
        (["a", "b"], "a", Choice(("a", "b"))),
        ([1, 2.5], None, Choice(("1", "2.5"))),
        (None, True, Choice(("yes", "no"))),
        (None, 4, Number()),
        (None, 2.5, Number()),
        (None, "Au", Text()),
        (None, None, Text()),
    ],
)
def test_a_space_is_inferred_from_options_or_the_type_of_the_answer(options, answer, space):
    assert read_space(None, options=options, answer=answer) == space


def test_the_value_of_an_answer_does_not_show_in_its_space():
    assert read_space(None, answer=4) == read_space(None, answer=2.5) == read_space(None, answer=10**12)
    assert read_space(None, answer=True) == read_space(None, answer=False)


@pytest.mark.parametrize("answer", [0, -3, 4.0, 2.5, 10**15])
def test_whatever_number_someone_answers_is_valid_where_the_answer_is_whole(answer):
    assert read_space(None, answer=4).check(answer) == answer


@pytest.mark.parametrize(
    ("named", "options", "space"),
    [
        ("probability", None, Probability()),
        ("text", None, Text()),
        ({"kind": "number", "low": 0, "high": 10}, None, Number(0, 10)),
        ({"kind": "number", "integer": True}, None, Number(integer=True)),
        ("distribution", ["a", "b"], Distribution(("a", "b"))),
        ({"kind": "choice", "options": ["a", "b"]}, None, Choice(("a", "b"))),
        ({"kind": "density", "low": 0, "high": 9}, None, Density(0, 9)),
        (CITIES, None, CITIES),
    ],
)
def test_a_space_can_be_named(named, options, space):
    assert read_space(named, options=options) == space


@pytest.mark.parametrize("kind", NAMED)
def test_every_kind_can_be_named_and_used(kind):
    needs = {
        "choice": {"options": ["a", "b"]},
        "distribution": {"options": ["a", "b"]},
        "allocation": {"options": ["a", "b"], "total": 10},
        "action": {"names": ["left", "right"]},
        "density": {"low": 0, "high": 1},
    }
    assert read_space({"kind": kind, **needs.get(kind, {})}).kind == kind


def test_lines_that_name_the_same_space_share_it():
    assert read_space({"kind": "likert", "points": 5}) is read_space({"points": 5, "kind": "likert"})


@pytest.mark.parametrize(
    ("named", "options", "words"),
    [
        ("probabilty", None, "There is no kind of space called 'probabilty'. Did you mean probability"),
        ("call", None, "There is no kind of space called 'call'"),
        (7, None, "`space` is the name of a kind"),
        ({"low": 0}, None, "`space` is the name of a kind"),
        ({"kind": "number", "lowest": 0}, None, "There is no property of a number called 'lowest'. Did you mean low"),
        ({"kind": "probability", "low": 0}, None, "There are none"),
        ({"kind": "number", "low": "0"}, None, "No answer can lie in the space"),
        ({"kind": "number", "low": 5, "high": 1}, None, "No answer can lie in the space"),
        ({"kind": "text", "longest": -1}, None, "No answer can lie in the space"),
        ({"kind": "density", "low": 0}, None, "A density needs high"),
        ({"kind": "number", "unit": "\ud800"}, None, "cannot be made"),
        ({"kind": "number", "unit": object()}, None, "cannot be made"),
        ("choice", None, "A choice needs alternatives. List them: `options`"),
        ("number", ["a", "b"], "A number has no `options`"),
        ({"kind": "choice", "options": ["a", "b"]}, ["a", "b"], "names its options twice"),
        (CITIES, ["a", "b"], "both `options` and a space"),
        (None, "ab", "`options` is a list"),
        (None, ["a"], "at least two"),
        (None, ["a", "a "], "'a' appears twice"),
        (None, ["a", " "], "is empty"),
        (None, ["a", "\x00"], "cannot be stored"),
        (None, ["a", True], "a text or a number; got True"),
        (None, ["a", None], "a text or a number; got None"),
    ],
)
def test_a_wrong_space_is_refused_in_a_sentence(named, options, words):
    with pytest.raises(BadFile, match=words):
        read_space(named, options=options)


def test_an_answer_of_no_simple_kind_asks_for_a_name():
    with pytest.raises(BadFile, match=r"cannot be guessed. Name it: `space`"):
        read_space(None, answer=[1, 2])


@pytest.mark.parametrize(
    ("space", "answer", "counts"),
    [
        (CITIES, "Paris", "Paris"),
        (CITIES, " Paris ", "Paris"),
        (CITIES, "B", "Paris"),
        (CITIES, 1, "Paris"),
        (CITIES, 0, "Rome"),
        (CITIES, None, None),
        (Choice(("B", "A")), "A", "A"),
        (Choice(("0", "1", "2")), 2, "2"),
        (Choice(("30", "40")), 40, "40"),
        (Choice(("2.5", "1")), 2.5, "2.5"),
        (Choice(("no", "yes")), True, "yes"),
        (Distribution(("x", "y")), "B", "y"),
        (Probability(), True, 1),
        (Probability(), False, 0),
        (Probability(), 1.0, 1),
        (Density(0, 9), 3, 3.0),
        (Number(), 4, 4.0),
        (Number(integer=True), 4.0, 4),
        (Text(), "Au", "Au"),
    ],
)
def test_an_answer_is_read_in_the_form_in_which_it_counts(space, answer, counts):
    found = read_answer(space, answer)
    assert found == counts
    assert type(found) is type(counts)


@pytest.mark.parametrize(
    ("space", "answer", "words"),
    [
        (CITIES, "Berlin", "must be one of Rome, Paris, Bonn; got 'Berlin'"),
        (CITIES, "D", "must be one of"),
        (CITIES, "b", "must be one of"),
        (CITIES, 3, "must be one of"),
        (CITIES, -1, "must be one of"),
        (CITIES, 1.0, "must be one of"),
        (CITIES, True, "must be one of Rome, Paris, Bonn; got true"),
        (CITIES, ["Rome"], "must be one of"),
        (Choice(("1", "2", "3")), 1, "may be the option '1' or the number of '2'. Write the option itself"),
        (Probability(), 0.3, "whether it happened, true or false; got 0.3"),
        (Probability(), "yes", "whether it happened"),
        (Density(0, 9), 10, "between 0 and 9"),
        (Number(0, 10), 11, "between 0 and 10"),
        (Number(), "4", "must be a number"),
        (Number(), 10**400, "too large"),
        (Number(), float("nan"), "must be finite"),
        (Text(longest=2), "Aux", "at most 2"),
    ],
)
def test_an_answer_outside_its_space_is_refused(space, answer, words):
    with pytest.raises(Invalid, match=words):
        read_answer(space, answer)


def test_options_are_read_without_the_spaces_around_them():
    assert read_options([" a", "b "]) == ("a", "b")
