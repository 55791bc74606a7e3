"""Exhibits of forecasters: one set for files, ledgers, runs, comparisons and studies."""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from math import isnan

from mensura.exhibit import Exhibit, Figure
from mensura.exhibit.exhibit import Cell
from mensura.scores.rule import rule
from mensura.stats.wording import times
from mensura.track_record import figures
from mensura.track_record.calibration.diagnosis import Diagnosis, DiagnosisOptions
from mensura.yaml_file import parse_yaml

WORDING: dict[str, str] = parse_yaml((files(__package__) / "wording.yaml").read_text(encoding="utf-8"), "wording.yaml")
SHOWN = 60
"""The number of forecasters in tables: the best."""
DRAWN = 40
PICTURED = 12
"""The number of forecasters with pictures: those with the most questions."""


def forecaster_exhibits(
    diagnoses: Sequence[Diagnosis], *, options: DiagnosisOptions, words: Mapping[str, str] | None = None
) -> list[Exhibit]:
    """Show who scores how much, what the losses are made of, each forecaster, and what the method cannot promise.

    `words` are what more is to be said of a forecaster, by name.
    """
    best = sorted(diagnoses, key=lambda one: (-one.score.value, one.name))
    pictured = sorted(sorted(best, key=lambda one: -one.n)[:PICTURED], key=best.index)
    own = [_one(diagnosis, (words or {}).get(diagnosis.name, "")) for diagnosis in pictured]
    return [_scores(best, options), _losses(best), *own, _method(options)]


def _scores(best: Sequence[Diagnosis], options: DiagnosisOptions) -> Exhibit:
    timed = any(not isnan(one.coverage) for one in best)
    columns = ["forecaster", "n", "score", "ROC area", "lower tail", *(["coverage"] if timed else [])]
    rows: list[Sequence[Cell]] = [
        (one.name, one.n, one.score, one.discrimination.area, one.total.tail, *([one.coverage] if timed else []))
        for one in best[:SHOWN]
    ]
    improper = "" if options.rule.proper else " (improper)"
    words = WORDING["scores"].format(rule=f"{options.rule.name}{improper}")
    if len(best) > SHOWN:
        words += f" {len(best) - SHOWN} more are not shown; --json gives all."
    chart = Figure(lambda: figures.score_chart(best[:DRAWN]), "Mean payoff per question; the dashed line is ignorance.")
    return Exhibit("Who scores how much", words, columns, rows, [chart])


def _losses(best: Sequence[Diagnosis]) -> Exhibit:
    columns = ["forecaster", "realism a", "b", "labelling loss", "sorting loss", "perceived", "actual"]
    rows = [
        (
            one.name,
            None if isnan(one.realism.a) else one.realism.slope,
            one.realism.b,
            one.loss.labelling,
            one.loss.sorting,
            one.loss.perceived_information,
            one.loss.actual_information,
        )
        for one in best[:SHOWN]
    ]
    charts = [
        Figure(
            lambda: figures.loss_chart(best[:DRAWN]),
            "Distance from certainty: labelling is what bias costs, sorting what ignorance costs.",
        ),
        Figure(
            lambda: figures.information_chart(best),
            "Below the line less is known than is claimed (overvaluing), above it more (undervaluing).",
        ),
    ]
    return Exhibit("Realism, and what the loss is made of", WORDING["losses"], columns, rows, charts)


def _one(one: Diagnosis, more: str) -> Exhibit:
    error = f"; error at most {one.total.error:.2g}" if one.total.error else ""
    words = [
        one.verdict.words,
        more,
        f"What happened had been given probability zero {times(one.impossible)}." if one.impossible else "",
        "" if isnan(one.total.tail) else f"Lower tail {one.total.tail:.3g} ({one.total.method}{error}).",
        f"Corrected against stated: {one.loss.log_likelihood_ratio:.3g} nats of log-likelihood by the line, a "
        f"labelling loss of {one.monotone.labelling:.3g} by the isotonic curve.",
        f"Quadratic loss: miscalibration {one.corp.miscalibration:.3g}, discrimination {one.corp.discrimination:.3g}, "
        f"uncertainty {one.corp.uncertainty:.3g}.",
    ]
    charts = [
        Figure(
            lambda: figures.validity_chart(one.calibrated.points(), line=one.realism, title="External validity"),
            "Frequency against stated probability: dots with their number of questions and Wilson intervals, grey bars "
            "where a realist's dot lies 95 times in 100, the realism function in blue, the isotonic curve in green.",
        ),
        Figure(
            lambda: figures.discrimination_chart(one, title="Discrimination"),
            "Stated probabilities of what happened and of what did not.",
        ),
    ]
    if len(one.total.curve[0]) > 1:
        title = "Total score expected, and the one that came"
        charts.append(Figure(lambda: figures.total_chart(one.total, title=title), f"{title}."))
    return Exhibit(one.name, " ".join(filter(None, words)), figures=charts)


def _method(options: DiagnosisOptions) -> Exhibit:
    rules = {name: rule(name, normalised=True) for name in ("log", "quadratic")} | {"absolute": rule("absolute")}
    chart = Figure(
        lambda: figures.gain_chart(rules),
        "Expected gain of an honest forecaster with two alternatives, scaled so that certainty is 1.",
    )
    words = WORDING["method"].format(floor=options.floor, ceiling=1 - options.floor)
    return Exhibit("How to read this, and why these rules", words, figures=[chart])
