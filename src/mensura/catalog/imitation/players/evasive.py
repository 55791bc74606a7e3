"""Evasive: never answers."""

from mensura.catalog.imitation.players.player import Player
from mensura.catalog.imitation.room import TalkLine

DODGES = (
    "I'd rather not say.",
    "Why do you want to know that?",
    "Let's talk about something else. Did you see the news?",
    "Sorry, I don't quite understand what you mean.",
    "That is not a fair question.",
    "Maybe, maybe not.",
    "It depends.",
    "What would you say yourself?",
)


class Evasive(Player):
    """Dodges every question, in an order of its own in each game."""

    def reply(self, question: str, lines: tuple[TalkLine, ...]) -> str:
        """Return the next dodge."""
        if self.replied == 1:
            self.order = self.rng.permutation(len(DODGES))
        return DODGES[self.order[(self.replied - 1) % len(DODGES)]]
