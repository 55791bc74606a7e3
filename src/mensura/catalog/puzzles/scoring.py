"""Scoring of puzzles: right or wrong by item; generality, evenness and ability over kinds; counts by kind and load."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log, nan
from typing import Any

import numpy as np

from mensura.catalog.puzzles.norm import Norm, norm_of_bank
from mensura.dialogue import ABILITY, UNANSWERED, Items, Record, Score, Scores
from mensura.dialogue.record import BESIDE, ESTIMATES
from mensura.dialogue.spaces.text import folded
from mensura.stats import (
    Estimate,
    Scale,
    combined_proportions,
    record_generator,
    unit_estimate,
    without_interval,
)
from mensura.stats.wording import several

ABOUT = "about"
"""The key under which a session keeps what is known of its items, apart from their answers."""
ITEMS_LIKE_THESE = "items"
VERDICTS = {
    "above": "and you are above it",
    "below": "and you are below it",
    "not told apart": "which these answers do not tell apart from yours",
    "unknown": "which so few answers cannot be compared with",
}
UNCALIBRATED = "the items are not calibrated: mensura calibrate RUN -o bank.jsonl, then take it with --bank bank.jsonl"
ADAPTED = "items were chosen by what was answered before, so they stand for no kind; read the ability"
FLAT = "there is no success, or only one kind"
ONCE = "a kind was asked only once, and one answer has no spread"
RESAMPLES = 999
FEWEST_KINDS = 5
"""Kinds that must be asked before a subject is called general or specialised: one's own kinds show neither."""
SCORES = (
    Score("accuracy", better="more", proportion=True),
    Score("worth", better="more", low=0, high=1),
    Score("generality", better="more", low=-1, high=1),
    Score("evenness", better=None, low=0, high=1, unanswered=None),
    ABILITY,
)


@dataclass(frozen=True)
class Tried:
    """One item that counts: what it is, and what became of it."""

    key: str
    kind: str
    load: Mapping[str, float]
    chance: float
    outcome: str
    right: bool
    calibration: Mapping[str, Any] | None = None
    structure: str = ""
    worth: float = 0.0
    """What the answer is worth beside the best one: where several are good, others than the best count in part."""


@dataclass(frozen=True)
class Count:
    """What became of some items."""

    asked: int
    attempted: int
    right: int
    abstained: int
    chance: float

    @classmethod
    def of(cls, items: Sequence[Tried]) -> "Count":
        """Count items."""
        return cls(
            len(items),
            sum(one.outcome == "answered" for one in items),
            sum(one.right for one in items),
            sum(one.outcome == "abstained" for one in items),
            sum(one.chance for one in items) / len(items),
        )

    @property
    def estimate(self) -> Estimate:
        """The share of right answers among all that was asked, for items like these."""
        values = [1.0] * self.right + [0.0] * (self.asked - self.right)
        return unit_estimate(values, unit="item", scale=Scale(binary=True))

    @property
    def worth(self) -> float:
        """Right answers, and for each abstention what guessing would give: to abstain is no error, and no gain."""
        return self.right + self.abstained * self.chance

    @property
    def above_chance(self) -> float:
        """(accuracy - chance) / (1 - chance), an abstention counted as chance: 0 for what was never attempted."""
        return (self.worth / self.asked - self.chance) / (1 - self.chance)

    def as_json(self) -> dict[str, Any]:
        """Return the counts with the interval of the accuracy."""
        found = self.estimate
        return {
            "asked": self.asked,
            "attempted": self.attempted,
            "right": self.right,
            "abstained": self.abstained,
            "accuracy": found.value,
            "interval": [found.low, found.high] if found.has_interval else None,
            "chance": self.chance,
            "above_chance": self.above_chance,
        }


