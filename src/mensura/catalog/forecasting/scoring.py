"""Scoring of the forecasting test: proper scores per question, realism and losses per session."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

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
    names = ("crps_loss", "quantile_loss")
    numbers = {name: np.full(len(asked), np.nan) for name in names}
    lows, highs, outcomes = [], [], []
    claimed = float("nan")
    for i, answer in enumerate(asked):
        space = (record.content(answer.number) or {}).get("space")
        if answer.status != "answered" or space is None:
            continue
        width = space["high"] - space["low"]
        scored = natural("density", [answer.value], [truths[answer.key]], space=space)
        for name in names:
            numbers[name][i] = scored[name][0] / width
        lows.append(answer.value[0])
        highs.append(answer.value[-1])
        outcomes.append(truths[answer.key])
        claimed = space["levels"][-1] - space["levels"][0]
    keys = [answer.key for answer in asked]
    values |= {name: Items(each, keys) for name, each in numbers.items()}
    if outcomes:
        coverage = band_coverage(low=lows, high=highs, claimed=claimed, outcome=outcomes)
        outside = [float(not low <= y <= high) for low, high, y in zip(lows, highs, outcomes, strict=True)]
        values["outside_band"] = Items(outside, proportion=True)
        details["band_words"] = coverage.words
