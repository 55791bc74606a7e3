"""Reference subjects of the schemas: rules of position that know nothing of the world."""

from collections.abc import Callable
from typing import Any

from mensura.catalog.imitation.winograd.schema import PRONOUN, plain
from mensura.dialogue import Ask, Choice, prompt_text
from mensura.subjects.subject import Unlearning

ASK_BACK = "I would have to ask"
"""What a subject chooses that asks back instead of answering."""


class FirstMentioned(Unlearning):
    """Answers with the candidate that the sentence names first; one that it does not name comes last."""

    recomputes = True

    def __call__(self, ask: Ask) -> str:
        if not isinstance(ask.space, Choice):
            return ""
        text = prompt_text(ask.prompt).lower()
        return min(_candidates(ask.space), key=lambda name: text.find(plain(name)) % (len(text) + 1))


class Nearest(Unlearning):
    """Answers with the candidate named last before the pronoun; one that is not named before it comes last."""

    recomputes = True

    def __call__(self, ask: Ask) -> str:
        if not isinstance(ask.space, Choice):
            return ""
        text = prompt_text(ask.prompt).lower()
        found = PRONOUN.search(text)
        before = text[: found.start()] if found else text
        return max(_candidates(ask.space), key=lambda name: before.rfind(plain(name)))


class AlwaysAsks(FirstMentioned):
    """Asks back whenever that is possible, and then answers with the candidate that the sentence names first."""

    def __call__(self, ask: Ask) -> str:
        if isinstance(ask.space, Choice) and ASK_BACK in ask.space.options:
            return ASK_BACK
        return super().__call__(ask) or "What happened before?"


def _candidates(space: Choice) -> list[str]:
    return sorted(set(space.options) - {ASK_BACK})


SUBJECTS: dict[str, Callable[[], Any]] = {
    "first-mentioned": FirstMentioned,
    "nearest": Nearest,
    "always-asks": AlwaysAsks,
}
