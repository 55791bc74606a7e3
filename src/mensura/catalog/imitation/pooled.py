"""Scores of a run that only all its games give together, each with its error; and with games of control."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mensura.dialogue import Scores
from mensura.dialogue.record import POOLED
from mensura.stats import (
    Estimate,
    Scale,
    detection_estimate,
    proportion_estimate,
    proportion_power,
    proportion_test,
    superiority,
    survival_estimate,
    two_sample_difference,
    unit_estimate,
    without_interval,
)

BOUND = 0.7
"""1950: an average interrogator will not have more than a 70 per cent chance of the right identification."""
GUESSING = 0.5
"""The share of right identifications for which the power of the rule is given."""
Facts = Mapping[str, Any]
UNITS = "sessions"
FIRST = ("A", "human")
NO_OVERLAP, EXTREME = "the samples do not overlap", "a rate of 0 or 1 was seen"


def pooled(sessions: Mapping[str, Scores], control: Mapping[str, Scores] | None = None) -> dict[str, Estimate | None]:
    """Return the scores over all sessions, by name; None where no game of control was played."""
    games, people = games_of(sessions), games_of(control) if control is not None else None
    right = right_estimate(games)
    found: dict[str, Estimate | None] = {
        "right": replace(right, note=" ".join(filter(None, [right.note, _void(sessions)])))
    }
    found |= {"control_right": None, "difference": None}
    if people is not None:
        found["control_right"], found["difference"] = right_estimate(people), wrong_difference(games, people)
    dprime, criterion = detection(games)
    rule = rule70(games)
    return found | {
        "auc": auc(games),
        "dprime": dprime,
        "criterion": criterion,
        "survival_median": survival_median(games),
        "rule70_p": rule[0],
        "rule70_power": rule[1],
    }


def games_of(sessions: Mapping[str, Scores]) -> list[Facts]:
    """List the games that count, each with the unit it belongs to: its session, or a person's where they come again."""
    # A session's id ends in COURSE.PHASE.SESSION; people who come several times share the number of their course.
    courses = {name: name.rpartition("/")[2].partition(".")[0] for name in sessions}
    visits = len(set(courses.values())) > 1
    found: list[Facts] = []
    for name, scores in sessions.items():
        for game in scores.details.get(POOLED, {}).get("games", ()):
            if not game["void"]:
                found.append({**game, "unit": courses[name] if visits else name})
    return found


def voids_of(sessions: Mapping[str, Scores] | Sequence[Scores]) -> list[str]:
    """List why games did not count."""
    each = sessions.values() if isinstance(sessions, Mapping) else sessions
    return [one["void"] for scores in each for one in scores.details.get(POOLED, {}).get("games", ()) if one["void"]]


def _void(sessions: Mapping[str, Scores]) -> str:
    """Return which games do not count and why; "" where all do."""
    why = Counter(voids_of(sessions))
    if not why:
        return ""
    many = "1 game is" if why.total() == 1 else f"{why.total()} games are"
    return f"{many} void: {', '.join(f'{reason} ({count})' for reason, count in why.most_common())}."


def rights(games: Sequence[Facts]) -> list[float]:
    """Return for each unit the share of its games that were decided rightly; hung juries decide nothing."""
    by_unit: dict[str, list[bool]] = {}
    for game in games:
        if game["decision"] != "hung":
            by_unit.setdefault(game["unit"], []).append(game["decision"] == game["truth"])
    return [float(np.mean(each)) for each in by_unit.values()]


def repeated(games: Sequence[Facts]) -> bool:
    """Return whether units have several games, so that games are not independent."""
    units = [game["unit"] for game in games]
    return len(set(units)) < len(units)


def right_estimate(games: Sequence[Facts]) -> Estimate:
    """Estimate how often judges are right: exactly where games are independent, else over units."""
    values = rights(games)
    if not values:
        return _nothing("no game counts")
    if repeated(games):
        return _named(unit_estimate(values, unit="session", scale=Scale(0, 1)))
    return _named(proportion_estimate(int(sum(values)), n=len(values), method="Clopper-Pearson"), UNITS)


