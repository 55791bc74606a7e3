"""Finding kinds by name: only those that are asked for are imported."""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Annotated

from mensura.catalog.puzzles.kinds.kind import Kind
from mensura.errors import MensuraError, unknown

PLACES = {
    "number-series": "number_series:NumberSeries",
    "letter-series": "letter_series:LetterSeries",
    "letter-string": "letter_string:LetterString",
    "geometric-analogy": "geometric_analogy:GeometricAnalogy",
    "verbal-analogy": "verbal_analogy:VerbalAnalogy",
    "matrix": "matrix:Matrix",
    "odd-one-out": "odd_one_out:OddOneOut",
    "classification": "classification:Classification",
    "mental-rotation": "mental_rotation:MentalRotation",
    "grid": "transformed_grid:TransformedGrid",
}
"""Name → module and class in this folder."""
ALL = "all"
KindNames = Annotated[
    str,
    f"Which kinds are asked, separated by commas: {', '.join(PLACES)}; all: every kind that can be asked here.",
]


@cache
def find_kind(name: str) -> Kind:
    """Find a kind by its name."""
    module, _, attribute = PLACES[_known(name)].partition(":")
    made: Kind = getattr(import_module(f"mensura.catalog.puzzles.kinds.{module}"), attribute)()
    return made


def kinds_named(text: str) -> Sequence[str]:
    """Read a list of kinds, `all` or names with commas between; each is named once, in the order of the catalog.

    >>> kinds_named("matrix,number-series")
    ['number-series', 'matrix']
    """
    if text == ALL:
        return list(PLACES)
    named = {_known(part.strip()) for part in text.split(",")}
    return [name for name in PLACES if name in named]


def _known(name: str) -> str:
    if name not in PLACES:
        raise unknown("kind of puzzle", name, known=PLACES, see=f"There are {', '.join(PLACES)}.")
    return name


@cache
def kinds_at_hand() -> tuple[str, ...]:
    """List the kinds that can be asked here: one whose lexicon is not installed is left out, never scored zero."""
    return tuple(name for name in PLACES if not why_missing(name))


@cache
def why_missing(name: str) -> str:
    """Return why a kind cannot be asked here, in a sentence that says what to install; "" where it can."""
    try:
        find_kind(name).require()
    except MensuraError as error:
        return str(error)
    return ""
