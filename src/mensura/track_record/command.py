"""`mensura score forecasting`: files of forecasts and outcomes to scores, realism and what may be said."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from mensura.errors import BadParameter
from mensura.exhibit import FileScores

EXISTING = click.Path(path_type=Path, dir_okay=False)


@click.command("forecasting")
@click.option(
    "--forecasts",
    type=EXISTING,
    required=True,
    help="CSV or Parquet: forecaster,question,option,probability[,time]; or probability,outcome alone, also with "
    "forecaster, question and time.",
)
@click.option("--outcomes", type=EXISTING, help="CSV or Parquet: question,outcome[,opened,closes,resolved].")
@click.option(
    "--rule",
    "rule_name",
    default="log",
    show_default=True,
    help="log, quadratic, spherical, absolute (improper) or phi:FORMULA in u.",
)
@click.option(
    "--floor",
    type=float,
    default=None,
    help="Smallest probability the logarithm pays for; also the floor of corrected values (0.01 if not given).",
)
@click.option("--normalised", is_flag=True, help="Scale payoffs so that certainty pays 1.")
@click.option(
    "--every", type=float, help="Distance of the scheduled moments of calibration, in days or the file's unit."
)
@click.option("--skip-bad", is_flag=True, help="Skip bad rows, count them, and score the rest.")
@click.option("--scores-only", is_flag=True, help="Give the scores and nothing else: no calibration, no tail.")
@click.option("--compare", is_flag=True, help="Compare forecasters on equal terms, and ways of pooling them.")
@click.option(
    "--by",
    multiple=True,
    type=click.Choice(["area", "topic", "echelon", "time"]),
    help="Track record by columns area or topic of the outcomes, by column echelon of the forecasts, or over time.",
)
@click.option("--length", type=float, help="Length of the periods of --by time, in days or the file's unit.")
@click.option(
    "--publish",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the track record alone, without questions, sources or forecasters, to this .html or .json file.",
)
@click.option("--periods", type=click.IntRange(2), help="Test whether bias persists over this many periods.")
def score(
    forecasts: Path,
    outcomes: Path | None,
    rule_name: str,
    floor: float | None,
    normalised: bool,
    every: float | None,
    skip_bad: bool,
    scores_only: bool,
    publish: Path | None,
    **further: Any,
) -> FileScores:
    """Score forecasts against outcomes: proper scores, realism, labelling and sorting loss, information, tail.

    \b
      mensura score forecasting --forecasts F.csv --outcomes O.csv --rule quadratic --json
      mensura score forecasting --forecasts binary.csv --report report.html
    """
    from mensura.track_record.calibration.diagnosis import DiagnosisOptions
    from mensura.track_record.file_scores import forecast_scores, plain_scores, published
    from mensura.track_record.files.scoring import left_out, look_further, read_files, score_book, score_only
    from mensura.track_record.files.table import file_hashes

    options = DiagnosisOptions.named(rule_name, floor=floor, normalised=normalised)
    if scores_only and (every or publish or any(further.values())):
        raise BadParameter("--scores-only gives scores alone: leave out --every, --publish and further analyses.")
    book = read_files(forecasts, outcomes)
    if scores_only:
        scores, sources = score_only(book, options, skip_bad=skip_bad), file_hashes(forecasts, outcomes)
        return plain_scores(scores, remarks=left_out(book), sources=sources)
    scored = score_book(book, options=options, skip_bad=skip_bad, every=every)
    if publish and not further["by"]:
        raise BadParameter("Say what the track record goes by: --by area, topic, echelon or time.")
    look_further(scored, book, **further)
    found = forecast_scores(scored, sources=file_hashes(forecasts, outcomes))
    return replace(found, also=published(scored.record, publish)) if publish and scored.record else found


@click.command("forecasting")
@click.option("--questions", type=click.IntRange(1), default=200, show_default=True, help="How many questions.")
@click.option("--revisions", type=click.IntRange(1, 30), default=3, show_default=True, help="Forecasts on each.")
@click.option("--seed", type=int, help="Make it repeatable.")
@click.option("--to", "folder", type=click.Path(path_type=Path), required=True, help="Folder for the two files.")
def generate(questions: int, revisions: int, seed: int | None, folder: Path) -> None:
    """Write simulated forecasts and outcomes of five forecasters whose bias is known, to try the scorer on."""
    import numpy as np

    from mensura.track_record.files.simulation import simulate

    forecasts, outcomes = simulate(np.random.default_rng(seed), folder, questions=questions, revisions=revisions)
    click.echo(f"Simulated forecasts are in {forecasts}, outcomes in {outcomes}.", err=True)
    click.echo(f"Next: mensura score forecasting --forecasts {forecasts} --outcomes {outcomes}", err=True)
