"""Exhibits of evaluations: the source's table with intervals, and what may be concluded from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil, sqrt
from typing import Any

import numpy as np

from mensura.exhibit import Exhibit, Figure, Group
from mensura.exhibit.exhibit import Cell
from mensura.stats import Estimate, unit_estimate

PLAYER = "player"
RANDOM = "random"
SEARCH_MADE = "hcr, search-made starts"
METHODS = (RANDOM, "dqn", "hcr", "her", SEARCH_MADE)
"""The rows of the source's table, with the one that needs no human; a row that nobody filled is shown empty."""
SOURCE_FRAMES = 50_000_000
MANY = 100_000
"""Frames from which on they are told in millions."""
REACH = 1.96 + 0.84
"""Standard errors that a difference must have to be found in four of five studies."""
COLUMNS = ("method", "frames of each", "seeds", "starts", "mean", "over seeds", "median", "above random, same starts")


@dataclass(frozen=True)
class TableRow:
    """Evaluations that belong together: one method after as many frames; each is start → mean of its episodes."""

    method: str
    frames: int
    evaluations: Sequence[Mapping[str, float]]
    players: Sequence[Mapping[str, Any]]

    @property
    def by_start(self) -> dict[str, float]:
        """Return the mean of each start that all of them played, over all of them."""
        shared = [name for name in self.evaluations[0] if all(name in one for one in self.evaluations)]
        return {name: float(np.mean([one[name] for one in self.evaluations])) for name in shared}

    @property
    def words(self) -> str:
        """Return the method and its frames."""
        return f"{self.method}, {_millions(self.frames)}" if self.frames else self.method


def exhibits(groups: Sequence[Group]) -> list[Exhibit]:
    """Return the source's table where several players are compared, one for each game and rules; else nothing."""
    if len(groups) < 2:
        return []
    games: dict[str, list[Group]] = {}
    for group in groups:
        games.setdefault(str(group.parameters["game"]), []).append(group)
    return [table_of(game, rows_of(those)) for game, those in games.items()]


def rows_of(groups: Sequence[Group]) -> list[TableRow]:
    """Return the rows of the table, the source's methods first, each after its frames."""
    found: dict[tuple[str, int], list[tuple[Mapping[str, float], Mapping[str, Any]]]] = {}
    for group in groups:
        for scores in group.scores:
            player = scores.details.get(PLAYER, {"method": group.name})
            means = {row["start"]: row["mean"] for row in scores.details["by_start"] if row["mean"] is not None}
            # Learners stop at the first round of games past what was asked for: a few hundred frames more.
            played = player.get("frames", 0)
            frames = round(played, -5) if played >= MANY else played
            if means:
                found.setdefault((method_of(player), frames), []).append((means, player))
    order = {method: place for place, method in enumerate(METHODS)}
    keys = sorted(found, key=lambda key: (order.get(key[0], len(order)), key))
    return [TableRow(*key, [means for means, _ in found[key]], [told for _, told in found[key]]) for key in keys]


def method_of(player: Mapping[str, Any]) -> str:
    """Return the method of a player: replay of checkpoints that a search made is another than that of a human's.

    >>> method_of({"method": "hcr", "starts": "s.json, 50 starts for training, made by search"})
    'hcr, search-made starts'
    """
    made = str(player.get("starts", "")).rpartition("made by ")[2]
    return SEARCH_MADE if player["method"] == "hcr" and made == "search" else str(player["method"])


def table_of(game: str, rows: Sequence[TableRow]) -> Exhibit:
    """Return the table of one game."""
    chance = next((row for row in rows if row.method == RANDOM), None)
    filled: list[list[Cell]] = [_cells(row, chance) for row in rows]
    there = {row.method for row in rows}
    empty: list[list[Cell]] = [[method, *["empty"] * (len(COLUMNS) - 1)] for method in METHODS if method not in there]
    learned = [row for row in rows if row.frames]
    said = [conclusion(row, chance) for row in learned if chance is not None]
    said += ["There is no evaluation of random here, so nothing can be said against chance."] if not chance else []
    most = max((row.frames for row in learned), default=0)
    reached = "were" if most >= SOURCE_FRAMES else "were not"
    notes = [
        "Intervals speak of starts like these; another seed of learning would give another mean, whose spread is only "
        "known where there are several seeds.",
        f"The source's 50 million frames {reached} reached in any cell; the most is {_millions(most)}."
        if learned
        else "No learner is among them, so nothing can be concluded about learning.",
    ]
    human = sorted({words for row in learned for player in row.players for words in player.get("human", ())})
    notes += [f"What is human in the learners: {'; '.join(human)}."] if human else []
    figure = Figure(partial(_draw, rows), f"The mean of every start of {game}, by method.")
    return Exhibit(f"From the same starts: {game}", " ".join(said), COLUMNS, [*filled, *empty], [figure], notes)


def conclusion(row: TableRow, chance: TableRow) -> str:
    """Say whether a learner can be told from random, and how great a difference these starts could have shown."""
    differences = _differences(row, chance)
    if len(differences) < 2:
        return f"{row.words}: it shares too few starts with random to be compared."
    found = unit_estimate(differences, unit="start")
    spread = float(np.std(differences, ddof=1))
    least = REACH * spread / sqrt(len(differences))
    seeds = len(row.evaluations)
    of = f"{'1 seed' if seeds == 1 else f'{seeds} seeds'} of learning, {len(differences)} starts"
    if found.excludes(0):
        told = f"{'more' if found.value > 0 else 'less'} is earned than by random from these starts ({of})"
    else:
        told = f"nothing can be concluded against random ({of})"
    if not spread:
        alike = (
            "from every start the same as"
            if not differences[0]
            else f"{differences[0]:+g} points from every start over"
        )
        return f"{row.words}: it earned {alike} random, so how great a difference could be found is not known ({of})."
    needed = ceil((REACH * spread / abs(found.value)) ** 2) if found.value else None
    wanted = f"; to find one as great as that seen, {needed} starts are needed" if needed else ""
    short = wanted if needed is None or needed > len(differences) else ""
    return (
        f"{row.words}: {told}. Differences of {least:.0f} points or more would be found in four of five studies{short}."
    )


def _cells(row: TableRow, chance: TableRow | None) -> list[Cell]:
    means = np.array(list(row.by_start.values()))
    seeds = len(row.evaluations)
    over = unit_estimate([np.mean(list(one.values())) for one in row.evaluations], unit="seed") if seeds > 1 else None
    above: Estimate | None = None
    if chance is not None and row is not chance and len(differences := _differences(row, chance)) > 1:
        above = unit_estimate(differences, unit="start")
    frames = _millions(row.frames) if row.frames else "learns nothing"
    mean = unit_estimate(means, unit="start")
    return [row.method, frames, seeds if row.frames else "–", len(means), mean, over, float(np.median(means)), above]


def _differences(row: TableRow, chance: TableRow) -> list[float]:
    theirs, others = row.by_start, chance.by_start
    return [theirs[name] - others[name] for name in theirs if name in others]


def _millions(frames: int) -> str:
    return f"{frames / 1e6:.1f} million" if frames >= MANY else f"{frames:,}"


def _draw(rows: Sequence[TableRow]) -> Any:
    import altair

    points = [{"method": row.words, "points": mean} for row in rows for mean in row.by_start.values()]
    chart = altair.Chart(altair.InlineData(points)).mark_tick(thickness=2)
    order = [row.words for row in rows]
    return chart.encode(
        x=altair.X("points:Q", title="points after the start"), y=altair.Y("method:N", sort=order, title=None)
    ).properties(width=480, height=34 * max(len(rows), 1))
