"""Key values: passwords, prices and places that mail and pages speak of, kept together so that they can be changed."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random

from mensura.errors import BadFile
from mensura.yaml_file import read_yaml


@cache
def choices() -> dict[str, list[str]]:
    """Return every value's name with what it may be."""
    said: dict[str, list[str]] = read_yaml(Path(__file__).with_name("values.yaml"))
    return said


def draw_values(changed: Mapping[str, str], *, rng: Random, place: str) -> dict[str, str]:
    """Draw each value; what the package says goes before.

    >>> draw_values({"fee": "€1"}, rng=Random(1), place="mine.yaml")["fee"]
    '€1'
    """
    known = choices()
    for name in changed:
        if name not in known:
            raise BadFile(f"{place}: variables.{name}: no message or page uses it; there are {', '.join(known)}.")
    return {name: rng.choice(words) for name, words in known.items()} | dict(changed)
