"""`mensura score forecasting-words`: probabilities to words and back, and how people read them."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mensura.exhibit import Exhibit, FileScores, Group

if TYPE_CHECKING:
    from mensura.catalog.forecasting.phrase_readings.kent import KentChart

FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("forecasting-words")
@click.option("--probability", "probabilities", type=float, multiple=True, help="Put it in words.")
@click.option("--phrase", "phrases", multiple=True, help="Show which probabilities the words stand for.")
@click.option("--readings", type=FILE, help="CSV of phrase,probability: what people took from phrases.")
@click.option("--chart", "chart_file", type=FILE, help="CSV of low,high,phrase in place of the report's table 1.")
def score(
    probabilities: tuple[float, ...], phrases: tuple[str, ...], readings: Path | None, chart_file: Path | None
) -> FileScores:
    """Translate probabilities to words and back, with the information lost; summarise how people read phrases.

    \b
      mensura score forecasting-words --probability 0.61 --phrase "It is probable that"
      mensura score forecasting-words --readings R.csv --report words.html
    """
    from mensura.catalog.forecasting.phrase_readings.exhibits import reading_exhibits, spreads_of
    from mensura.catalog.forecasting.phrase_readings.kent import kent_chart
    from mensura.track_record.files.strict import strict
    from mensura.track_record.files.table import file_hashes

    chart = kent_chart(chart_file)
    groups = [_read(readings)] if readings else []
    told = {
        "chart": [{"words": one.words, "low": one.low, "high": one.high} for one in chart.phrases],
        "probabilities": [_worded(chart, value) for value in probabilities],
        "phrases": [_meant(chart, words) for words in phrases],
        "readings": [spread.as_json(chart) for group in groups for spread in spreads_of(group, chart)],
    }
    exhibits = [*reading_exhibits(groups, chart=chart), _charted(chart)]
    return FileScores(
        "Words for probabilities",
        _translated(told) or exhibits[0].words,
        groups=groups,
        exhibits=exhibits,
        sources=file_hashes(readings, chart_file),
        data=strict(told),
    )


def _read(path: Path) -> Group:
    from mensura.catalog.forecasting.phrase_readings.kent import read_readings
    from mensura.dialogue import Items, Scores

    readings = read_readings(path)
    items = Items([value for _, value in readings], [words for words, _ in readings])
    return Group(path.stem, "", {}, [Scores({"reading": items})])


def _worded(chart: "KentChart", value: float) -> dict[str, Any]:
    phrase = chart.phrase(value)
    return {
        "probability": value,
        "words": phrase.words,
        "read_as": phrase.middle,
        "information_lost": float(chart.information_lost([value])[0]),
    }


def _meant(chart: "KentChart", words: str) -> dict[str, Any]:
    """Return the range that words stand for, and the information they lose on average within it."""
    phrase = chart.read(words)
    inside = [phrase.low + (phrase.high - phrase.low) * k / 100 for k in range(100)]
    lost = float(chart.information_lost(inside, read_as=phrase.middle).mean())
    return {"words": phrase.words, "low": phrase.low, "high": phrase.high, "mean_information_lost": lost}


def _translated(told: dict[str, Any]) -> str:
    words = [
        f"{one['probability']:g}: {one['words']} ... ({one['information_lost']:.4f} nats lost where it is read as "
        f"{one['read_as']:.0%})."
        for one in told["probabilities"]
    ]
    words += [
        f"{one['words']} ...: from {one['low']:.0%} up to {one['high']:.0%} ({one['mean_information_lost']:.4f} nats "
        "lost on average)."
        for one in told["phrases"]
    ]
    return " ".join(words)


def _charted(chart: "KentChart") -> Exhibit:
    rows = [
        [one.words, f"{one.low:.0%}", f"{one.high:.0%}" if one.high > one.low else "itself"] for one in chart.phrases
    ]
    return Exhibit("The chart", "What each phrase stands for.", ["words", "from", "up to, without"], rows)
