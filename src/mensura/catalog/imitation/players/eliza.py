"""Eliza: hands questions back by a small script of our own, after the manner of Weizenbaum's program of 1966."""

import re
from functools import cache
from pathlib import Path
from typing import Any

from mensura.catalog.imitation.players.player import Player
from mensura.catalog.imitation.room import TalkLine
from mensura.yaml_file import read_yaml

TURNED = {
    "i": "you", "me": "you", "my": "your", "mine": "yours", "am": "are", "i'm": "you are", "myself": "yourself",
    "you": "I", "your": "my", "yours": "mine", "are": "am", "you're": "I am", "yourself": "myself",
}  # fmt: skip


class Eliza(Player):
    """Replies by the first rule whose pattern is found, and goes through the replies of a rule in turn."""

    def reply(self, question: str, lines: tuple[TalkLine, ...]) -> str:
        """Return the reply of the first rule that fits; the last fits everything."""
        for pattern, replies in script():
            if found := pattern.search(question):
                chosen = replies[(self.replied + int(self.rng.integers(len(replies)))) % len(replies)]
                rest = found.group(1) if found.groups() else ""
                return chosen.replace("*", turned(rest))
        raise AssertionError("The last rule of the script fits everything.")


def turned(words: str) -> str:
    """Turn what someone said of themselves into what is said to them.

    >>> turned("I like my work.")
    'you like your work'
    """
    parts = re.findall(r"[\w']+", words)
    return " ".join(TURNED.get(part.lower(), part) for part in parts)


@cache
def script() -> list[tuple[re.Pattern[str], list[str]]]:
    """Read the script: rules in order, each a pattern and its replies."""
    rules: Any = read_yaml(Path(__file__).parent / "eliza.yaml")
    return [(re.compile(rule["pattern"], re.IGNORECASE), rule["replies"]) for rule in rules]
