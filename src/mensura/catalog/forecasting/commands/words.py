"""`mensura score forecasting-words`: probabilities to words and back, and how people read them."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from mensura.catalog.forecasting.use.kent import Chart, Spread

FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("forecasting-words")
@click.option("--probability", "probabilities", type=float, multiple=True, help="Say it in words.")
@click.option("--phrase", "phrases", multiple=True, help="Say which probabilities the words stand for.")
@click.option("--readings", type=FILE, help="CSV of phrase,probability: what people took from phrases.")
@click.option("--chart", "chart_file", type=FILE, help="CSV of low,high,phrase in place of the report's table 1.")
@click.option("--report", type=FILE, help="Write the readings and their picture to this HTML file.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def score(
    probabilities: tuple[float, ...],
    phrases: tuple[str, ...],
    readings: Path | None,
    chart_file: Path | None,
    report: Path | None,
    as_json: bool,
) -> None:
    """Translate probabilities to words and back, with the information lost; summarise how people read phrases.

    \b
      mensura score forecasting-words --probability 0.61 --phrase "It is probable that"
      mensura score forecasting-words --readings R.csv --report words.html
    """
    from mensura.catalog.forecasting.files.strict import write_json
    from mensura.catalog.forecasting.use.kent import kent_chart, read_readings, readings_spread

    chart = kent_chart(chart_file)
    told: dict[str, Any] = {
        "chart": [{"words": one.words, "low": one.low, "high": one.high} for one in chart.phrases],
        "probabilities": [_told(chart, value) for value in probabilities],
        "phrases": [vars_of(chart, words) for words in phrases],
    }
    spreads = readings_spread(read_readings(readings), chart=chart) if readings else []
    told["readings"] = [_spread(chart, spread) for spread in spreads]
    if as_json:
        click.echo(write_json(told))
    else:
        _print(told)
    if report:
        _write(spreads, chart, report)
    else:
        click.echo("Next: mensura score forecasting-words --readings R.csv --report words.html", err=True)


def _told(chart: "Chart", value: float) -> dict[str, Any]:
    phrase = chart.phrase(value)
    return {
        "probability": value,
        "words": phrase.words,
        "read_as": phrase.middle,
        "information_lost": float(chart.information_lost([value])[0]),
    }


def vars_of(chart: "Chart", words: str) -> dict[str, Any]:
    """Give the range that words stand for, and the most information they can lose within it."""
    phrase = chart.read(words)
    inside = [phrase.low + (phrase.high - phrase.low) * k / 100 for k in range(100)]
    lost = float(chart.information_lost(inside, read_as=phrase.middle).mean())
    return {"words": phrase.words, "low": phrase.low, "high": phrase.high, "mean_information_lost": lost}


def _spread(chart: "Chart", spread: "Spread") -> dict[str, Any]:
    meant = chart.find(spread.words)
    lost = None if meant is None else float(chart.information_lost([meant.middle], read_as=[spread.median])[0])
    return {
        "words": spread.words,
        "n": spread.n,
        "median": spread.median,
        "tenth": spread.low,
        "ninetieth": spread.high,
        "outside_the_chart": None if spread.outside is None else spread.outside.as_json(),
        "information_lost_by_the_median_reader": lost,
    }


def _print(told: dict[str, Any]) -> None:
    asked = any(told[name] for name in ("probabilities", "phrases", "readings"))
    for one in told["probabilities"]:
        lost = f"{one['information_lost']:.4f} nats lost where it is read as {one['read_as']:.0%}"
        click.echo(f"{one['probability']:g}: {one['words']} ... ({lost})")
    for one in told["phrases"]:
        lost = f"{one['mean_information_lost']:.4f} nats lost on average"
        click.echo(f"{one['words']} ...: from {one['low']:.0%} up to {one['high']:.0%} ({lost})")
    for one in told["readings"]:
        outside = one["outside_the_chart"]
        beside = "not on the chart" if outside is None else f"{outside['value']:.0%} read it outside the chart's range"
        ends = f"median {one['median']:.0%}, eight in ten from {one['tenth']:.0%} to {one['ninetieth']:.0%}"
        click.echo(f"{one['words']} ...: {ends}; {beside} (n = {one['n']})")
    for one in [] if asked else told["chart"]:
        click.echo(f"{one['low']:.0%} to {one['high']:.0%}: {one['words']} ...")


def _write(spreads: "list[Spread]", chart: "Chart", path: Path) -> None:
    from markupsafe import Markup

    from mensura.catalog.forecasting import figures
    from mensura.catalog.forecasting.report import draw
    from mensura.exhibit.look import as_svg

    picture = Markup(as_svg(figures.words_chart(spreads, chart))) if spreads else ""
    rows = [_spread(chart, spread) for spread in spreads]
    path.write_text(draw("words.html", chart=chart, rows=rows, picture=picture), encoding="utf-8")
    click.echo(f"The readings are in {path}.", err=True)
