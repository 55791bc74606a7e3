"""Expressions of constraint files: parsed into functions of our own, never run as Python."""

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

from mensura.errors import BadFile

Values = Mapping[str, Any]
Formula = Callable[[Values], Any]
LONGEST = 10_000
DEEPEST = 100


def _power(base: Any, exponent: Any) -> Any:
    if abs(exponent) > 64 or abs(base) > 1e9:
        raise OverflowError("a power this large")
    return base**exponent


def _number(value: Any) -> Any:
    if not isinstance(value, (int, float)):
        raise TypeError(f"{value!r} is not a number")
    return value


BINARY: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: _power,
}
UNARY: Mapping[type, Callable[[Any], Any]] = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Not: operator.not_}
COMPARE: Mapping[type, Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda one, many: one in many,
    ast.NotIn: lambda one, many: one not in many,
}
FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "abs": abs,
    "min": min,
    "max": max,
    "round": round,
    "int": int,
    "float": float,
    "bool": bool,
    "sum": sum,
}


def parse_expression(text: str) -> tuple[tuple[str, ...], Formula]:
    """Parse an expression such as `1 if v1 == v2 else 0`, and return the names in it and what computes it.

    >>> names, formula = parse_expression("10 * abs(x - y) if x != 'off' else 3")
    >>> names, formula({"x": 1, "y": 4})
    (('x', 'y'), 30)
    """
    try:
        if len(text) > LONGEST:
            raise BadFile(f"The expression {text[:40]!r}... is longer than {LONGEST} letters.")
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise BadFile(f"{text!r} is not an expression of one line, as in `1 if x == y else 0`.") from None
    names: dict[str, None] = {}
    formula = _formula(tree, names, text, 0)

    def checked(values: Values) -> Any:
        try:
            return formula(values)
        except (ArithmeticError, TypeError, ValueError) as error:
            raise BadFile(f"The expression {text!r} cannot be computed for {dict(values)}: {error}.") from None

    return tuple(names), checked


def _formula(node: ast.expr, names: dict[str, None], text: str, depth: int) -> Formula:
    """Return what computes a part of an expression, and note the names in it."""
    if depth > DEEPEST:
        raise BadFile(f"The expression {text[:40]!r}... is nested deeper than {DEEPEST}.")

    def of(part: ast.expr) -> Formula:
        return _formula(part, names, text, depth + 1)

    match node:
        case ast.Constant(value=int() | float() | str() as value):
            return lambda values: value
        case ast.Name(id=name):
            names[name] = None
            return lambda values: values[name]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
            join, a, b = BINARY[type(op)], of(left), of(right)
            return lambda values: join(_number(a(values)), _number(b(values)))
        case ast.UnaryOp(op=op, operand=operand) if type(op) in UNARY:
            turn, a = UNARY[type(op)], of(operand)
            return lambda values: turn(a(values))
        case ast.BoolOp(op=op, values=parts):
            all_of = [of(part) for part in parts]
            if isinstance(op, ast.And):
                return lambda values: all(part(values) for part in all_of)
            return lambda values: any(part(values) for part in all_of)
        case ast.Compare(left=left, ops=ops, comparators=others) if all(type(op) in COMPARE for op in ops):
            return _comparison([of(part) for part in (left, *others)], [COMPARE[type(op)] for op in ops])
        case ast.IfExp(test=test, body=body, orelse=other):
            question, yes, no = of(test), of(body), of(other)
            return lambda values: yes(values) if question(values) else no(values)
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            members = [of(part) for part in parts]
            return lambda values: [member(values) for member in members]
        case ast.Call(func=ast.Name(id=name), args=parts, keywords=[]) if name in FUNCTIONS:
            function, arguments = FUNCTIONS[name], [of(part) for part in parts]
            return lambda values: function(*(argument(values) for argument in arguments))
    raise BadFile(
        f"The expression {text!r} holds `{ast.unparse(node)}`; it may hold numbers, texts, variables, arithmetic, "
        f"comparisons, if-else, and, or, not, and {', '.join(FUNCTIONS)}."
    )


def _comparison(parts: list[Formula], ways: list[Callable[[Any, Any], bool]]) -> Formula:
    def compare(values: Values) -> bool:
        found = [part(values) for part in parts]
        return all(way(a, b) for way, a, b in zip(ways, found, found[1:], strict=False))

    return compare
