"""Descriptions: predicates nested in one another, read from s-expressions."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from mensura.errors import BadFile
from mensura.text_file import read_text

TOKEN = re.compile(r"[()]|[^\s();]+|;[^\n]*|\n")
DECLARED = ("attributes", "functions")


@dataclass(frozen=True)
class Predicate:
    """A predicate with its arguments; an entity is a name without any."""

    functor: str
    arguments: tuple["Predicate", ...] = ()

    @property
    def is_entity(self) -> bool:
        """Whether it is a thing and no statement."""
        return not self.arguments

    @cached_property
    def order(self) -> int:
        """0 for an entity, else one more than the highest order of its arguments."""
        return 1 + max(one.order for one in self.arguments) if self.arguments else 0

    def __str__(self) -> str:
        return f"({' '.join([self.functor, *map(str, self.arguments)])})" if self.arguments else self.functor


@dataclass(frozen=True)
class Description:
    """All expressions of a description, each once, and which functors are attributes and which functions."""

    expressions: tuple[Predicate, ...]
    entities: tuple[Predicate, ...]
    attributes: frozenset[str]
    functions: frozenset[str]


def read_description(file: Path) -> Description:
    """Read predicates, `(cause (attack hunter Karla) ...)`; `(attributes ...)` and `(functions ...)` name functors.

    The same predicate written twice is one expression, so that what is nested need not be named. `;` begins a comment.
    """
    declared: dict[str, frozenset[str]] = {name: frozenset() for name in DECLARED}
    found: dict[Predicate, None] = {}
    for line, form in _forms(read_text(file), file):
        if isinstance(form, list) and form and form[0] in DECLARED and all(isinstance(one, str) for one in form):
            declared[form[0]] |= frozenset(form[1:])
            continue
        for one in _inner(_expression(form, line, file)):
            found.setdefault(one)
    expressions = tuple(one for one in found if not one.is_entity)
    if not expressions:
        raise BadFile(f"{file} holds no predicate; write one as (attack hunter hawk).")
    entities = tuple(one for one in found if one.is_entity)
    return Description(expressions, entities, declared["attributes"], declared["functions"])


def _inner(expression: Predicate) -> Iterator[Predicate]:
    for one in expression.arguments:
        yield from _inner(one)
    yield expression


def _expression(form: Any, line: int, file: Path) -> Predicate:
    if isinstance(form, str):
        return Predicate(form)
    if len(form) < 2 or not isinstance(form[0], str):
        raise BadFile(f"Line {line} of {file}: a predicate is (name argument ...), with one argument at least.")
    return Predicate(form[0], tuple(_expression(one, line, file) for one in form[1:]))


def _forms(text: str, file: Path) -> Iterator[tuple[int, Any]]:
    """Yield every form at the top with the line on which it begins."""
    stack: list[list[Any]] = []
    line, began = 1, 1
    for token in TOKEN.findall(text):
        if token == "\n":
            line += 1
        elif token == "(":
            began = began if stack else line
            stack.append([])
        elif token == ")":
            if not stack:
                raise BadFile(f"Line {line} of {file} closes a bracket that was not opened.")
            form = stack.pop()
            if stack:
                stack[-1].append(form)
            else:
                yield began, form
        elif not token.startswith(";"):
            if not stack:
                raise BadFile(f"Line {line} of {file} has {token!r} outside brackets.")
            stack[-1].append(token)
    if stack:
        raise BadFile(f"Line {began} of {file} opens a bracket that is never closed.")
