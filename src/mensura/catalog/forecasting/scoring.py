"""Scoring of the forecasting test: proper scores per question, realism and losses per session."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mensura.catalog.forecasting.bands import stated
from mensura.catalog.forecasting.calibration.correction import correct
from mensura.catalog.forecasting.calibration.loss import losses
from mensura.catalog.forecasting.calibration.quantity import band_coverage
from mensura.catalog.forecasting.calibration.realism import fit_realism, shrink
from mensura.catalog.forecasting.calibration.sheet import Block, Sheet
from mensura.catalog.forecasting.calibration.stance import read_stance
from mensura.catalog.forecasting.calibration.total import expected_total
from mensura.catalog.forecasting.calibration.verdict import judge
from mensura.dialogue import Answer, Items, Record, Scores
from mensura.scores.natural import natural
from mensura.scores.rule import rule

FLOOR = 0.01


def score(record: Record, truths: Mapping[str, Any]) -> Scores:
    """Score every forecast by the logarithm (with a floor) and the quadratic rule, and diagnose the session."""
    asked = [answer for answer in record.answers if answer.key in truths]
    shares = [answer for answer in asked if answer.kind in ("stakes", "distribution")]
    bands = [answer for answer in asked if answer.kind == "density"]
    values: dict[str, Items | float] = {}
    details: dict[str, Any] = {}
    if shares or not bands:
        _score_shares(shares, truths, values, details)
    if bands:
        _score_bands(bands, truths, record, values, details)
    return Scores(values, details)


def _score_shares(
    asked: Sequence[Answer], truths: Mapping[str, Any], values: dict[str, Items | float], details: dict[str, Any]
) -> None:
    keys = [answer.key for answer in asked]
    for name, each in (("logarithmic_score", rule("log", floor=FLOOR)), ("quadratic_score", rule("quadratic"))):
        numbers = np.full(len(asked), np.nan)
        for i, answer in enumerate(asked):
            if answer.status == "answered":
                outcome = list(answer.value).index(truths[answer.key])
                numbers[i] = each.score(forecast=list(answer.value.values()), outcome=outcome)
        values[name] = Items(numbers, keys)
    sheet = answer_sheet(asked, truths)
    if not len(sheet):
        return
    line = fit_realism(sheet)
    loss = losses(sheet, correct(sheet, line, floor=FLOOR).sheet)
    values |= {
        "realism_slope": line.a,
        "realism_intercept": line.b,
        "sorting_loss": loss.sorting,
        "perceived_information": loss.perceived_information,
        "actual_information": loss.actual_information,
        "tail_probability": expected_total(sheet, rule("log", floor=FLOOR)).tail,
    }
    stance = read_stance(sheet, line)
    shrunk = shrink(line)
    details |= {
        "labelling_loss": loss.labelling if np.isfinite(loss.labelling) else None,
        "bias": judge(line).bias,
        "bias_words": judge(line).words,
        "slope_error": None if np.isnan(line.a_se) else line.a_se,
        "slope_drawn_towards_one": shrunk.a,
        "game": stance.game,
        "game_words": stance.words,
    }


def answer_sheet(asked: Sequence[Answer], truths: Mapping[str, Any]) -> Sheet:
    """Make the sheet of the answers given, in blocks by number of alternatives."""
    rows: dict[int, list[tuple[list[float], int, int]]] = {}
    for number, answer in enumerate(asked):
        if answer.status == "answered" and truths.get(answer.key) is not None:
            stated = list(answer.value.values())
            outcome = list(answer.value).index(truths[answer.key])
            rows.setdefault(len(stated), []).append((stated, outcome, number))
    blocks = []
    for _, given in sorted(rows.items()):
        columns = [np.array(column) for column in zip(*given, strict=True)]
        blocks.append(Block(columns[0].astype(float), columns[1], columns[2]))
    return Sheet(tuple(blocks))


def _score_bands(
    asked: Sequence[Answer],
    truths: Mapping[str, Any],
    record: Record,
    values: dict[str, Items | float],
    details: dict[str, Any],
) -> None:
    """Score densities item by item, each in units of its own range, and count truths outside the stated band."""
    numbers: dict[str, Any] = {}
    lows, highs, outcomes = [], [], []
    claimed = float("nan")
    for i, answer in enumerate(asked):
        space = (record.content(answer.number) or {}).get("space")
        if answer.status != "answered" or space is None:
            continue
        truth = float(truths[answer.key])
        scored, (low, high), claimed = _band(space, answer.value, truth)
        for name, value in scored.items():
            numbers.setdefault(name, np.full(len(asked), np.nan))[i] = value
        lows.append(low)
        highs.append(high)
        outcomes.append(truth)
    keys = [answer.key for answer in asked]
    values |= {name: Items(each, keys) for name, each in numbers.items()}
    if outcomes:
        coverage = band_coverage(low=lows, high=highs, claimed=claimed, outcome=outcomes)
        outside = [float(not low <= y <= high) for low, high, y in zip(lows, highs, outcomes, strict=True)]
        values["outside_band"] = Items(outside, proportion=True)
        details["band_words"] = coverage.words


def _band(
    space: Mapping[str, Any], answer: Sequence[float], truth: float
) -> tuple[dict[str, float], tuple[float, float], float]:
    """Give the scores of one density in units of its range, the ends of its band, and what that claims to hold."""
    if space.get("bins"):
        edges = np.linspace(space["low"], space["high"], int(space["bins"]) + 1).tolist()
        said = stated(edges, answer, truth=truth)
        return said.losses(), said.band(), said.claimed
    width = space["high"] - space["low"]
    scored = natural("density", [answer], [truth], space=space)
    losses = {name: float(scored[name][0]) / width for name in ("crps_loss", "quantile_loss")}
    return losses, (answer[0], answer[-1]), space["levels"][-1] - space["levels"][0]
