"""The rolling digest of a session's asks: equal digests mean equal asks. Truth is never part of it."""

from hashlib import blake2b

from mensura.dialogue.ask import Ask
from mensura.dialogue.canonical import canonical
from mensura.dialogue.prompts.base import prompt_data

EVERY = 100
"""A digest is stored after this many asks: one per ask would make replay three times slower."""


def fingerprint(ask: Ask) -> str:
    """Write all that a subject can see of an ask as one text."""
    prompt = ask.prompt
    text = prompt if type(prompt) is str else canonical(prompt_data(prompt))
    space = ask.space
    reward = ask.reward
    return (
        f"{ask.role}\x1f{ask.key}\x1f{ask.until}\x1f{None if reward is None else float(reward)!r}"
        f"\x1f{None if space is None else space.fingerprint}\x1f{text}"
    )


class Digest:
    """Collects fingerprints and hashes them a block at a time onto the hash of all before."""

    __slots__ = ("_block", "value")

    def __init__(self, value: str = "") -> None:
        self.value = value
        self._block: list[str] = []

    def add(self, ask: Ask) -> bool:
        """Add an ask; True when a block is full and `value` is new."""
        block = self._block
        block.append(fingerprint(ask))
        if len(block) < EVERY:
            return False
        self.close()
        return True

    def close(self) -> str:
        """Hash whatever is collected, and give the digest of everything so far."""
        if self._block:
            content = "\x1e".join([self.value, *self._block])
            self.value = blake2b(content.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
            self._block.clear()
        return self.value
