"""Gathering: the answers of a round, until there are as many as it needs."""

from typing import Any

from mensura.dialogue.ask import Round


class Gathering:
    """The answers of a round so far.

    Raises
    ------
    ValueError
        If the round asks one role twice.
    """

    def __init__(self, group: Round) -> None:
        self._roles = [ask.role for ask in group.asks if ask.space is not None]
        if len(set(self._roles)) < len(self._roles):
            raise ValueError("asks one role twice in a round; ask it in two rounds")
        self.until, self.stays = group.until, group.stays
        self.needed = len(self._roles) if group.need == "all" else 1 if group.need == "any" else group.need
        self.answers: dict[str, Any] = {}

    @property
    def complete(self) -> bool:
        """Return whether as many answers came as are needed."""
        return len(self.answers) >= self.needed

    def in_order(self) -> dict[str, Any]:
        """Return the answers in the order of the asks: arrival order would leak into sums and records."""
        return {role: self.answers[role] for role in self._roles if role in self.answers}
