"""Expressions: arithmetic of sensors and numbers, read once and computed many times."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from math import isfinite
from typing import Any

from mensura.errors import Invalid

TOKEN = re.compile(r"\s*(?:(\d+\.\d*(?:[eE][+-]?\d+)?|\.\d+|\d+)(?![A-Za-z_])|([A-Za-z]\w*(?:\.\d+\w*)?)|([-+*/^%()]))")
LONGEST = 500
DEEPEST = 40
Number = Callable[[Any], float]
"""What computes a number from who can read sensors, or from named numbers."""


@lru_cache(maxsize=2048)
def read_expression(text: str, reader: Callable[[str], Number]) -> Number:
    """Read an expression; what a name means is for `reader` to say.

    Raises
    ------
    Invalid
        Where it does not parse; its result raises it where it cannot be computed.

    Examples
    --------
    >>> read_expression("2 * (x + 1) ^ 2", named)({"x": 2.0})
    18.0
    >>> read_expression("1 / (x - 1)", named)({"x": 1.0})
    Traceback (most recent call last):
    mensura.errors.Invalid: The expression '1 / (x - 1)' divides by zero.
    """
    if len(text) > LONGEST:
        raise Invalid(f"An expression has at most {LONGEST} signs; got {len(text)}.")
    reading = _Reading(text, reader)
    value = reading.sum(0)
    if reading.at < len(reading.tokens):
        raise Invalid(f"The expression {text!r} does not parse at {reading.tokens[reading.at][1]!r}.")

    def compute(source: Any) -> float:
        try:
            found = value(source)
            fine = not isinstance(found, complex) and isfinite(found)
        except ZeroDivisionError:
            raise Invalid(f"The expression {text!r} divides by zero.") from None
        except OverflowError:
            fine = False
        if not fine:
            raise Invalid(f"The expression {text!r} comes to no finite number.")
        return float(found)

    return compute


def named(name: str) -> Number:
    """Read a name as one of the numbers that are given when it is computed."""

    def look(source: Mapping[str, float]) -> float:
        if name not in source:
            raise Invalid(f"There is no number called {name!r}; there are {', '.join(source) or 'none'}.")
        return source[name]

    return look


class _Reading:
    def __init__(self, text: str, reader: Callable[[str], Number]) -> None:
        self.text, self.reader, self.at = text, reader, 0
        self.tokens: list[tuple[str, str]] = []
        place = 0
        while place < len(text.rstrip()):
            match = TOKEN.match(text, place)
            if match is None:
                raise Invalid(f"The expression {text!r} does not parse at {text[place:].strip()[:10]!r}.")
            number, name, sign = match.groups()
            self.tokens.append(("number", number) if number else ("name", name) if name else ("sign", sign))
            place = match.end()

    def sign(self, signs: str) -> str:
        """Take the next sign, if it is one of these."""
        if self.at < len(self.tokens):
            sort, text = self.tokens[self.at]
            if sort == "sign" and text in signs:
                self.at += 1
                return text
        return ""

    def sum(self, depth: int) -> Number:
        value = self.product(depth)
        while sign := self.sign("+-"):
            value = _plus(value, self.product(depth)) if sign == "+" else _minus(value, self.product(depth))
        return value

    def product(self, depth: int) -> Number:
        value = self.power(depth)
        while sign := self.sign("*/%"):
            other = self.power(depth)
            value = {"*": _times, "/": _over, "%": _modulo}[sign](value, other)
        return value

    def power(self, depth: int) -> Number:
        if depth > DEEPEST:
            raise Invalid(f"The expression {self.text[:60]!r} is nested too deeply.")
        if self.sign("-"):
            return _minus(lambda source: 0.0, self.power(depth + 1))
        base = self.atom(depth)
        return _to_the(base, self.power(depth + 1)) if self.sign("^") else base

    def atom(self, depth: int) -> Number:
        if self.sign("("):
            value = self.sum(depth + 1)
            if not self.sign(")"):
                raise Invalid(f"The expression {self.text!r} lacks a closing bracket.")
            return value
        if self.at >= len(self.tokens) or self.tokens[self.at][0] == "sign":
            raise Invalid(f"The expression {self.text!r} lacks a number or a sensor.")
        sort, text = self.tokens[self.at]
        self.at += 1
        if sort == "number":
            number = float(text)
            return lambda source: number
        return self.reader(text)


def _plus(one: Number, other: Number) -> Number:
    return lambda source: one(source) + other(source)


def _minus(one: Number, other: Number) -> Number:
    return lambda source: one(source) - other(source)


def _times(one: Number, other: Number) -> Number:
    return lambda source: one(source) * other(source)


def _over(one: Number, other: Number) -> Number:
    return lambda source: one(source) / other(source)


def _modulo(one: Number, other: Number) -> Number:
    return lambda source: one(source) % other(source)


def _to_the(one: Number, other: Number) -> Number:
    def raised(source: Any) -> float:
        # A complex number is none here; the caller says so.
        return one(source) ** other(source)  # type: ignore[no-any-return]

    return raised
