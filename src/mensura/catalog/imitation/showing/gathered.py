"""Gathered: the games of one group of sessions, as exhibits read them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from mensura.catalog.imitation.pooled import Facts, voids_of
from mensura.dialogue.record import POOLED
from mensura.exhibit import Group
from mensura.subjects.spec import HUMAN as PERSON


@dataclass(frozen=True)
class Gathered:
    """The games of a group that count, and why others do not."""

    name: str
    group: Group
    games: Sequence[Facts]
    voids: Sequence[str]
    rankings: Sequence[Facts] = field(default_factory=tuple)

    @classmethod
    def of(cls, group: Group) -> "Gathered":
        """Gather the games of a group; the unit is a session, or a course where people come again."""
        games: list[Facts] = []
        rankings: list[Facts] = []
        for place, scores in enumerate(group.scores):
            kept: Any = scores.details.get(POOLED, {})
            cohort = group.cohorts[place] if group.cohorts else ()
            played = [game for game in kept.get("games", ()) if not game["void"]]
            games += [{**game, "unit": str(place), "course": _course(game), "cohort": cohort} for game in played]
            rankings += kept.get("rankings", ())
        if len({game["course"] for game in games}) > 1:
            games = [{**game, "unit": game["course"]} for game in games]
        return cls(group.name, group, games, voids_of(group.scores), rankings)

    @property
    def verdicts(self) -> list[Facts]:
        """All final verdicts, each with the unit and the system of its game."""
        return [
            {
                **verdict,
                "unit": game["unit"],
                "system": game["system"],
                "truth": game["truth"],
                "pretends": game["pretends"],
            }
            for game in self.games
            for verdict in game["verdicts"]
        ]

    @cached_property
    def judged_by(self) -> str:
        """Who judged, in words: people, or programs, which are not people."""
        names = {verdict["judge"] for verdict in self.verdicts}
        if not names:
            return "nobody"
        programs = sorted(names - {PERSON})
        words = ["people"] if PERSON in names else []
        return " and ".join(
            [*words, *([f"programs ({', '.join(programs)}), which are not people"] if programs else [])]
        )


def _course(game: Facts) -> str:
    """Return the course that a game belongs to, the sessions of one person."""
    return str(game.get("session", "")).partition(".")[0]


def by_system(gathered: Sequence[Gathered]) -> list[Gathered]:
    """Name groups by the systems that were judged, where that tells them apart, and not by all who took part."""
    names = [", ".join(sorted({game["system"] for game in one.games if game["pretends"]})) for one in gathered]
    apart = all(names) and len(set(names)) == len(names)
    return [replace(one, name=name) for one, name in zip(gathered, names, strict=True)] if apart else list(gathered)
