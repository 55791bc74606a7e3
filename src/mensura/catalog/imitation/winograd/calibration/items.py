"""What calibrators made of each item, whether they agree, and where their groups differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mensura.catalog.imitation.winograd.bench.ambiguity import SPLIT, SURE, Verdict
from mensura.catalog.imitation.winograd.calibration.answers import PersonAnswer
from mensura.catalog.imitation.winograd.calibration.ease import EASES, Ease, ease_of
from mensura.catalog.imitation.winograd.calibration.rules import InclusionRules
from mensura.catalog.imitation.winograd.schema import Schema
from mensura.errors import BadData, MensuraError
from mensura.stats import Agreement, Estimate, krippendorff_alpha, proportion_estimate
from mensura.stats.response.calibration import calibrate
from mensura.stats.response.classical import classical_items
from mensura.stats.response.functioning import GroupFunctioning, group_functioning
from mensura.stats.response.responses import ResponseMatrix, response_matrix


@dataclass(frozen=True, slots=True)
class SchemaKey:
    """One item as its author meant it."""

    id: str
    right: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CalibratedItem:
    """What the calibrators made of one item."""

    item: str
    right: Estimate
    """Share who answered as the author meant."""
    confidence: float
    """Mean; NaN where it was not asked."""
    with_rest: float
    """Correlation with the share right on the other items."""
    verdict: Verdict
    """Whether it has one answer: the verdict of the bench on the same answers."""
    ease: Mapping[Ease, float]
    """The chance of each kind that the verdict leaves open."""
    included: bool
    reason: str
    """Why it is not included; empty where it is."""

    @property
    def likeliest(self) -> Ease:
        """The kind that is most probable."""
        return max(EASES, key=lambda kind: self.ease[kind])

    def as_json(self) -> dict[str, Any]:
        """Return it for a machine."""
        return {
            "item": self.item,
            "right": self.right.as_json(),
            "confidence": _plain(self.confidence),
            "with_rest": _plain(self.with_rest),
            "verdict": self.verdict,
            "ease": dict(self.ease),
            "likeliest": self.likeliest,
            "included": self.included,
            "reason": self.reason or None,
        }


def keys_of(schemas: Sequence[Schema]) -> dict[str, SchemaKey]:
    """Return the items that people can be asked, by "schema/number"; ambiguous schemas have no key."""
    return {
        f"{schema.id}/{number}": SchemaKey(f"{schema.id}/{number}", schema.candidates[one.right], schema.candidates)
        for schema in schemas
        if not schema.ambiguous
        for number, one in enumerate(schema.sentences)
    }


def matrix_of(answers: Sequence[PersonAnswer], keys: Mapping[str, SchemaKey]) -> ResponseMatrix:
    """Return persons × items, 1 where somebody answered as the author meant."""
    stray = sorted({one.item for one in answers} - set(keys))
    if stray:
        raise BadData(f"Answers are given to {stray[0]!r}, which is not an item of the schemas; an item is id/number.")
    for one in answers:
        if one.answer not in keys[one.item].options:
            raise BadData(f"{one.person} answered {one.answer!r} to {one.item}; it has {list(keys[one.item].options)}.")
    persons = list(dict.fromkeys(one.person for one in answers))
    rows, columns = {name: place for place, name in enumerate(persons)}, {name: at for at, name in enumerate(keys)}
    right = np.full((len(persons), len(keys)), np.nan)
    for one in answers:
        right[rows[one.person], columns[one.item]] = one.answer == keys[one.item].right
    return response_matrix(right, items=list(keys), persons=persons)


def describe_items(
    answers: Sequence[PersonAnswer],
    keys: Mapping[str, SchemaKey],
    *,
    rules: InclusionRules,
    verdicts: Mapping[str, Verdict],
    differing: Sequence[str] = (),
) -> tuple[CalibratedItem, ...]:
    """Describe every item by its calibrators' answers and the verdict on it, and whether the rules include it."""
    matrix = matrix_of(answers, keys)
    classical = {one.item: one for one in classical_items(matrix).items}
    by_item: dict[str, list[PersonAnswer]] = {name: [] for name in keys}
    for one in answers:
        by_item[one.item].append(one)
    return tuple(
        _described(key, by_item[name], classical[name].with_rest, rules, verdicts[name], name in differing)
        for name, key in keys.items()
    )


def agreement_of(
    answers: Sequence[PersonAnswer], keys: Mapping[str, SchemaKey], *, rng: np.random.Generator
) -> Agreement | str:
    """Estimate how far calibrators agree on items of two answers, by Krippendorff's alpha; else say why it is unknown.

    With more answers some items would have values that others cannot have, and chance would look like agreement.
    """
    persons = {name: row for row, name in enumerate(sorted({one.person for one in answers}))}
    columns = {name: at for at, name in enumerate(one.id for one in keys.values() if len(one.options) == 2)}
    if not columns:
        return "Agreement is told of items with two answers, and there are none."
    table = np.full((len(persons), len(columns)), np.nan)
    for one in answers:
        if one.item in columns:
            table[persons[one.person], columns[one.item]] = keys[one.item].options.index(one.answer)
    try:
        return krippendorff_alpha(table, scale="nominal", rng=rng, resamples=999)
    except BadData as error:
        return str(error)


def functioning_of(answers: Sequence[PersonAnswer], keys: Mapping[str, SchemaKey]) -> dict[str, GroupFunctioning | str]:
    """Test items for differences between each group and others of the same ability, or say why that cannot be done."""
    matrix = matrix_of(answers, keys)
    group = {one.person: one.group for one in answers}
    names = sorted({name for name in group.values() if name})
    if len(names) < 2:
        return {}
    found: dict[str, GroupFunctioning | str] = {}
    for name in names[:1] if len(names) == 2 else names:
        first = [place for place, person in enumerate(matrix.persons) if group[person] == name]
        other = names[1] if len(names) == 2 else "all others"
        try:
            calibrated = calibrate(matrix, model="rasch", norm="the calibrators")
            found[name] = group_functioning(matrix, calibrated, first=first, names=(name, other))
        except MensuraError as error:
            found[name] = str(error)
    return found


def _plain(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _described(
    key: SchemaKey,
    answers: Sequence[PersonAnswer],
    with_rest: float,
    rules: InclusionRules,
    verdict: Verdict,
    differs: bool,
) -> CalibratedItem:
    right = sum(one.answer == key.right for one in answers)
    known = [one.confidence for one in answers if one.confidence is not None]
    confidence = float(np.mean(known)) if known else float("nan")
    asked = len(known) == len(answers) > 0
    cells = [0, 0, 0, 0]
    for one in answers:
        cells[2 * (one.answer != key.right) + ((one.confidence or 0) < SURE)] += 1
    share = proportion_estimate(right, n=len(answers))
    reason = ""
    if len(answers) < rules.least_answers:
        reason = f"{len(answers)} answers; the rules want {rules.least_answers}"
    elif right / len(answers) < rules.agreement:
        reason = f"{right / len(answers):.2f} answered as its author meant; the rules want {rules.agreement:g}"
    elif known and confidence < rules.confidence:
        reason = f"mean confidence {confidence:.2f}; the rules want {rules.confidence:g}"
    elif differs and not rules.differing:
        reason = "it functions differently between groups of calibrators"
    ease = ease_of((cells[0], cells[1], cells[2], cells[3]), options=len(key.options), asked=asked)
    if verdict in SPLIT:
        ease = {kind: float(kind == verdict) for kind in EASES}
    return CalibratedItem(key.id, share, confidence, with_rest, verdict, ease, not reason, reason)
