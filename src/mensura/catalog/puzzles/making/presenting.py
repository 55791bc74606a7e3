"""Presenting: whether a presentation that a user names is one that some of the chosen kinds have."""

from collections.abc import Sequence

from mensura.catalog.puzzles.kinds.kind import Kind
from mensura.catalog.puzzles.showing.presentation import named, read_axes
from mensura.errors import BadParameter


def refuse_presentation(kinds: Sequence[Kind], wanted: str) -> None:
    """Raise a sentence where no kind has a value that is named, or where a kind cannot have two of them together."""
    for axis, value in read_axes(wanted).items():
        known = dict.fromkeys(one for kind in kinds for one in kind.axes.get(axis, ()))
        if value not in known:
            names = ", ".join(kind.name for kind in kinds)
            has = f"{axis} can be {', '.join(known)}" if known else f"they have no {axis}"
            raise BadParameter(f"None of {names} has {axis}={value}: {has}.")
    for kind in kinds:
        look = named(kind.axes, wanted)
        settled = kind.settle(look)
        for axis, value in look.chosen.items():
            if settled.of(axis) != value:
                raise BadParameter(f"{kind.name} cannot have {wanted}: its {axis} is {settled.of(axis)}. Omit it.")