def wrong_difference(games: Sequence[Facts], control: Sequence[Facts]) -> Estimate:
    """Estimate how much more often judges are wrong than in the control games; positive: the machine fools more."""
    first, second = ([1 - value for value in rights(each)] for each in (games, control))
    if not first or not second:
        return _nothing("one kind of game was not played to an end")
    binary = not repeated(games) and not repeated(control)
    found = two_sample_difference(first=first, second=second, scale=Scale() if binary else Scale(0, 1)).difference
    return _named(found, UNITS)


def rule70(games: Sequence[Facts]) -> tuple[Estimate, Estimate]:
    """Test the 70 % rule, exactly and one-sided; returns p, and the power that so many games have if judges guess."""
    values = rights(games)
    if not values:
        return _nothing("no game counts"), _nothing("no game counts")
    power = proportion_power(GUESSING, below=BOUND, n=len(values))
    note = (
        f"At most {power.critical} right of {power.n} show it."
        if power.critical >= 0
        else "So few games can never show it."
    )
    if repeated(games):
        reason = "judges had several games each, which the exact test takes for independent"
        return _nothing(reason, n=len(values)), _exact(power.power, power.n, note)
    tested = proportion_test(int(sum(values)), n=len(values), below=BOUND, power_at=GUESSING)
    return _exact(tested.p, tested.n, note), _exact(power.power, power.n, note)


@dataclass(frozen=True)
class Verdicts:
    """All verdicts of some games: was the first answer true, how probable was it said to be, was it chosen?

    The first is A in a pair, and "human" of a single witness. `unit` numbers the unit that a verdict belongs to.
    """

    true: np.ndarray
    stated: np.ndarray
    chosen: np.ndarray
    unit: np.ndarray

    @classmethod
    def of(cls, games: Sequence[Facts]) -> "Verdicts":
        """Gather them."""
        place = {unit: at for at, unit in enumerate(dict.fromkeys(game["unit"] for game in games))}
        rows = [
            (game["truth"] in FIRST, float(one["stated"]), one["verdict"] in FIRST, place[game["unit"]])
            for game in games
            for one in game["verdicts"]
        ]
        true, stated, chosen, unit = np.array(rows, dtype=float).reshape(-1, 4).T
        return cls(true == 1, stated, chosen == 1, unit.astype(int))

    @property
    def alone(self) -> bool:
        """Whether each unit gave one verdict, so that verdicts are independent."""
        return len(np.unique(self.unit)) == len(self.unit)

    def counts(self) -> np.ndarray:
        """Count hits, signals, false alarms and noises of each unit: "A" (or "human") said where it is true or not."""
        kinds = (self.true & self.chosen, self.true, ~self.true & self.chosen, ~self.true)
        return np.array([np.bincount(self.unit, kind) for kind in kinds]).T.astype(int)

    def areas(self) -> np.ndarray:
        """Return the area under the curve with each unit left out in turn."""
        true, false = self.stated[self.true], self.stated[~self.true]
        of, count = (self.unit[self.true], self.unit[~self.true]), int(self.unit.max()) + 1
        won, lost = _below(true, false), len(true) - _below(false, true)
        pairs = won.sum() - np.bincount(of[0], won, count) - np.bincount(of[1], lost, count)
        sizes = [np.bincount(each, minlength=count) for each in of]
        for one in np.flatnonzero(sizes[0] * sizes[1]):
            # The unit's own pairs were taken away twice.
            pairs[one] += _below(true[of[0] == one], false[of[1] == one]).sum()
        with np.errstate(invalid="ignore"):
            return np.asarray(pairs / ((len(true) - sizes[0]) * (len(false) - sizes[1])))


