"""Functional expressions of XCSP 2.1, as in `gt(abs(sub(X, Y)), 5)`: parsed, never run as a program."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from mensura.catalog.constraints.formats.expression import DEEPEST, Formula
from mensura.errors import BadFile

TOKEN = re.compile(r"\s*(?:(-?\d+)|([A-Za-z_][\w.]*)|([(),]))")


def _power(base: int, exponent: int) -> int:
    if not 0 <= exponent <= 64 or abs(base) > 10**9:
        raise OverflowError("a power this large")
    return int(base**exponent)


OPERATORS: Mapping[str, tuple[int | None, Callable[..., Any]]] = {
    "neg": (1, lambda a: -a),
    "abs": (1, abs),
    "add": (2, lambda a, b: a + b),
    "sub": (2, lambda a, b: a - b),
    "mul": (2, lambda a, b: a * b),
    # Division goes towards zero, and the remainder has the sign of what is divided, as in Java.
    "div": (2, lambda a, b: int(a / b)),
    "mod": (2, lambda a, b: a - b * int(a / b)),
    "pow": (2, _power),
    "min": (2, min),
    "max": (2, max),
    "eq": (2, lambda a, b: a == b),
    "ne": (2, lambda a, b: a != b),
    "ge": (2, lambda a, b: a >= b),
    "gt": (2, lambda a, b: a > b),
    "le": (2, lambda a, b: a <= b),
    "lt": (2, lambda a, b: a < b),
    "not": (1, lambda a: not a),
    "and": (None, lambda *all_of: all(all_of)),
    "or": (None, lambda *any_of: any(any_of)),
    "xor": (2, lambda a, b: bool(a) != bool(b)),
    "iff": (2, lambda a, b: bool(a) == bool(b)),
    "if": (3, lambda a, b, c: b if a else c),
}
"""How many arguments each takes (None: one or more), and what it computes."""


def parse_functional(text: str, parameters: list[str]) -> Formula:
    """Return what computes an expression from the values of its parameters.

    >>> parse_functional("gt(abs(sub(X, Y)), 5)", ["X", "Y"])({"X": 1, "Y": 9})
    True
    """
    tokens = _tokens(text)
    formula, end = _part(tokens, 0, text, parameters, 0)
    if end != len(tokens):
        raise BadFile(f"The predicate {text.strip()!r} goes on after its end.")

    def checked(values: Mapping[str, Any]) -> Any:
        try:
            return formula(values)
        except (ArithmeticError, TypeError) as error:
            raise BadFile(f"The predicate {text.strip()!r} cannot be computed for {dict(values)}: {error}.") from None

    return checked


def _tokens(text: str) -> list[str]:
    found, at = [], 0
    while text[at:].strip():
        token = TOKEN.match(text, at)
        if token is None:
            raise BadFile(f"The predicate {text.strip()!r} cannot be read from {text[at:].strip()[:20]!r} on.")
        found.append(token.group().strip())
        at = token.end()
    return found


def _part(tokens: list[str], at: int, text: str, parameters: list[str], depth: int) -> tuple[Formula, int]:
    token = tokens[at] if at < len(tokens) else ""
    if depth > DEEPEST:
        raise BadFile(f"The predicate {text.strip()[:40]!r}... is nested deeper than {DEEPEST}.")
    if token.lstrip("-").isdigit():
        return (lambda values: int(token)), at + 1
    if token in OPERATORS and tokens[at + 1 : at + 2] == ["("]:
        arguments: list[Formula] = []
        end = at + 1
        while tokens[end : end + 1] in (["("], [","]):
            argument, end = _part(tokens, end + 1, text, parameters, depth + 1)
            arguments.append(argument)
        count, compute = OPERATORS[token]
        if tokens[end : end + 1] != [")"] or len(arguments) != (count or len(arguments)):
            raise BadFile(
                f"In the predicate {text.strip()!r} {token} is not closed, or has {len(arguments)} arguments."
            )
        return (lambda values: compute(*(argument(values) for argument in arguments))), end + 1
    if token in parameters:
        return (lambda values: values[token]), at + 1
    raise BadFile(f"The predicate {text.strip()!r} holds {token!r}, which is not a parameter, number or operator.")
