"""Alphabets: what is no place in one is refused, not written as another letter."""

import pytest

from mensura.catalog.puzzles.showing.alphabet import SIZE, write_letters
from mensura.catalog.puzzles.showing.presentation import Presentation


def test_letters_are_written_by_their_places():
    assert write_letters([0, SIZE - 1], Presentation({"symbols": "lower"})) == "az"


@pytest.mark.parametrize("place", [-1, SIZE])
def test_a_place_that_the_alphabet_does_not_have_is_refused(place):
    with pytest.raises(ValueError, match=f"not {place}"):
        write_letters([0, place], Presentation())
