"""Kinds: the classes of prompts and spaces by the name that their data carry."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any


class Kinds:
    """A class whose descendants are found by their `kind`; one that is defined later is found as well."""

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        class_of_kind.cache_clear()


@lru_cache(maxsize=512)
def class_of_kind(kind: str, base: type) -> Any:
    """Find the class of a kind of prompt or space among those that are loaded; None where there is none."""
    # The newest wins: a file that was edited and loaded again defines its classes again.
    found = [thing for thing in _descendants(base) if thing.__dict__.get("kind") == kind]
    return found[-1] if found else None


def _descendants(thing: type) -> Iterator[type]:
    children: list[type] = thing.__subclasses__()
    for child in children:
        yield child
        yield from _descendants(child)
