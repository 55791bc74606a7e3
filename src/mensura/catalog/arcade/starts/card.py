"""The start card: what a set of starts is worth, and which few of them carry its mean."""

from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np

from mensura.catalog.arcade.batch import play_all
from mensura.catalog.arcade.evaluation import EvaluationPlan, by_start
from mensura.catalog.arcade.scoring import variance
from mensura.catalog.arcade.search.explore import explore
from mensura.catalog.arcade.starts.splitting import check_split
from mensura.catalog.arcade.starts.start import StartSet
from mensura.catalog.arcade.subjects import RandomPlayer
from mensura.catalog.arcade.world.games import room_in
from mensura.catalog.arcade.world.rules import Rules
from mensura.stats import unit_estimate
from mensura.stats.rounding import rounded

NEAR_FRAMES = 1_800


@dataclass(frozen=True)
class CardBudget:
    """How much is played for a card: episodes to the end and tries of 30 seconds from each start, frames of search."""

    episodes: int
    near: int
    search_frames: int
    cap_frames: int


@dataclass(frozen=True)
class Card:
    """A start card.

    Parameters
    ----------
    game
        The game.
    facts
        What the set is, without playing.
    rows
        What random play comes to from each start.
    whole
        What it comes to over all.
    """

    game: str
    facts: dict[str, Any]
    rows: list[dict[str, Any]]
    whole: dict[str, Any]

    def as_json(self) -> dict[str, Any]:
        """Return the card as plain data."""
        return {"game": self.game, **self.facts, "random": self.whole, "starts": self.rows}

    def lines(self) -> list[str]:
        """Return the card in lines, the starts that carry most first."""
        facts, whole = self.facts, self.whole
        mean = whole["mean"]
        value, low, high = rounded(*(nan if mean[end] is None else mean[end] for end in ("value", "low", "high")))
        sure = " (no interval)" if mean["low"] is None else f" [{low}, {high}]"
        lines = [
            f"{self.game}: {facts['states']} starts made by {', '.join(facts['made'])}; {facts['duplicates']} doubles; "
            f"{'no rooms known' if facts['rooms'] is None else str(len(facts['rooms'])) + ' rooms'}.",
            f"Frame, quartiles: {facts['frame_quartiles']}. Score, quartiles: {facts['score_quartiles']}.",
            f"Random play to the end: {value}{sure} over "
            f"{facts['states']} starts; sd between starts {whole['variance'].get('sd_between') or 'unknown'}, "
            f"within {whole['variance'].get('sd_within') or 'unknown'}.",
            f"{whole['half_carried_by']} of {facts['states']} starts carry half of what is earned above zero.",
            "start             score    chance in 30 s  mean in 30 s  greatest  mean to the end  greatest  next reward",
        ]
        ranked = sorted(self.rows, key=lambda row: -row["mean"])
        for row in ranked:
            after = row["search_frames"] if row["search_frames"] is not None else f"not in {row['searched']}"
            lines.append(
                f"{row['start']:<16}  {'?' if row['score'] is None else row['score']:>6}  {row['near_chance']:>14.2f}  "
                f"{row['near_mean']:>12.1f}  {row['near_greatest']:>8.0f}  {row['mean']:>15.1f}  "
                f"{row['greatest']:>8.0f}  {after if row['searched'] else 'not searched'}"
            )
        return lines


def make_card(found: StartSet, budget: CardBudget, *, seed: int) -> Card:
    """Make the card of a set by playing at random from each start."""
    rules = Rules(cap_frames=budget.cap_frames)
    near = Rules(cap_frames=min(NEAR_FRAMES, budget.cap_frames))
    random = RandomPlayer()
    to_the_end, shortly = (
        EvaluationPlan(found.game, under, 0.0, found.starts, times, 0, seed)
        for under, times in ((rules, budget.episodes), (near, budget.near))
    )
    ends = dict(by_start(to_the_end.tasks(), play_all(to_the_end, random)))
    nears = dict(by_start(shortly.tasks(), play_all(shortly, random)))
    rows = []
    for number, (name, start) in enumerate(zip(ends, found.starts, strict=True)):
        earned, soon = [one.earned for one in ends[name]], [one.earned for one in nears[name]]
        first = None
        if budget.search_frames:
            search = explore(
                found.game, frames=budget.search_frames, seed=seed + number, begin_at=start.state, until_reward=True
            )
            first = search.milestones[0][1] if search.milestones else None
        rows.append(
            {
                "start": name,
                "frame": start.frame,
                "score": start.score,
                "split": start.split,
                "near_chance": float(np.mean([one.first_reward is not None for one in nears[name]])),
                "near_mean": float(np.mean(soon)),
                "near_greatest": float(np.max(soon)),
                "mean": float(np.mean(earned)),
                "greatest": float(np.max(earned)),
                "search_frames": first,
                "searched": budget.search_frames,
            }
        )
    return Card(found.game, _facts(found), rows, _whole(ends, rows))


def _facts(found: StartSet) -> dict[str, Any]:
    starts = found.starts
    rooms = {room_in(found.game, start.memory) for start in starts}
    scores = [start.score for start in starts if start.score is not None]
    return {
        "states": len(starts),
        "duplicates": len(starts) - found.distinct,
        "made": dict(found.made),
        "human": found.human,
        "frame_quartiles": _quartiles([start.frame for start in starts]),
        "score_quartiles": _quartiles(scores) if scores else None,
        "rooms": None if None in rooms else sorted(room for room in rooms if room is not None),
        "splits": check_split(found).as_json(),
    }


def _whole(ends: dict[str, Any], rows: list[dict[str, Any]]) -> dict[str, Any]:
    means = sorted((max(row["mean"], 0.0) for row in rows), reverse=True)
    total, carried, count = sum(means), 0.0, 0
    while total and carried < total / 2:
        carried += means[count]
        count += 1
    return {
        "mean": unit_estimate([row["mean"] for row in rows], unit="start").as_json(),
        "variance": variance([[one.earned for one in group] for group in ends.values()]),
        "half_carried_by": count,
    }


def _quartiles(values: list[int]) -> list[float]:
    return [float(value) for value in np.quantile(values, (0, 0.25, 0.5, 0.75, 1))]
