"""The space of an item, named or inferred from its answer, and its answer in the form in which it counts."""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from functools import lru_cache
from json import loads
from typing import Any

import numpy as np

from mensura.dialogue import (
    Action,
    Allocation,
    Choice,
    Circle,
    Density,
    Distribution,
    Likert,
    Number,
    Point,
    Probability,
    Space,
    Text,
)
from mensura.dialogue.canonical import canonical
from mensura.dialogue.spaces.base import shown
from mensura.errors import BadFile, Invalid, unknown

NAMED: dict[str, type[Space]] = {
    space.kind: space
    for space in (
        Choice,
        Number,
        Probability,
        Text,
        Likert,
        Distribution,
        Allocation,
        Density,
        Point,
        Circle,
        Action,
    )
}
"""The kinds that a line can name: those with a natural score."""
ALTERNATIVES = {"choice": "options", "distribution": "options", "allocation": "options", "action": "names"}
"""Kinds that take the options of a line, and what they call them."""
YES_NO = Choice(("yes", "no"))
NUMBER = Number()
TEXT = Text()


def read_space(named: Any, *, options: Any = None, answer: Any = None) -> Space:
    """Return the space of an item: the one that is named, else the one that its options or its answer imply.

    Only the type of the answer matters, never its value: the space is shown to subjects. So 4 is a number of any size
    and not a whole one, which would give away that 2.5 is wrong.

    Parameters
    ----------
    named
        A kind ("probability"), a mapping ({"kind": "number", "low": 0, "high": 10}), a space, or None.
    options
        The alternatives, where the line lists any.
    answer
        What is right; None where that is not known.

    Examples
    --------
    >>> read_space(None, options=["3", "4"]), read_space(None, answer=True), read_space(None, answer=4)
    (Choice(options=('3', '4')), Choice(options=('yes', 'no')), Number(low=None, high=None, integer=False, unit=''))
    >>> read_space({"kind": "likert", "points": 5}).points
    5
    """
    if named is None:
        return _inferred(answer) if options is None else Choice(read_options(options))
    if isinstance(named, Space):
        if options is not None:
            raise BadFile("It has both `options` and a space made beforehand. Leave out the options.")
        return named
    described = {"kind": named} if isinstance(named, str) else named
    if not isinstance(described, Mapping) or not isinstance(described.get("kind"), str):
        raise BadFile(f'`space` is the name of a kind or {{"kind": name, ...}}; got {shown(named)}.')
    kind = described["kind"]
    if kind not in NAMED:
        raise BadFile(str(unknown("kind of space", kind, known=NAMED, see=f"Kinds are {', '.join(NAMED)}.")))
    if options is not None:
        if kind not in ALTERNATIVES:
            raise BadFile(f"A {kind} has no `options`. Leave them out, or name another space: {_with_options()}.")
        if ALTERNATIVES[kind] in described:
            raise BadFile("It names its options twice, in `options` and in `space`. Keep one of them.")
        described = {**described, ALTERNATIVES[kind]: options}
    try:
        text = canonical(described)
        text.encode()
    except (TypeError, UnicodeEncodeError) as error:
        raise BadFile(f"The space {kind} cannot be made: {error}") from None
    return _made(text)


def read_options(options: Any) -> tuple[str, ...]:
    """Read alternatives as texts: two or more, no two alike.

    >>> read_options(["Paris ", 3, 2.5])
    ('Paris', '3', '2.5')
    """
    if not isinstance(options, (list, tuple)):
        raise BadFile(f"`options` is a list of texts; got {shown(options)}.")
    texts = tuple(option_text(option) for option in options)
    if len(texts) < 2:
        raise BadFile(f"`options` needs at least two alternatives; got {shown(options)}.")
    if alike := [text for text in texts if texts.count(text) > 1]:
        raise BadFile(f"The option {alike[0]!r} is there twice. Keep one of them.")
    return texts


def option_text(option: Any) -> str:
    """Read one alternative as a text, without spaces around it: nobody can see or type these."""
    if isinstance(option, bool) or not isinstance(option, (str, int, float)):
        raise BadFile(f"Each option is a text or a number; got {shown(option)}.")
    text = str(option).strip()
    if not text:
        raise BadFile("One of the options is empty.")
    if not storable(text):
        raise BadFile("An option holds a character that cannot be stored: NUL, or half of a surrogate pair.")
    return text


