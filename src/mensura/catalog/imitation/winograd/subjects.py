"""Reference subjects of the schemas: rules of position that know nothing of the world."""

from collections.abc import Callable
from typing import Any

from mensura.catalog.imitation.winograd.schema import PRONOUN, plain
from mensura.dialogue import Ask, Choice, prompt_text
from mensura.subjects.subject import Unlearning


class FirstMentioned(Unlearning):
    """Answers with the candidate that the sentence names first; one that it does not name comes last."""

    recomputes = True

    def __call__(self, ask: Ask) -> str:
        assert isinstance(ask.space, Choice)
        text = prompt_text(ask.prompt).lower()
        return min(sorted(ask.space.options), key=lambda name: text.find(plain(name)) % (len(text) + 1))


class Nearest(Unlearning):
    """Answers with the candidate named last before the pronoun; one that is not named before it comes last."""

    recomputes = True

    def __call__(self, ask: Ask) -> str:
        assert isinstance(ask.space, Choice)
        text = prompt_text(ask.prompt).lower()
        found = PRONOUN.search(text)
        before = text[: found.start()] if found else text
        return max(sorted(ask.space.options), key=lambda name: before.rfind(plain(name)))


SUBJECTS: dict[str, Callable[[], Any]] = {"first-mentioned": FirstMentioned, "nearest": Nearest}
