"""Substitution: the same test with other truths, or with none."""

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

from mensura.dialogue import Ask, Round, Test


def with_truths(test: Test, change: Callable[[str, Any], Any]) -> Test:
    """Make the same test with other truths: a function of key and truth, or None for no truth."""

    @wraps(test.function)
    def function(*arguments: Any, **named: Any) -> Any:
        dialogue = test.function(*arguments, **named)
        value = None
        try:
            while True:
                try:
                    item = dialogue.send(value)
                except StopIteration as stop:
                    return stop.value
                value = yield _changed(item, change)
        finally:
            dialogue.close()

    return replace(test, function=function)


def _changed(item: Any, change: Callable[[str, Any], Any]) -> Any:
    if isinstance(item, Round):
        return Round([_changed(ask, change) for ask in item.asks], item.need, item.until)
    if not isinstance(item, Ask) or item.truth is None:
        return item
    return replace(item, truth=change(item.key, item.truth))
