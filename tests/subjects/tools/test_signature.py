"""Python functions as tools: their schema, and their arguments checked."""

from typing import Literal

import pytest

from mensura.errors import BadParameter
from mensura.subjects.tools.signature import Signature, signatures_of


def find(title: str, kind: Literal["book", "film"] = "book", years: list[int] | None = None) -> str:
    """Find a work by its title."""
    return title


def test_types_and_docstring_make_the_schema():
    function = Signature(find).function
    assert (function.name, function.about) == ("find", "Find a work by its title.")
    assert function.schema["required"] == ["title"]
    assert function.schema["additionalProperties"] is False
    assert function.schema["properties"]["title"] == {"type": "string"}
    assert function.schema["properties"]["kind"]["enum"] == ["book", "film"]
    assert function.schema["properties"]["years"]["anyOf"][0] == {"type": "array", "items": {"type": "integer"}}


def test_arguments_that_do_not_fit_are_said():
    signature = Signature(find)
    assert signature.check({"title": "Emma"}) == {"title": "Emma", "kind": "book", "years": None}
    for wrong, words in [
        ({}, "title: Field required"),
        ({"title": "a", "kind": "song"}, "kind"),
        ({"x": 1}, "x: Extra"),
    ]:
        with pytest.raises(ValueError, match=words):
            signature.check(wrong)


def untyped(thing):
    return thing


def many(*things: int) -> int:
    return len(things)


def unheard(thing: "Unheard") -> int:  # noqa: F821
    return 1


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        (untyped, "must say the type of thing"),
        (many, "must say the type"),
        (unheard, "cannot be read"),
        ([find, find], "Two tools are called 'find'"),
        ([], "empty"),
        (3, "A tool is a function"),
    ],
)
def test_what_is_no_typed_function_is_refused(thing, words):
    with pytest.raises(BadParameter, match=words):
        signatures_of(thing)
