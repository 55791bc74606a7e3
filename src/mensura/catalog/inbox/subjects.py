"""Reference subjects of the inbox."""

from collections.abc import Callable
from typing import Any

import numpy as np

from mensura.catalog.inbox.mail import FOLDERS
from mensura.dialogue import Ask, Mailbox, Message, Wait

WAIT = {"call": "wait", "arguments": {}}


class Clerk:
    """Is told where each message belongs and files the oldest first: the ceiling."""

    knows = "truth"
    recomputes = True

    def __call__(self, ask: Ask) -> Any:
        messages = waiting(ask)
        return file(messages[0], ask.aside[messages[0].id]) if messages else Wait()


class Keywords:
    """Goes by a few words that give mail away, and keeps what it cannot place."""

    recomputes = True
    signs = (("bin", ("!",)), ("act", ("burst", "locked", "power", "standing")), ("answer", ("?",)))

    def __call__(self, ask: Ask) -> Any:
        messages = waiting(ask)
        if not messages:
            return Wait()
        body = messages[0].body
        folder = next((folder for folder, words in self.signs if any(word in body for word in words)), "keep")
        return file(messages[0], folder)


class Guesser:
    """Files the oldest message at once, anywhere: as right as chance, but never late."""

    recomputes = True

    def begin(self, rng: np.random.Generator) -> None:
        """Take the generator of this session."""
        self.rng = rng

    def __call__(self, ask: Ask) -> Any:
        messages = waiting(ask)
        return file(messages[0], FOLDERS[int(self.rng.integers(len(FOLDERS)))]) if messages else Wait()


class Silent:
    """Never says a word; every message is missed."""

    recomputes = True

    def __call__(self, ask: Ask) -> Any:
        return Wait()


class Talkative:
    """Says at every moment that it does nothing; every message is missed, at the same ticks as for the silent one."""

    recomputes = True

    def __call__(self, ask: Ask) -> Any:
        return WAIT


def waiting(ask: Ask) -> list[Message]:
    """Return the messages that wait, the oldest first."""
    assert isinstance(ask.prompt, Mailbox)
    return list(ask.prompt.messages)


def file(message: Message, folder: str) -> dict[str, Any]:
    """Return the call that files a message."""
    return {"call": "file", "arguments": {"message": message.id, "folder": folder}}


SUBJECTS: dict[str, Callable[[], Any]] = {
    "clerk": Clerk,
    "keywords": Keywords,
    "guesser": Guesser,
    "silent": Silent,
    "talkative": Talkative,
}
