"""`mensura score forecasting-quantities`: stated quantiles or probabilities of bins against what came."""

from pathlib import Path

import click

from mensura.exhibit import FileScores

FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("forecasting-quantities")
@click.option(
    "--forecasts",
    type=FILE,
    required=True,
    help="CSV or Parquet: forecaster,question,level,value; for bins forecaster,question,low,high,probability; [,time].",
)
@click.option("--outcomes", type=FILE, required=True, help="CSV or Parquet: question,outcome[,scale,resolved,closes].")
@click.option("--normalised", is_flag=True, help="Scale density scores of bins so that a flat density scores 0.")
@click.option(
    "--floor",
    type=float,
    default=0.0,
    show_default=True,
    help="Give each of n bins at least FLOOR/n of the probability for the logarithmic score.",
)
@click.option("--skip-bad", is_flag=True, help="Skip bad rows, count them, and score the rest.")
def score(forecasts: Path, outcomes: Path, normalised: bool, floor: float, skip_bad: bool) -> FileScores:
    """Score forecasts of quantities: CRPS, quantile, interval and density scores; coverage of bands; PIT.

    \b
      mensura score forecasting-quantities --forecasts Q.csv --outcomes V.csv
      mensura score forecasting-quantities --forecasts Q.csv --outcomes V.csv --report bands.html
    """
    from mensura.track_record.file_scores import quantity_scores
    from mensura.track_record.files.table import file_hashes
    from mensura.track_record.quantities.answer_file import read_quantities
    from mensura.track_record.quantities.forecast import Densities
    from mensura.track_record.quantities.scoring import score_quantities

    densities = Densities(normalised, floor)
    scored = score_quantities(read_quantities(forecasts, outcomes), skip_bad=skip_bad, densities=densities)
    return quantity_scores(scored, sources=file_hashes(forecasts, outcomes))
