"""Alphabets: 26 letters in an order; where people may not know it, the question shows it."""

from collections.abc import Sequence

from mensura.catalog.puzzles.showing.presentation import Presentation

SIZE = 26
ALPHABETS = {
    "upper": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "lower": "abcdefghijklmnopqrstuvwxyz",
    # As the Greeks counted, with stigma and koppa.
    "greek": "αβγδεϛζηθικλμνξοπϟρστυφχψω",
    "georgian": "აბგდევზთიკლმნოპჟრსტუფქღყშჩ",
}
FAMILIAR = ("upper", "lower")


def letters_of(presentation: Presentation) -> str:
    """Return the letters of a presentation, in their order."""
    return ALPHABETS[presentation.of("symbols", FAMILIAR[0])]


def order_said(presentation: Presentation) -> str:
    """Return a sentence with the order of the letters; none is needed for A to Z."""
    if presentation.of("symbols", FAMILIAR[0]) in FAMILIAR:
        return ""
    return f" The order of the letters is {' '.join(letters_of(presentation))}."


def write_letters(places: Sequence[int], presentation: Presentation) -> str:
    """Write places in the alphabet as letters; a place that it does not have is a `ValueError`."""
    alphabet = letters_of(presentation)
    if strange := [place for place in places if not 0 <= place < SIZE]:
        raise ValueError(f"the alphabet has the places 0 to {SIZE - 1}, not {strange[0]}")
    return "".join([alphabet[place] for place in places])


def read_letters(text: str, presentation: Presentation) -> list[int]:
    """Read letters as places in the alphabet; another sign is a `ValueError`."""
    return [letters_of(presentation).index(sign) for sign in text]
