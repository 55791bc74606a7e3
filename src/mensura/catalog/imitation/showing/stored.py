"""Stored games: those of a run that is over, with their truths."""

from collections.abc import Iterable, Mapping
from typing import Any

from mensura.catalog.imitation.facts import curve
from mensura.catalog.imitation.game import PlayedGame, read_games
from mensura.dialogue import Record
from mensura.errors import BadParameter

BEFORE = 0.5
"""The belief before the first exchange, which nobody is asked for: neither way."""


def games_of_sessions(sessions: Iterable[tuple[Record, Mapping[str, Any]]], *, name: str) -> list[PlayedGame]:
    """Read the games of the sessions of a run, and say where there is none."""
    games = [game for record, truths in sessions for game in read_games(record, truths)]
    if not games:
        raise BadParameter(f"{name} keeps no games: it was run with --trace none, or none of it is over.")
    return games


def series_of(game: PlayedGame) -> dict[str, Any] | None:
    """Return the beliefs of a game and the turns of its planted blunders; None where nothing was pretended or asked.

    Nor of a game that was over before the judges said what they made of a blunder: less its last error it would be
    taken for a game with fewer. Turns are those of the beliefs: the first stands before the game.
    """
    points = curve(game)
    if game.void or not points or game.witness != game.form.pretender:
        return None
    turns = {int(exchange): place for place, (exchange, _, _) in enumerate(points, start=1)}
    planted = {one.exchange for one in game.messages if one.planted and one.role == game.witness}
    if not planted <= turns.keys():
        return None
    return {
        "belief": [BEFORE, *(value for _, _, value in points)],
        "errors": sorted(turns[exchange] for exchange in planted),
    }
