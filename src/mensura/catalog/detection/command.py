"""`mensura score detection`: files of hypotheses against a file of references; and `mensura generate detection`."""

from pathlib import Path
from typing import Any

import click

from mensura.catalog.detection.generating import generate
from mensura.console import say
from mensura.errors import BadParameter
from mensura.exhibit import FileScores

__all__ = ["generate", "score"]

FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("detection")
@click.option("--spec", required=True, help="YAML specification, or counter-terrorism or network-intrusion.")
@click.option("--reference", type=FILE, required=True, help="JSONL of reference objects, the answer key.")
@click.option("--hypotheses", type=FILE, required=True, help="JSONL of hypothesised objects.")
@click.option("--against", type=FILE, help="JSONL of a second detector's hypotheses, compared on the same truth.")
@click.option("--evidence", type=FILE, help="JSONL of the cases in evidence, scored as a baseline.")
@click.option("--alerts", type=FILE, help="JSONL of hypotheses with a `submitted` date, scored for timeliness.")
@click.option("--threshold", multiple=True, metavar="T", help="Lowest F of a pair: 0.5, or Type=0.5; may be repeated.")
@click.option(
    "--pairing",
    "pairs",
    type=click.Choice(["optimal", "greedy", "many-to-one", "many-to-many"]),
    default="optimal",
    show_default=True,
    help="How pairs are chosen.",
)
@click.option(
    "--by", type=click.Choice(["f", "recall", "cost"]), default="f", show_default=True, help="What pairing maximises."
)
@click.option("--nested", type=click.Choice(["global", "local"]), help="Pair nested cases globally or in context.")
@click.option("--reading", type=click.Choice(["smooth", "crisp"]), help="Read nested pairs by score or as 0 and 1.")
@click.option("--aliases", type=click.Choice(["classes", "reference"]), help="Score aliases, or let the key decide.")
@click.option("--force-uids/--free-uids", "force", default=None, help="Pair equal identifiers by force, or not at all.")
@click.option("--weight", multiple=True, metavar="TYPE.ATTRIBUTE=W", help="Replace a weight; 0 leaves it out.")
@click.option("--area", type=click.Choice(["step", "trapezoid"]), default="step", help="How the curve is joined.")
@click.option("--resamples", type=click.IntRange(0), default=1000, show_default=True, help="Bootstrap samples.")
@click.option("--repair", is_flag=True, help="Pair every bootstrap sample again.")
def score(spec: str, **given: Any) -> FileScores:
    """Score structured hypotheses against an answer key: object-oriented precision, recall, F, cost.

    \b
      mensura score detection --spec S.yaml --reference R.jsonl --hypotheses H.jsonl --json
      mensura score detection --spec counter-terrorism --reference R.jsonl --hypotheses H.jsonl --report out.html
    """
    from mensura.catalog.detection.hypotheses.files import Files, compiled_before, score_files
    from mensura.catalog.detection.hypotheses.options import ScoringOptions

    files = Files(spec, *(given.pop(name) for name in ("reference", "hypotheses", "against", "evidence", "alerts")))
    options = ScoringOptions(
        threshold=_thresholds(given.pop("threshold")),
        weights=dict(_assignment(each, "--weight Attack.date=0") for each in given.pop("weight")),
        **given,
    )
    if not compiled_before():
        say("Compiling the comparison for this machine, once; later runs start at once.")
    return score_files(files, options=options)


def _thresholds(given: tuple[str, ...]) -> float | dict[str, float] | None:
    if not given:
        return None
    if len(given) == 1 and "=" not in given[0]:
        return _number(given[0], "--threshold 0.5")
    return dict(_assignment(each, "--threshold Attack=0.5") for each in given)


def _assignment(text: str, example: str) -> tuple[str, float]:
    name, sign, value = text.partition("=")
    if not sign:
        raise BadParameter(f"A name and a number are expected, as in {example}; got {text!r}.")
    return name, _number(value, example)


def _number(text: str, example: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise BadParameter(f"A number is expected, as in {example}; got {text!r}.") from None
