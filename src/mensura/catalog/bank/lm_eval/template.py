"""Templates of lm-eval: the name of a column, or Jinja that a row is put into, in a sandbox."""

import ast
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from mensura.errors import BadFile


def fill(template: Any, row: Mapping[str, Any]) -> Any:
    """Return a column as it is where the template is the name of one, else the text that the template makes.

    >>> fill("n", {"n": 3}), fill("{{n}} apples", {"n": 3})
    (3, '3 apples')
    """
    if not isinstance(template, str):
        return template
    if template in row:
        return row[template]
    import jinja2

    try:
        return _compiled(template).render(**row)
    except (jinja2.TemplateError, TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
        # A template is a program of its author's: what it does to a row may go wrong in any of these ways.
        raise BadFile(f"The template {template[:60]!r} cannot be filled in: {error}. Correct it, or the row.") from None


def fill_text(template: Any, row: Mapping[str, Any], *, choices: bool) -> str:
    """Return the text of a question; refuse what lm-eval reads as the number of an option."""
    found = fill(template, row)
    if not isinstance(found, str) or (choices and template not in row and found.isdigit()):
        raise BadFile(f"The question is {found!r}, not a text; options as questions are not supported.")
    return found


def fill_choices(template: Any, row: Mapping[str, Any]) -> list[str]:
    """Return the options: a column, a list, the values of a mapping, or a template that makes a list."""
    if isinstance(template, Mapping):
        return [str(option) for option in template.values()]
    found = fill(template, row)
    if isinstance(found, str):
        found = _literal(found)
    if not isinstance(found, list):
        raise BadFile(f"`doc_to_choice` is not a list; got {found!r:.60}.")
    return [str(option) for option in found]


def fill_target(template: Any, row: Mapping[str, Any], *, choices: bool) -> Any:
    """Return what is right: a column as it is; of a template a number where there are choices, a list, or a text."""
    found = fill(template, row)
    if not isinstance(template, str) or template in row:
        return found
    if choices and found.isdigit():
        return int(found)
    return _literal(found) if len(found) >= 2 and found[0] == "[" and found[-1] == "]" else found


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


@cache
def _compiled(template: str) -> Any:
    from jinja2 import StrictUndefined
    from jinja2.sandbox import SandboxedEnvironment

    # As in lm-eval, but in a sandbox: tasks come from strangers.
    environment = SandboxedEnvironment(undefined=StrictUndefined, keep_trailing_newline=True)
    environment.filters["regex_replace"] = lambda text, pattern, repl, count=0: re.sub(pattern, repl, text, count=count)
    return environment.from_string(template)