def _below(values: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return for each value how many of the others lie below it, ties counting half."""
    ordered = np.sort(others)
    return np.asarray(np.searchsorted(ordered, values, "left") + np.searchsorted(ordered, values, "right")) / 2


def auc(games: Sequence[Facts]) -> Estimate:
    """Estimate the chance that judges gave the true answer more belief in a game where it was true than where not."""
    from scipy.special import expit, logit

    seen = Verdicts.of(games)
    if seen.true.all() or not seen.true.any():
        return _nothing("one kind of game")
    found = superiority(first=seen.stated[seen.true], second=seen.stated[~seen.true])
    if seen.alone:
        return _named(found, UNITS)
    areas = seen.areas()
    if np.isin([found.value, *areas], (0.0, 1.0)).any():
        return without_interval(found.value, n=len(areas), reason=NO_OVERLAP, population=UNITS)
    # On the scale of logits, so that no bound leaves 0 to 1.
    left = _by_leaving_out(float(logit(found.value)), logit(areas))
    return replace(left, value=found.value, low=float(expit(left.low)), high=float(expit(left.high)))


def detection(games: Sequence[Facts]) -> tuple[Estimate, Estimate]:
    """Estimate d' and criterion: how often "A" (or "human") is said where it is true, and where it is not."""
    seen = Verdicts.of(games)
    if seen.true.all() or not seen.true.any():
        return _nothing("one kind of game", n=len(games)), _nothing("one kind of game", n=len(games))
    counts = seen.counts()
    whole = counts.sum(axis=0)
    found = _detected(whole)
    if seen.alone:
        return found
    if whole[0] in (0, whole[1]) or whole[2] in (0, whole[3]):
        # The rate stays when a unit is left out: that would pass for certainty.
        one, other = (without_interval(each.value, n=len(counts), reason=EXTREME, population=UNITS) for each in found)
        return one, other
    left = [_detected(row) for row in counts.sum(axis=0) - counts]
    dprimes, criteria = (np.array([one[at].value for one in left]) for at in (0, 1))
    return _by_leaving_out(found[0].value, dprimes), _by_leaving_out(found[1].value, criteria)


def _detected(counts: np.ndarray) -> tuple[Estimate, Estimate]:
    hits, signals, false, noises = map(int, counts)
    if min(signals, noises) == 0:
        return _nothing("one kind of game"), _nothing("one kind of game")
    found = detection_estimate(hits, signals=signals, false_alarms=false, noises=noises, population=UNITS)
    return found.dprime, found.criterion


def _by_leaving_out(value: float, left: np.ndarray) -> Estimate:
    """Estimate with an error from leaving out one unit at a time: judges of one game, or of one talk, go together."""
    count = len(left)
    if count < 5 or np.isnan(left).any():
        return Estimate(value, float("nan"), float("nan"), count, "none: fewer than 5 independent games", UNITS)
    from scipy.special import stdtrit

    error = float(np.sqrt((count - 1) / count * ((left - left.mean()) ** 2).sum()))
    half = float(stdtrit(count - 1, 0.975)) * error
    return Estimate(value, value - half, value + half, count, "jackknife over sessions, t", UNITS)


def survival_median(games: Sequence[Facts]) -> Estimate:
    """Estimate after how many seconds half of the judges are sure that the witness is not what it plays."""
    lasted, ended = lifetimes(games)
    if not lasted:
        return _nothing("no game in which something was pretended")
    found = survival_estimate(lasted, ended=ended).median
    note = found.note if found.value == found.value else "More than half lasted to the end of the game."
    return replace(found, population=UNITS, note=note)


def lifetimes(games: Sequence[Facts]) -> tuple[list[int], list[int]]:
    """Return how long illusions lasted, and whether they ended; games of one unit count once, by the shortest."""
    by_unit: dict[str, tuple[int, int]] = {}
    for game in games:
        if game["lasted"] is not None:
            new = (int(game["lasted"]), int(game["ended"]))
            old = by_unit.get(game["unit"], new)
            by_unit[game["unit"]] = min(old, new, key=lambda one: (one[0], -one[1]))
    return [one[0] for one in by_unit.values()], [one[1] for one in by_unit.values()]


def _nothing(reason: str, *, n: int = 0) -> Estimate:
    return without_interval(float("nan"), n=n, reason=reason, population=UNITS)


def _exact(value: float, n: int, note: str) -> Estimate:
    return Estimate(
        float(value), float("nan"), float("nan"), n, "exact one-sided binomial test at 0.05, below 0.7", UNITS, note
    )


def _named(estimate: Estimate, population: str = "") -> Estimate:
    return replace(estimate, population=population or estimate.population)