def score(record: Record, truths: Mapping[str, Any]) -> Scores:
    """Score a session: unanswered items are wrong, abstentions are counted apart, what we lost counts for nobody."""
    items = tried(record, truths)
    kinds = by(items, lambda one: one.kind)
    adapted = bool(record.parameters.get("adaptive"))
    general = without_interval(nan, n=0, reason=ADAPTED) if adapted else generality(kinds)
    even = without_interval(nan, n=0, reason=ADAPTED) if adapted else evenness_estimate(kinds)
    able = ability(items)
    own = {"generality": general, "ability": able, "evenness": even}
    keys, answered = [one.key for one in items], [one.outcome == "answered" for one in items]
    values: dict[str, Items | float] = {
        "accuracy": Items([float(one.right) if met else nan for one, met in zip(items, answered, strict=True)], keys),
        "worth": Items([one.worth if met else nan for one, met in zip(items, answered, strict=True)], keys),
        "generality": general.value,
        "evenness": even.value,
        "ability": able.value,
    }
    rules = by([one for one in items if "rules" in one.load], lambda one: str(int(one.load["rules"])))
    details: dict[str, Any] = {
        "by_kind": {kind: count.as_json() for kind, count in kinds.items()},
        "by_load": {number: rules[number].as_json() for number in sorted(rules, key=int)},
        ESTIMATES: {name: one.as_json() for name, one in own.items()},
    }
    norms = norms_of(items, truths)
    if norms:
        details["norm"] = {kind: one.as_json() for kind, one in norms.items()}
    details[BESIDE] = {"accuracy": profile_words(kinds, norms), "ability": _share_words(able)}
    return Scores(values, details)


def norms_of(items: Sequence[Tried], truths: Mapping[str, Any]) -> dict[str, Norm]:
    """Return the norm of each kind: the one that was loaded, else that of the calibration where all are calibrated."""
    loaded = (truths.get(ABOUT) or {}).get("norm") or {}
    calibrated: dict[str, list[Mapping[str, Any]]] = {}
    for one in items:
        calibrated.setdefault(one.kind, []).append(one.calibration or {})
    whole = {kind: given for kind, given in calibrated.items() if all(given)}
    return (norm_of_bank(whole) if whole else {}) | {kind: Norm(**given) for kind, given in loaded.items()}


def profile_words(kinds: Mapping[str, Count], norms: Mapping[str, Norm]) -> list[str]:
    """Say how many puzzles of each kind were right, and how that compares with the norm."""
    said = []
    for kind, count in kinds.items():
        found = count.estimate
        words = f"{kind}: {count.right} of {count.asked} right"
        if found.has_interval:
            words += f", and {found.low:.0%} to {found.high:.0%} of puzzles like these"
        if kind in norms:
            verdict = norms[kind].verdict(found)
            words += f"; {norms[kind].who}: {norms[kind].accuracy:.0%}, {VERDICTS[verdict]}"
        said.append(words)
    return said


def _share_words(able: Estimate) -> list[str]:
    """Say which share of the norm group an ability lies above, as a range, or why there is none."""
    if able.method.endswith(UNCALIBRATED):
        return ["how hard these puzzles are was not measured, so no ability can be given"]
    if not able.has_interval:
        return []
    from mensura.stats.response.ability import share_below

    low, high = share_below(able.low), share_below(able.high)
    return [f"higher than {low:.0%} to {high:.0%} of the group on whom the puzzles were calibrated"]


def tried(record: Record, truths: Mapping[str, Any]) -> list[Tried]:
    """Return every item that was asked and counts, once; its last answer stands."""
    about = (truths.get(ABOUT) or {}).get("items", {})
    last = {answer.key: answer for answer in record.answers if answer.key in truths and answer.key != ABOUT}
    found = []
    for key, answer in last.items():
        known, outcome = about.get(key, {}), record.outcome_of(answer)
        if outcome != "answered" and outcome not in UNANSWERED:
            continue
        right = outcome == "answered" and same(answer.value, truths[key])
        good = known.get("worth") or {} if outcome == "answered" else {}
        found.append(
            Tried(
                key,
                known.get("kind", "unknown"),
                known.get("load") or {},
                float(known.get("chance", 0.0)),
                outcome,
                right,
                known.get("calibration"),
                known.get("structure", key),
                max([float(right), *(worth for text, worth in good.items() if same(answer.value, text))]),
            )
        )
    return found


def same(answer: Any, truth: Any) -> bool:
    """Return whether an answer is the right one; in texts neither case nor spaces count.

    >>> same("b, 12 ,c", "B,12,C"), same("12", "13"), same(7.0, 7)
    (True, False, True)
    """
    if isinstance(answer, str) and isinstance(truth, str):
        return _pressed(answer) == _pressed(truth)
    return bool(answer == truth)


def by(items: Iterable[Tried], name: Any) -> dict[str, Count]:
    """Count items by what they have in common."""
    parts: dict[str, list[Tried]] = {}
    for one in items:
        parts.setdefault(name(one), []).append(one)
    return {part: Count.of(parts[part]) for part in sorted(parts)}


