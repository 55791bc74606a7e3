"""`mensura score forecasting-quantities`: stated quantiles or probabilities of bins against what came."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from mensura.catalog.forecasting.quantities.scoring import ScoredQuantities

FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("forecasting-quantities")
@click.option(
    "--forecasts",
    type=FILE,
    required=True,
    help="CSV or Parquet: forecaster,question,level,value; or forecaster,question,low,high,probability for bins.",
)
@click.option("--outcomes", type=FILE, required=True, help="CSV or Parquet: question,outcome[,scale].")
@click.option("--skip-bad", is_flag=True, help="Score the rest where rows are bad, and count them.")
@click.option("--resamples", type=click.IntRange(1), default=1000, show_default=True, help="Bootstrap resamples.")
@click.option("--report", type=FILE, help="Write the pictures to this HTML file.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def score(forecasts: Path, outcomes: Path, skip_bad: bool, resamples: int, report: Path | None, as_json: bool) -> None:
    """Score forecasts of quantities: CRPS, quantile, interval and density scores; coverage of bands; PIT.

    \b
      mensura score forecasting-quantities --forecasts Q.csv --outcomes V.csv
      mensura score forecasting-quantities --forecasts Q.csv --outcomes V.csv --report bands.html
    """
    from mensura.catalog.forecasting.files.strict import write_json
    from mensura.catalog.forecasting.quantities.reading import read_quantities
    from mensura.catalog.forecasting.quantities.scoring import score_quantities

    scored = score_quantities(read_quantities(forecasts, outcomes), skip_bad=skip_bad, draws=resamples)
    if as_json:
        click.echo(write_json(scored.as_json()))
    else:
        print_quantities(scored)
    for row in scored.bad[:20]:
        click.echo(f"skipped: {row}", err=True)
    for note in scored.notes:
        click.echo(f"note: {note}", err=True)
    if report:
        from mensura.catalog.forecasting.quantities.report import write_quantities

        write_quantities(scored, report)
        click.echo(f"The pictures are in {report}.", err=True)
    else:
        files = f"--forecasts {forecasts} --outcomes {outcomes}"
        click.echo(f"Next: mensura score forecasting-quantities {files} --report bands.html", err=True)


def print_quantities(scored: "ScoredQuantities") -> None:
    """Print one line per forecaster and one sentence on each one's bands."""
    from rich.console import Console
    from rich.table import Table

    console = Console(width=None if sys.stdout.isatty() else 160)
    names = list(dict.fromkeys(name for one in scored.diagnoses for name in one.losses))
    table = Table(title="Forecasts of quantities: means with 95 % intervals")
    for heading in ("forecaster", "n", *(name.replace("_", " ") for name in names), "outside the band", "claimed"):
        table.add_column(heading, justify="left" if heading == "forecaster" else "right")
    for one in scored.diagnoses:
        losses = [_cell(one.losses[name]) if name in one.losses else "" for name in names]
        outside = one.coverage.outside
        share = f"{100 * outside.value:.3g} % [{100 * outside.low:.3g}, {100 * outside.high:.3g}]"
        table.add_row(one.name, str(one.n), *losses, share, f"{100 * (1 - one.coverage.claimed):.3g} %")
    console.print(table)
    for one in scored.diagnoses:
        console.print(f"{one.name}: {one.words}", highlight=False, markup=False)
        if one.forms:
            best = ", ".join(f"{form} {count}" for form, count in one.forms.items())
            words = f"  Forms that fit the bins best: {best}; they lose {one.misfit:.3g} nats on average."
            console.print(words, highlight=False, markup=False)


def _cell(estimate: object) -> str:
    value, low, high = (getattr(estimate, name) for name in ("value", "low", "high"))
    return f"{value:.3g}" if low != low else f"{value:.3g} [{low:.3g}, {high:.3g}]"
