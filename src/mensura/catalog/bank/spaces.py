"""The space of an item, named or inferred from its answer, and its answer in the form in which it counts."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import lru_cache
from typing import Any

import numpy as np

from mensura import dialogue
from mensura.dialogue import Choice, Number, Space, Text
from mensura.dialogue.canonical import canonical
from mensura.dialogue.spaces.base import SPACES, shown, space_class
from mensura.dialogue.spaces.text import storable
from mensura.errors import BadFile, Invalid, unknown
from mensura.extension import extensions
from mensura.json_file import loads

NAMED = {kind.kind: kind for name in dialogue.__all__ if getattr(kind := getattr(dialogue, name), "natural", "")}
"""Our kinds that a line can name: those with a natural score."""
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
    part = _class_of(kind).alternatives
    if options is not None:
        if not part:
            others = " or ".join(kind for kind, space in NAMED.items() if space.alternatives)
            raise BadFile(f"A {kind} has no `options`. Leave them out, or name another space: {others}.")
        if part in described:
            raise BadFile("It names its options twice, in `options` and in `space`. Keep one of them.")
        described = {**described, part: options}
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
        raise BadFile(f"The option {alike[0]!r} appears twice. Keep one of them.")
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


def read_answer(space: Space, answer: Any) -> Any:
    """Return the answer as it counts in a space, or raise `Invalid` where it lies outside.

    >>> from mensura.dialogue import Probability
    >>> read_answer(Probability(), True), read_answer(Number(0, 10), 4)
    (1, 4.0)
    """
    try:
        return None if answer is None else space.outcome(answer)
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
    found = _class_of(kind)
    known = {field.name: field for field in fields(found)}  # type: ignore[arg-type]
    for name in given:
        if name not in known:
            raise BadFile(str(unknown(f"property of a {kind}", name, known=known, see=f"There are {_and(known)}.")))
    if part := found.alternatives:
        if part not in given:
            raise BadFile(f"A {kind} needs alternatives. List them: `options`.")
        given[part] = read_options(given[part])
    for name, field in known.items():
        if field.default is MISSING and name not in given:
            raise BadFile(f'A {kind} needs {name}: {{"kind": "{kind}", "{name}": ...}}.')
    try:
        space = found(**given)
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


def _class_of(kind: str) -> type[Space]:
    """Find the class of a kind that can be named: one of ours, or one that a package brings."""
    found = space_class(kind)
    if found is None or not found.natural:
        known = [*NAMED, *extensions(SPACES)]
        raise BadFile(str(unknown("kind of space", kind, known=known, see=f"Kinds are {', '.join(known)}.")))
    return found


def _and(names: Mapping[str, Any]) -> str:
    return ", ".join(names) or "none"