def generality(kinds: Mapping[str, Count]) -> Estimate:
    r"""Estimate the mean over kinds of :math:`(accuracy - chance)/(1 - chance)`, 0 for kinds that were not attempted.

    An abstention counts as chance, so a kind that is left out whole counts 0, and a first right answer in it never
    lowers anything; a refusal, an invalid answer and a crash count as wrong. It speaks of items like these of the same
    kinds: within each kind items were drawn, the kinds themselves were chosen. Kinds that were not attempted are known
    to count 0 and add nothing to the interval; where part of a kind was, its interval errs on the wide side.
    """
    if not kinds:
        return without_interval(nan, n=0, reason="nothing was asked")
    each = [count for count in kinds.values() if count.abstained < count.asked]
    weights = [1 / (len(kinds) * (1 - count.chance)) for count in each]
    shift = -sum(weight * count.chance for weight, count in zip(weights, each, strict=True))
    if not each:
        return without_interval(0.0, n=0, reason="no kind was attempted")
    found = combined_proportions([(count.worth, count.asked) for count in each], weights=weights, shift=shift)
    notes = (
        [] if len(each) == len(kinds) else [f"Of {len(kinds)} kinds {len(each)} were attempted; the others count 0."]
    )
    if len(kinds) < FEWEST_KINDS:
        notes.append(f"Asked in {several(len(kinds), 'kind')}: too few kinds to say whether it is general.")
    return Estimate(found.value, found.low, found.high, found.n, found.method, ITEMS_LIKE_THESE, " ".join(notes))


def evenness(kinds: Mapping[str, Count]) -> float:
    r"""Return how evenly success is spread: the entropy of the positive parts of generality over that of equal parts.

    1 for the same success in every kind, 0 where all of it is in one; unknown where there is none, or only one kind.
    """
    if len(kinds) < 2:
        return nan
    return float(_evenness(np.array([[count.above_chance for count in kinds.values()]]))[0])


def evenness_estimate(kinds: Mapping[str, Count]) -> Estimate:
    """Estimate evenness over items like these of the same kinds, by bootstrap of the items within each kind."""
    value, n = evenness(kinds), sum(count.asked for count in kinds.values())
    if value != value:
        return without_interval(value, n=n, reason=FLAT)
    if any(count.asked == 1 > count.abstained for count in kinds.values()):
        return without_interval(value, n=n, reason=ONCE)
    counts = [(count.right, count.abstained, count.asked - count.right - count.abstained) for count in kinds.values()]
    rng = record_generator(np.ravel(counts))
    draws = []
    for count, outcomes in zip(kinds.values(), counts, strict=True):
        right, abstained, _ = rng.multinomial(count.asked, np.array(outcomes) / count.asked, size=RESAMPLES).T
        worth = (right + abstained * count.chance) / count.asked
        draws.append((worth - count.chance) / (1 - count.chance))
    found = _evenness(np.column_stack(draws))
    low, high = np.nanpercentile(found, [2.5, 97.5]) if not np.isnan(found).all() else (value, value)
    low, high = min(low, value), max(high, value)
    return Estimate(value, float(low), float(high), n, "bootstrap of items within kinds", ITEMS_LIKE_THESE)


def _evenness(above: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]") -> "np.ndarray[Any, Any]":
    """Return the normalised entropy of the positive parts of each row."""
    parts = np.maximum(above, 0)
    whole = parts.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = parts / whole
        entropy = np.where(shares > 0, -shares * np.log(shares), 0).sum(axis=1) / log(above.shape[1])
    return np.where(whole[:, 0] > 0, np.clip(entropy, 0, 1), nan)


def ability(items: Sequence[Tried]) -> Estimate:
    """Estimate the ability on the scale of a calibrated bank, or say why it is not known."""
    calibrations = {one.key: one.calibration for one in items if one.calibration}
    if not calibrations:
        return without_interval(nan, n=0, reason=UNCALIBRATED)
    from mensura.stats.response.ability import ability_of

    found = ability_of({one.key: float(one.right) for one in items}, calibrations)
    return without_interval(nan, n=0, reason=found) if isinstance(found, str) else found


def _pressed(text: str) -> str:
    return folded(text).replace(" ", "")
