"""`mensura score forecasting-appraisal`: a new report against what was believed, and Admiralty codes both ways."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mensura.errors import BadParameter

if TYPE_CHECKING:
    from mensura.catalog.forecasting.calibration.diagnosis import Diagnosis

FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("forecasting-appraisal")
@click.option("--believed", help="Probabilities before the report, parted by commas: 0.9,0.1.")
@click.option("--report", "said", help="Probabilities that the source gives.")
@click.option("--deception", help="What a channel known to deceive wants believed.")
@click.option("--forecasts", type=FILE, help="The source's record, with --outcomes and --source.")
@click.option("--outcomes", type=FILE, help="What came true of what is in --forecasts.")
@click.option("--source", help="Which forecaster of the record the report comes from.")
@click.option("--code", "codes", multiple=True, help="An Admiralty code such as B2, to be read.")
@click.option("--floor", type=float, default=0.01, show_default=True, help="Smallest probability the rule pays for.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def score(
    believed: str | None,
    said: str | None,
    deception: str | None,
    forecasts: Path | None,
    outcomes: Path | None,
    source: str | None,
    codes: tuple[str, ...],
    floor: float,
    as_json: bool,
) -> None:
    """Appraise a report against what was believed, H(p, q); flag reliable sources strongly at variance.

    \b
      mensura score forecasting-appraisal --believed 0.9,0.1 --report 0.2,0.8
      mensura score forecasting-appraisal --believed 0.9,0.1 --report 0.2,0.8 --forecasts F.csv --outcomes O.csv
      mensura score forecasting-appraisal --believed 0.3,0.7 --report 0.9,0.1 --deception 0.8,0.2
      mensura score forecasting-appraisal --code B2
    """
    from mensura.catalog.forecasting.files.strict import write_json

    if not codes and (believed is None or said is None):
        raise BadParameter("Give --believed and --report, or a --code to be read.")
    told: dict[str, Any] = {}
    if believed is not None and said is not None:
        record = _record(forecasts, outcomes, source)
        told = _appraised(_shares(believed), _shares(said), record, floor)
        if deception is not None:
            told["coherence"] = _coherence(_shares(said), _shares(deception), _shares(believed), floor)
    if codes:
        told["codes"] = [_meaning(code) for code in codes]
    if as_json:
        click.echo(write_json(told))
    else:
        _print(told)
    click.echo("Next: mensura score forecasting --forecasts F.csv --outcomes O.csv (a source's own record)", err=True)


def _shares(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise BadParameter(f"Probabilities are numbers parted by commas, as in 0.9,0.1; got {text!r}.") from None


def _record(forecasts: Path | None, outcomes: Path | None, source: str | None) -> "Diagnosis | None":
    if forecasts is None:
        return None
    from mensura.catalog.forecasting.files.scoring import read_files, score_book
    from mensura.errors import unknown

    found = {one.name: one for one in score_book(read_files(forecasts, outcomes), skip_bad=True).diagnoses}
    if source is None and len(found) == 1:
        return next(iter(found.values()))
    if source not in found:
        raise unknown("source", source or "", known=found, see=f"The record has {', '.join(list(found)[:10])}.")
    return found[source]


def _appraised(believed: list[float], said: list[float], record: "Diagnosis | None", floor: float) -> dict[str, Any]:
    from mensura.catalog.forecasting.use.admiralty import content_number, source_letter
    from mensura.catalog.forecasting.use.appraisal import appraise

    found = appraise(believed=believed, report=said, source=record, floor=floor)
    letter, number = source_letter(record), content_number(found)
    told: dict[str, Any] = {
        "appraisal": found.value,
        "share_of_certainty": found.share,
        "fit": found.fit,
        "reliable": found.reliable,
        "flag": found.flag,
        "admiralty": {"code": letter.code + number.code, "source": letter.words, "content": number.words},
    }
    if record is not None:
        line = record.realism
        told["source"] = {
            "name": record.name,
            "n": record.n,
            "realism": {"a": line.a, "b": line.b, "a_se": line.a_se, "b_se": line.b_se, "shrunk_a": record.shrunk.a},
            "words": record.verdict.words,
        }
    return told


def _coherence(said: list[float], deception: list[float], believed: list[float], floor: float) -> dict[str, Any]:
    from mensura.catalog.forecasting.use.appraisal import coherence

    found = coherence(report=said, deception=deception, all_channels=believed, floor=floor)
    return {
        "with_deception": found.with_deception,
        "with_all_channels": found.with_all,
        "suspicious": found.suspicious,
        "words": found.words,
    }


def _meaning(code: str) -> dict[str, Any]:
    from mensura.catalog.forecasting.use.admiralty import meaning

    letter, number = meaning(code)
    return {
        "code": letter.code + number.code,
        "source": letter.words,
        "realism_slope": {"low": letter.low, "high": letter.high},
        "content": number.words,
        "share_of_certainty": {"low": number.low, "high": number.high},
    }


def _print(told: dict[str, Any]) -> None:
    if "appraisal" in told:
        share = f"{told['share_of_certainty']:+.0%} of what certainty pays"
        click.echo(f"Appraisal H(p, q): {told['appraisal']:+.3f} nats ({share}): {told['fit']}.")
        if told["flag"]:
            click.echo(f"ATTENTION: {told['flag']}.")
        code = told["admiralty"]
        click.echo(f"Admiralty code: {code['code']} ({code['source']}; {code['content']}).")
        if "source" in told:
            click.echo(f"The source's own record, which the letter stands for: {told['source']['words']}")
        else:
            click.echo("The source has no record here; give --forecasts, --outcomes and --source.")
    if "coherence" in told:
        found = told["coherence"]
        numbers = f"{found['with_deception']:+.3f} nats with the deception, {found['with_all_channels']:+.3f} with all"
        click.echo(f"Coherence: {numbers}. {found['words']}")
    for one in told.get("codes", []):
        slope, share = (_range(one[name]) for name in ("realism_slope", "share_of_certainty"))
        click.echo(f"{one['code']}: {one['source']} (realism slope {slope}); {one['content']} (appraisal {share}).")


def _range(ends: dict[str, float]) -> str:
    low, high = ends["low"], ends["high"]
    if low != low:
        return "unknown"
    return (
        f"below {high:g}"
        if low == -float("inf")
        else f"{low:g} or more"
        if high == float("inf")
        else f"{low:g} to {high:g}"
    )