def storable(text: str) -> bool:
    """Return whether every database can store a text.

    >>> storable("ö"), storable(chr(0)), storable(chr(0xD800))
    (True, False, False)
    """
    return "\x00" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def read_answer(space: Space, answer: Any) -> Any:
    """Return the answer as it counts in a space, or raise `Invalid` where it lies outside.

    An alternative can be named, or given by its number from 0 or a letter from A where that is not ambiguous. What is
    right of a probability is whether it happened, of a distribution the alternative, of a density the quantity.

    >>> read_answer(Choice(("Rome", "Paris")), "B"), read_answer(Choice(("Rome", "Paris")), 0)
    ('Paris', 'Rome')
    >>> read_answer(Probability(), True), read_answer(Number(0, 10), 4)
    (1, 4.0)
    """
    if answer is None:
        return None
    try:
        if isinstance(space, Probability):
            return _happened(answer)
        if isinstance(space, (Choice, Distribution)):
            return _alternative(space.options, answer)
        if isinstance(space, Density):
            return Number(space.low, space.high).check(answer)
        return space.check(answer)
    except OverflowError:
        raise Invalid(f"The answer is too large a number: {shown(answer)}.") from None


def _inferred(answer: Any) -> Space:
    if isinstance(answer, bool):
        return YES_NO
    if isinstance(answer, (int, float)):
        return NUMBER
    if answer is None or isinstance(answer, str):
        return TEXT
    raise BadFile(f"What kind of answer {shown(answer)} is cannot be guessed. Name it: `space`.")


@lru_cache(maxsize=1024)
def _made(described: str) -> Space:
    """Make a space that is named, once for all lines that name the same."""
    given = loads(described)
    kind = given.pop("kind")
    known = {field.name: field for field in fields(NAMED[kind])}  # type: ignore[arg-type]
    for name in given:
        if name not in known:
            raise BadFile(str(unknown(f"property of a {kind}", name, known=known, see=f"There are {_and(known)}.")))
    if part := ALTERNATIVES.get(kind):
        if part not in given:
            raise BadFile(f"A {kind} needs alternatives. List them: `options`.")
        given[part] = read_options(given[part])
    for name, field in known.items():
        if field.default is MISSING and name not in given:
            raise BadFile(f'A {kind} needs {name}: {{"kind": "{kind}", "{name}": ...}}.')
    try:
        space = NAMED[kind](**given)
        _try(space)
    except Exception as error:
        # Spaces trust their authors; what a file says may be of any type.
        raise BadFile(f"No answer can lie in the space {shown(loads(described))}: {error}") from None
    return space


def _try(space: Space) -> None:
    """Use a space in all the ways in which it will be used."""
    space.check(space.draw(np.random.default_rng(0)))
    space.schema()
    space.hint()


def _happened(answer: Any) -> int:
    if isinstance(answer, bool):
        return int(answer)
    if isinstance(answer, (int, float)) and answer in (0, 1):
        return int(answer)
    raise Invalid(f"What is right of a probability is whether it happened: true or false; got {shown(answer)}.")


def _alternative(options: Sequence[str], answer: Any) -> str:
    if isinstance(answer, bool):
        if set(options) == {"yes", "no"}:
            return "yes" if answer else "no"
        raise Invalid(f"The answer must be one of {', '.join(options)}; got {str(answer).lower()}.")
    text = str(answer).strip() if isinstance(answer, (str, int, float)) else ""
    place = _place(answer, len(options))
    if text in options:
        if isinstance(answer, int) and place is not None and options[place] != text:
            raise Invalid(
                f"The answer {answer} may be the option {text!r} or the number of {options[place]!r}. "
                "Write the option itself, in quotation marks."
            )
        return text
    if place is None:
        raise Invalid(f"The answer must be one of {', '.join(options)}; got {shown(answer)}.")
    return options[place]


def _place(answer: Any, count: int) -> int | None:
    """Read the number of an alternative from 0, or its letter from A."""
    place = -1
    if isinstance(answer, int):
        place = answer
    elif isinstance(answer, str) and len(answer.strip()) == 1:
        place = ord(answer.strip()) - ord("A")
    return place if 0 <= place < count else None


def _with_options() -> str:
    return " or ".join(kind for kind in ALTERNATIVES)


def _and(names: Mapping[str, Any]) -> str:
    return ", ".join(names) or "none"
