"""Planted blunders: how far belief falls at an error, how much of it comes back, and what spread errors do."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mensura.errors import BadData, BadFile
from mensura.json_file import loads
from mensura.stats import Estimate, two_sample_difference
from mensura.stats.finding import Finding
from mensura.stats.intervals.sample import Floats
from mensura.stats.wording import spoken
from mensura.text_file import read_text

LATER = 3


@dataclass(frozen=True, slots=True)
class BeliefSeries:
    """The belief that a witness is human, before the first turn and after each, and errors planted by turn."""

    belief: Floats
    errors: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BlunderEffect(Finding):
    """What a planted blunder does to belief, against games without one; games are the unit.

    `drop` is the fall at the blunder's turn, `recovery` what comes back within `later` turns, `spread_drop` the sum of
    falls at errors that were spread over several turns. All are in units of belief, and positive where it falls
    (drops) or comes back (recovery).
    """

    drop: Estimate
    recovery: Estimate
    spread_drop: Estimate
    later: int

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        return (
            f"At a blunder belief falls by {spoken(self.drop)}; within {self.later} turns {spoken(self.recovery)} of "
            f"it comes back. Errors spread out lower it by {spoken(self.spread_drop)} in all."
        )


def blunder_effect(games: Sequence[BeliefSeries], *, later: int = LATER, level: float = 0.95) -> BlunderEffect:
    """Estimate the causal drop of belief at planted blunders, its recovery, and the drop at errors spread out.

    Turns must have been drawn at random. Games without errors are compared at the same turns: how belief moves there
    anyway, at each turn in its own way, is no effect. Welch's interval over games.

    Examples
    --------
    >>> flat, hit = BeliefSeries(np.full(6, 0.5), ()), BeliefSeries(np.array([0.5, 0.5, 0.2, 0.2, 0.3, 0.3]), (2,))
    >>> found = blunder_effect([flat, flat, hit, hit], later=2)
    >>> round(found.drop.value, 3), round(found.recovery.value, 3), found.spread_drop.n
    (0.3, 0.1, 0)
    """
    if later < 1:
        raise BadData(f"Recovery is looked for at least 1 turn later; got {later}.")
    arms: dict[str, list[BeliefSeries]] = {"none": [], "planted": [], "spread": []}
    for game in games:
        arms["none" if not game.errors else "planted" if len(game.errors) == 1 else "spread"].append(game)

    def compared(arm: str, *, start: int, end: int) -> Estimate:
        """Estimate the change from `start` to `end`, counted from each error, against games without errors."""
        hit = [game for game in arms[arm] if max(game.errors) + end < len(game.belief)]
        turns = [turn for game in hit for turn in game.errors]
        clean = [game for game in arms["none"] if len(game.belief) > max(turns, default=0) + end]
        if not hit or not clean:
            return Estimate(float("nan"), float("nan"), float("nan"), 0, "none: an arm is missing", "games")
        usual = {
            turn: np.array([game.belief[turn + end] - game.belief[turn + start] for game in clean])
            for turn in set(turns)
        }
        # Of each turn's own usual change: that turns differ among themselves is no error of the estimate.
        values = [
            sum(game.belief[turn + end] - game.belief[turn + start] - usual[turn].mean() for turn in game.errors)
            for game in hit
        ]
        drifts = np.sum([usual[turn] for turn in turns], axis=0) / len(hit)
        found = two_sample_difference(first=values, second=drifts - drifts.mean(), level=level).difference
        return Estimate(found.value, found.low, found.high, len(values), found.method, "games", found.note)

    return BlunderEffect(
        drop=_turned(compared("planted", start=-1, end=0)),
        recovery=compared("planted", start=0, end=later),
        spread_drop=_turned(compared("spread", start=-1, end=0)),
        later=later,
    )


def read_games(paths: Iterable[str | Path]) -> list[BeliefSeries]:
    """Read games from files of JSON lines: {"belief": [0.5, 0.6, ...], "errors": [4]}; other keys are passed over."""
    games = []
    for path in paths:
        for number, line in enumerate(read_text(path).splitlines(), start=1):
            if line.strip():
                games.append(_game(line, where=f"{path}, line {number}"))
    if not games:
        raise BadFile("The files hold no games.")
    return games


def _game(line: str, *, where: str) -> BeliefSeries:
    try:
        data: Any = loads(line)
        belief, errors = np.asarray(data["belief"], dtype=float), tuple(sorted(data.get("errors") or ()))
    except (ValueError, TypeError, KeyError, AttributeError):
        raise BadFile(f'{where}: a game is {{"belief": [numbers], "errors": [turns]}}.') from None
    if belief.ndim != 1 or len(belief) < 2 or not ((belief >= 0) & (belief <= 1)).all():
        raise BadFile(f"{where}: belief is a list of probabilities, before the first turn and after each.")
    if not all(type(turn) is int and 1 <= turn < len(belief) for turn in errors) or len(set(errors)) < len(errors):
        raise BadFile(f"{where}: errors are turns from 1 to {len(belief) - 1}, each once; got {list(errors)}.")
    return BeliefSeries(belief, errors)


def _turned(estimate: Estimate) -> Estimate:
    return Estimate(-estimate.value, -estimate.high, -estimate.low, estimate.n, estimate.method, "games", estimate.note)
