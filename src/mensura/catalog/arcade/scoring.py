"""Scores of an evaluation: what was earned after the starts, from which starts it comes, and how sure that is."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import nan, sqrt
from typing import Any

import numpy as np

from mensura.catalog.arcade.evaluation import NEAR, NULL, PlayedEpisode
from mensura.dialogue import Items, Record, Score, Scores
from mensura.dialogue.record import ESTIMATES
from mensura.stats import unit_estimate
from mensura.stats.estimate import Estimate, without_interval
from mensura.stats.scale import Scale

SHARE, COUNT = Scale(0, 1), Scale(low=0)
TABLE: Mapping[str, tuple[float, float]] = {"montezuma_revenge": (25.0, 4182.0), "private_eye": (662.8, 64169.1)}
"""Random and human scores from human starts (Nair et al. 2015, as printed in van Hasselt et al. 2015, Table 5)."""
TABLE_NAME = "Nair et al. 2015 (other starts than these), as printed in van Hasselt et al. 2015, Table 5"
TRIM = 0.1
ABOUT = "about"
HUMAN_STARTS, STARTS = "human_starts", "starts"

BASE = (
    Score("median", better="more", unit="points", label="median of starts"),
    Score("trimmed_mean", better="more", unit="points", label="mean of starts without the outer tenths"),
    Score("share_positive", better="more", proportion=True, label="share of starts with more than nothing earned"),
    Score("normalised", better="more", label="share of the way from random to human, by a table"),
    Score("null_starts", better="more", unit="points", label="mean from the beginning of the game"),
    Score(
        "nearest_reward_collected", better="more", low=0, high=1, label="share of starts with a reward in 30 seconds"
    ),
    Score("negative_rewards", better="less", low=0, unit="rewards", label="negative rewards in an episode"),
    Score("lives_lost", better="less", low=0, unit="lives", label="lives lost in an episode"),
    Score("noop_share", better=None, low=0, high=1, label="share of acts that do nothing"),
)


def declare(human: bool) -> tuple[Score, ...]:
    """Declare the scores: only where a human made every start may one speak of human starts."""
    name, label = (HUMAN_STARTS, "human starts") if human else (STARTS, "starts, not all of them human")
    return (Score(name, better="more", unit="points", label=label), *BASE)


def score(record: Record, truths: Mapping[str, Any]) -> Scores:
    """Score a session from what the world noted at the end of every episode; what was not played is unknown."""
    about = truths.get(ABOUT) or {"starts": {}, "null": 0, "per_start": 1, "game": "", "human": False}
    found: dict[str, list[PlayedEpisode]] = {name: [] for name in about["starts"]}
    null: list[PlayedEpisode] = []
    for key, told in truths.items():
        name, _, number = key.rpartition("/")
        if number and isinstance(told, Mapping) and "earned" in told:
            (null if name == NULL else found.setdefault(name, [])).append(PlayedEpisode(**told))
    scores = score_played(about, found, null)
    # Play in the browser ends with whether moments of it may be kept; None where that was not asked.
    return Scores(scores.values, {**scores.details, "keep": record.given().get("keep")})


def score_played(
    about: Mapping[str, Any], found: Mapping[str, Sequence[PlayedEpisode]], null: Sequence[PlayedEpisode]
) -> Scores:
    """Return the scores of episodes, start by start.

    Parameters
    ----------
    about
        The game, whether all starts are human, what is known of each start, episodes from each.
    found
        Start → its episodes.
    null
        Episodes from the beginning of the game.
    """
    names = list(found)
    means = np.array([np.mean([one.earned for one in found[name]]) if found[name] else nan for name in names])
    known = means[~np.isnan(means)]
    every = [one for name in names for one in found[name]]
    values: dict[str, Items | float] = {
        HUMAN_STARTS if about["human"] else STARTS: Items(means, names, ids=names),
        "share_positive": Items(np.where(np.isnan(means), nan, means > 0).astype(float), names, ids=names),
    }
    own = {
        "median": median_estimate(known),
        "trimmed_mean": trimmed_estimate(known),
        "normalised": normalised_estimate(known, game=about["game"]),
        "null_starts": unit_estimate([one.earned for one in null], unit="episode"),
        "nearest_reward_collected": _by_start(found, _near, SHARE),
        "negative_rewards": _by_start(found, lambda one: one.negative, COUNT),
        "lives_lost": _by_start(found, lambda one: one.lives_lost, COUNT),
        "noop_share": _by_start(found, lambda one: one.noops / max(one.acts, 1), SHARE),
    }
    values |= {name: estimate.value for name, estimate in own.items()}
    details = {
        ESTIMATES: {name: one.as_json() for name, one in own.items()},
        "game": about["game"],
        "by_start": [_start_row(name, found[name], about["starts"].get(name, {})) for name in names],
        "by_null": _start_row(NULL, null, {}),
        "variance": variance([[one.earned for one in found[name]] for name in names if found[name]]),
        "normalised_by": TABLE_NAME if about["game"] in TABLE else None,
        "played": {
            "starts": len(names),
            "episodes_per_start": about["per_start"],
            "null_starts": len(null),
            "frames": sum(one.frames for one in [*every, *null]),
            "cut": sum(one.cut for one in [*every, *null]),
            "seed": about.get("seed"),
            "made": about.get("made", {}),
            "inferred_splits": about.get("inferred", False),
        },
    }
    return Scores(values, details)


def variance(groups: Sequence[Sequence[float]]) -> dict[str, Any]:
    """Split the variance of episodes into that between starts and that within them, by the analysis of variance.

    Estimates below zero are given as zero. With one episode from each start only the sum is known.

    >>> variance([[1.0, 3.0], [5.0, 7.0]])["within"], variance([[1.0, 3.0], [5.0, 7.0]])["between"]
    (2.0, 7.0)
    """
    flat = [value for group in groups for value in group]
    total = float(np.var(flat, ddof=1)) if len(flat) > 1 else None
    repeated = [group for group in groups if len(group) > 1]
    if len(groups) < 2 or not repeated:
        why = "one episode from each start: play --episodes-per-start 2 or more to tell the two apart"
        return {"between": None, "within": None, "total": total, "share_between": None, "why": why}
    if total == 0:
        why = "every episode earned the same: nothing varied, so no error is known"
        return {"between": 0.0, "within": 0.0, "total": 0.0, "share_between": None, "why": why}
    counts = np.array([len(group) for group in groups], dtype=float)
    means = np.array([np.mean(group) for group in groups])
    within = float(sum(np.sum((np.array(group) - np.mean(group)) ** 2) for group in groups)) / (
        float(counts.sum()) - len(groups)
    )
    grand = float((counts * means).sum() / counts.sum())
    square = float((counts * (means - grand) ** 2).sum()) / (len(groups) - 1)
    size = (counts.sum() - (counts**2).sum() / counts.sum()) / (len(groups) - 1)
    between = max(0.0, float((square - within) / size))
    share = between / (between + within) if between + within > 0 else None
    return {
        "between": between,
        "within": within,
        "total": total,
        "share_between": share,
        "sd_between": sqrt(between),
        "sd_within": sqrt(within),
        "error_these_starts": sqrt(within / counts.sum()),
        "error_starts_like_these": sqrt(square / counts.sum()),
    }


def median_estimate(values: Sequence[float]) -> Estimate:
    """Estimate a median with the interval between order statistics, which asks nothing of the distribution."""
    found = np.sort(np.asarray(values, dtype=float))
    if len(found) < 6:
        value = float(np.median(found)) if len(found) else nan
        return without_interval(value, n=len(found), reason="fewer than six starts")
    from scipy.stats import binom

    low = int(binom.ppf(0.025, len(found), 0.5))
    # The chance that fewer than `low` of the starts lie below the median must stay under 2.5 %.
    if binom.cdf(low - 1, len(found), 0.5) > 0.025:
        low -= 1
    low = max(low, 1)
    return Estimate(
        float(np.median(found)), float(found[low - 1]), float(found[-low]), len(found), "order statistics", "items"
    )


def trimmed_estimate(values: Sequence[float]) -> Estimate:
    """Estimate the mean of the middle four fifths with the interval of Tukey and McLaughlin."""
    found = np.sort(np.asarray(values, dtype=float))
    cut = int(TRIM * len(found))
    if len(found) - 2 * cut < 2:
        return without_interval(float(found.mean()) if len(found) else nan, n=len(found), reason="too few starts")
    if found[0] == found[-1]:
        return without_interval(float(found[0]), n=len(found), reason="all starts gave the same")
    from scipy.stats import t

    middle = found[cut : len(found) - cut]
    winsorised = np.clip(found, middle[0], middle[-1])
    error = winsorised.std(ddof=1) / ((1 - 2 * TRIM) * sqrt(len(found)))
    reach = float(t.ppf(0.975, len(middle) - 1) * error)
    mean = float(middle.mean())
    return Estimate(mean, mean - reach, mean + reach, len(found), "trimmed t", "items")


def normalised(value: float, *, game: str) -> float:
    """Return where a score lies between random (0) and human (1) in the stated table; NaN for games it lacks.

    >>> round(100 * normalised(50.0, game="montezuma_revenge"), 2)
    0.6
    """
    if game not in TABLE:
        return nan
    low, high = TABLE[game]
    return (value - low) / (high - low)


def normalised_estimate(values: Sequence[float], *, game: str) -> Estimate:
    """Estimate the normalised mean; the table's own numbers are taken as exact, for their error is not published."""
    found = unit_estimate(values, unit="start")
    if game not in TABLE:
        return without_interval(nan, n=found.n, reason="the table does not have this game")
    value, low, high = (normalised(end, game=game) for end in (found.value, found.low, found.high))
    return replace(found, value=value, low=low, high=high)


def _near(one: PlayedEpisode) -> bool:
    return one.first_reward is not None and one.first_reward <= NEAR


def _by_start(found: Mapping[str, Sequence[PlayedEpisode]], of: Any, scale: Scale) -> Estimate:
    means = [float(np.mean([of(one) for one in group])) for group in found.values() if group]
    return unit_estimate(means, unit="start", scale=scale)


def _start_row(name: str, episodes: Sequence[PlayedEpisode], about: Mapping[str, Any]) -> dict[str, Any]:
    earned = [one.earned for one in episodes]
    return {
        "start": name,
        **about,
        "episodes": earned,
        "mean": float(np.mean(earned)) if earned else None,
        "sd": float(np.std(earned, ddof=1)) if len(earned) > 1 else None,
        "first_reward": [one.first_reward for one in episodes],
        "frames": [one.frames for one in episodes],
        "lives_lost": [one.lives_lost for one in episodes],
        "actions": [one.actions for one in episodes],
    }
