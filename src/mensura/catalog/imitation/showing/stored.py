"""Stored games: those of a run that is over, with their truths."""

from typing import Any

from mensura.catalog.imitation.facts import curve
from mensura.catalog.imitation.game import PlayedGame, read_games
from mensura.errors import BadParameter

BEFORE = 0.5
"""The belief before the first exchange, which nobody is asked for: neither way."""


def stored_games(name: str, *, store: str | None) -> list[PlayedGame]:
    """Read the games of a run; sessions that were excluded stay out."""
    from mensura.store import open_store

    with open_store(store, create=False) as opened:
        head = opened.runs.find(name)
        if not head.test.startswith("imitation-v"):
            raise BadParameter(f"The run {head.id} is of {head.test}; give one of imitation.")
        excluded = opened.exclusions.excluded(head.id)
        records = opened.records.with_truths(head.id)
        games = [game for one, truths in records if one.session not in excluded for game in read_games(one, truths)]
    if not games:
        raise BadParameter(f"{head.id} keeps no games: it was run with --trace none, or none of it is over.")
    return games


def series_of(game: PlayedGame) -> dict[str, Any] | None:
    """Return the beliefs of a game and the turns of its planted blunders; None where nothing was pretended or asked.

    Turns are those of the beliefs: the first stands before the game.
    """
    points = curve(game)
    if game.void or not points or game.witness != game.form.pretender:
        return None
    turns = {int(exchange): place for place, (exchange, _, _) in enumerate(points, start=1)}
    planted = {one.exchange for one in game.messages if one.planted and one.role == game.witness}
    return {
        "belief": [BEFORE, *(value for _, _, value in points)],
        "errors": sorted(turns[exchange] for exchange in planted if exchange in turns),
    }
