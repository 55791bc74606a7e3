"""Scoring of the forecasting test: proper scores per question, realism and losses per session."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import log
from typing import Any

import numpy as np

from mensura.dialogue import UNANSWERED, Answer, Items, Record, Score, Scores, columns_of
from mensura.scores.natural import natural
from mensura.scores.rule import rule
from mensura.track_record.calibration.correction import correct
from mensura.track_record.calibration.loss import losses
from mensura.track_record.calibration.realism import fit_realism, shrink
from mensura.track_record.calibration.sheet import Sheet
from mensura.track_record.calibration.stance import read_stance
from mensura.track_record.calibration.total.total import expected_total
from mensura.track_record.calibration.verdict import judge
from mensura.track_record.quantities.coverage import band_coverage
from mensura.track_record.quantities.forecast import QuantityForecast, of_bins

FLOOR = 0.01
OUTSIDE = 0.02
"""Share of truths that should lie outside a band from 1 % to 99 %."""
CRPS = Score("crps_loss", better="less", low=0, high=1, label="CRPS loss", unit="ranges")
QUANTILE_LOSSES = (CRPS.name, "quantile_loss")
BIN_LOSSES = ("logarithmic_score", "quadratic_score", CRPS.name)
# Of a band that nobody stated it cannot be said whether it holds.
BAND = Score("outside_band", best=OUTSIDE, proportion=True, unanswered=None)


def scores(*, questions: str, alternatives: int, bins: int, **others: Any) -> tuple[Score, ...]:
    """Declare the scores that these questions have; ignorance scores 0, and so does a question left unanswered."""
    if questions == "quantities" and bins:
        return (*_of_bins(bins), CRPS, BAND)
    if questions == "quantities":
        # Of five quantiles the loss is largest where all lie at one end of the range and the truth at the other.
        quantiles = Score("quantile_loss", better="less", low=0, high=0.5, unit="ranges")
        return (CRPS, quantiles, BAND)
    # Questions of one's own may have any number of alternatives.
    known = max(alternatives, 2) if questions in ("urns", "almanac") else None
    most = log(known) if known else None
    return (
        *_of_shares(known),
        Score("realism_slope", best=1),
        Score("realism_intercept", best=0),
        Score("sorting_loss", better="less", low=0, unit="nats"),
        Score("perceived_information", better=None, low=0, high=most, unit="nats"),
        Score("actual_information", better="more", low=0, high=most, unit="nats", unanswered=0.0),
    )


def _of_shares(alternatives: int | None) -> tuple[Score, ...]:
    r"""Declare what shares earn: from all put on something false to all put on the truth.

    With n alternatives and floor f these are :math:`\ln nf` and :math:`\ln n(1 - (n-1)f)` by the logarithm, and
    :math:`-\frac12 - \frac1{2n}` and :math:`\frac12 - \frac1{2n}` by the quadratic rule. Where n is not known the
    widest hold: n is at least 2, and the floor allows at most 1/f.
    """
    numbers = [alternatives] if alternatives else range(2, round(1 / FLOOR) + 1)
    best = [log(n * (1 - (n - 1) * FLOOR)) for n in numbers]
    low, high = log(min(numbers) * FLOOR), max(best)
    even = [1 / (2 * n) for n in numbers]
    worst = -0.5 - max(even)
    return (
        Score("logarithmic_score", better="more", low=low, high=high, unit="nats", unanswered=0.0),
        Score("quadratic_score", better="more", low=worst, high=0.5 - min(even), unanswered=0.0),
    )


def _of_bins(bins: int) -> tuple[Score, ...]:
    """Declare what probabilities of bins earn; the floor is that of the whole, divided among the bins."""
    return (
        Score(
            "logarithmic_score",
            better="more",
            low=log(FLOOR),
            high=log(bins - (bins - 1) * FLOOR),
            unit="nats",
            unanswered=0.0,
        ),
        Score("quadratic_score", better="more", low=-1 - bins, high=bins - 1, unanswered=0.0),
    )


def score(record: Record, truths: Mapping[str, Any]) -> Scores:
    """Score every forecast by the logarithm (with a floor) and the quadratic rule, and diagnose the session."""
    asked = [answer for answer in record.answers if answer.key in truths]
    return (_score_bands if record.parameters["questions"] == "quantities" else _score_shares)(asked, truths, record)


def _score_shares(asked: Sequence[Answer], truths: Mapping[str, Any], record: Record) -> Scores:
    values: dict[str, Items | float] = {}
    keys = [answer.key for answer in asked]
    for name, each in (("logarithmic_score", rule("log", floor=FLOOR)), ("quadratic_score", rule("quadratic"))):
        numbers = np.full(len(asked), np.nan)
        for i, answer in enumerate(asked):
            if answer.status == "answered":
                outcome = list(answer.value).index(truths[answer.key])
                numbers[i] = each.score(forecast=list(answer.value.values()), outcome=outcome)
        values[name] = Items(numbers, keys)
    sheet = Sheet.of(columns_of([(record, truths)]))
    # How realistic answers are only answers tell; what is known and lost counts over all that was asked.
    filled = replace(record, answers=[_or_ignorant(answer, record) for answer in asked])
    whole = Sheet.of(columns_of([(filled, truths)]))
    if not len(whole):
        return Scores(values, {})
    line = fit_realism(sheet) if len(sheet) else None
    loss = losses(whole, whole if line is None else correct(whole, line, floor=FLOOR).sheet)
    values |= {
        "sorting_loss": loss.sorting,
        "perceived_information": loss.perceived_information,
        "actual_information": loss.actual_information,
    }
    if line is None:
        return Scores(values, {})
    values |= {"realism_slope": line.a, "realism_intercept": line.b}
    stance = read_stance(sheet, line)
    shrunk = shrink(line)
    details = {
        "labelling_loss": loss.labelling if np.isfinite(loss.labelling) else None,
        "bias": judge(line).bias,
        "bias_words": judge(line).words,
        "slope_error": None if np.isnan(line.a_se) else line.a_se,
        "slope_interval": None if np.isnan(line.low) else [line.low, line.high],
        # Of this session alone: a mean of such probabilities over sessions would mean nothing.
        "tail_probability": expected_total(sheet, rule("log", floor=FLOOR)).tail,
        "slope_drawn_towards_one": shrunk.a,
        "game": stance.game,
        "game_words": stance.words,
    }
    return Scores(values, details)


def _or_ignorant(answer: Answer, record: Record) -> Answer:
    """Return an answer, or even shares where the subject gave none: ignorance."""
    options = ((record.content(answer.number) or {}).get("space") or {}).get("options")
    if not options or record.outcome_of(answer) not in UNANSWERED:
        return answer
    return replace(answer, value=dict.fromkeys(options, 1 / len(options)), status="answered")


def _score_bands(asked: Sequence[Answer], truths: Mapping[str, Any], record: Record) -> Scores:
    """Score densities item by item, each in units of its own range, and count truths outside the stated band."""
    names = BIN_LOSSES if record.parameters["bins"] else QUANTILE_LOSSES
    numbers = {name: np.full(len(asked), np.nan) for name in (*names, BAND.name)}
    bands, claimed = [], float("nan")
    for i, answer in enumerate(asked):
        space = (record.content(answer.number) or {}).get("space")
        if answer.status != "answered" or space is None:
            continue
        truth = float(truths[answer.key])
        scored, (low, high), claimed = _band(space, answer.value, truth)
        for name, value in scored.items():
            numbers[name][i] = value
        numbers[BAND.name][i] = float(not low <= truth <= high)
        bands.append((low, high, truth))
    keys = [answer.key for answer in asked]
    values: dict[str, Items | float] = {name: Items(each, keys) for name, each in numbers.items()}
    if not bands:
        return Scores(values, {})
    lows, highs, outcomes = zip(*bands, strict=True)
    coverage = band_coverage(low=lows, high=highs, claimed=claimed, outcome=outcomes)
    return Scores(values, {"band_words": coverage.words})


def quantities_of(record: Record, truths: Mapping[str, Any], *, who: str = "") -> Iterator[QuantityForecast]:
    """Return what was answered of quantities, each in units of its own range."""
    for answer in record.answers:
        space = (record.content(answer.number) or {}).get("space")
        if answer.status == "answered" and space is not None and answer.key in truths:
            yield _forecast(space, answer.value, float(truths[answer.key]), who, answer.key)


def _forecast(space: Mapping[str, Any], answer: Sequence[float], truth: float, who: str, key: str) -> QuantityForecast:
    if space.get("bins"):
        edges = np.linspace(space["low"], space["high"], int(space["bins"]) + 1).tolist()
        return of_bins(edges, answer, outcome=truth, forecaster=who, question=key)
    values, levels = np.array([space["low"], *answer, space["high"]]), np.array([0.0, *space["levels"], 1.0])
    return QuantityForecast(who, key, "quantiles", values, levels, truth, float(space["high"] - space["low"]))


def _band(
    space: Mapping[str, Any], answer: Sequence[float], truth: float
) -> tuple[Mapping[str, Any], tuple[Any, Any], Any]:
    """Return the scores of one density in units of its range, the ends of its band, and what that claims to hold."""
    said = _forecast(space, answer, truth, "", "")
    if space.get("bins"):
        return said.losses(), said.band(), said.claimed
    scored = natural("density", [answer], [truth], spaces=[space])
    return {name: float(scored[name][0]) / said.scale for name in QUANTILE_LOSSES}, said.band(), said.claimed
