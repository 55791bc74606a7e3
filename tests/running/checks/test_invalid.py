"""Spaces that do not check what they are given are caught."""

from dataclasses import dataclass
from typing import ClassVar

import pytest

from mensura.dialogue import Ask, Text
from mensura.errors import Invalid
from mensura.running.checks.invalid import check_invalid_refused, is_sentence
from tests.running.checks.examined import trial_of


@dataclass(frozen=True)
class Grumpy(Text):
    """Refuses without a sentence."""

    kind: ClassVar[str] = "grumpy"

    def check(self, answer):
        if not isinstance(answer, str):
            raise Invalid("no")
        return answer


@dataclass(frozen=True)
class Fragile(Text):
    """Raises where it should refuse."""

    kind: ClassVar[str] = "fragile"

    def check(self, answer):
        return answer.strip()


@dataclass(frozen=True)
class Greedy(Text):
    """Takes anything."""

    kind: ClassVar[str] = "greedy"

    def check(self, answer):
        return "anything"


@dataclass(frozen=True)
class Restless(Text):
    """Changes its own valid answers."""

    kind: ClassVar[str] = "restless"

    def check(self, answer):
        return super().check(answer) + "."


@dataclass(frozen=True)
class Picky(Text):
    """Refuses what it draws itself."""

    kind: ClassVar[str] = "picky"

    def check(self, answer):
        if isinstance(answer, str) and answer == "please":
            return answer
        raise Invalid("Say please.")

    def draw(self, rng):
        return "please" if rng.random() < 0.5 else "now"


@pytest.mark.parametrize(
    ("space", "words"),
    [
        (Grumpy(), "which is not a sentence"),
        (Fragile(), "instead of refusing it"),
        (Greedy(), "takes anything"),
        (Restless(), "does not leave its own valid answer"),
        (Picky(), "and refuses it"),
    ],
)
def test_spaces_that_do_not_check_are_caught(space, words):
    def asking(rng):
        yield Ask("Please?", space)

    found = check_invalid_refused(trial_of(asking))
    assert found.passed is False
    assert words in found.words, found.words


def test_asking_nothing_is_no_fault():
    def telling(rng):
        yield Ask("Nothing to do.")

    assert check_invalid_refused(trial_of(telling)).passed is None


def test_sentences_are_told_from_mumbling():
    assert is_sentence("Choose one of red, blue.")
    assert not is_sentence("invalid")
    assert not is_sentence("a value is out of range")
