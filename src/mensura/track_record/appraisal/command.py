"""`mensura score forecasting-appraisal`: a new report against what was believed, and Admiralty codes both ways."""

from math import isfinite, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mensura.errors import BadParameter
from mensura.exhibit import Exhibit, FileScores

if TYPE_CHECKING:
    from mensura.track_record.calibration.diagnosis import Diagnosis

FILE = click.Path(path_type=Path, dir_okay=False)


def _shares(context: click.Context, parameter: click.Parameter, text: str | None) -> list[float] | None:
    try:
        shares = None if text is None else [float(part) for part in text.split(",")]
    except ValueError:
        shares = [nan]
    if shares is not None and not all(map(isfinite, shares)):
        raise BadParameter(f"Probabilities are numbers separated by commas, as in 0.9,0.1; got {text!r}.")
    return shares


@click.command("forecasting-appraisal")
@click.option("--believed", callback=_shares, help="Probabilities before the report, separated by commas: 0.9,0.1.")
@click.option("--said", callback=_shares, help="Probabilities that the source gives in its report.")
@click.option("--deception", callback=_shares, help="What a channel known to deceive wants believed.")
@click.option("--forecasts", type=FILE, help="The source's record, with --outcomes and --source.")
@click.option("--outcomes", type=FILE, help="What came true of what is in --forecasts.")
@click.option("--source", help="Which forecaster of the record the report comes from.")
@click.option("--code", "codes", multiple=True, help="An Admiralty code such as B2, to be read.")
@click.option("--floor", type=float, default=0.01, show_default=True, help="Smallest probability the rule pays for.")
def score(
    believed: list[float] | None,
    said: list[float] | None,
    deception: list[float] | None,
    forecasts: Path | None,
    outcomes: Path | None,
    source: str | None,
    codes: tuple[str, ...],
    floor: float,
) -> FileScores:
    """Appraise a report against what was believed, H(p, q); flag reliable sources strongly at variance.

    \b
      mensura score forecasting-appraisal --believed 0.9,0.1 --said 0.2,0.8
      mensura score forecasting-appraisal --believed 0.9,0.1 --said 0.2,0.8 --forecasts F.csv --outcomes O.csv
      mensura score forecasting-appraisal --believed 0.3,0.7 --said 0.9,0.1 --deception 0.8,0.2
      mensura score forecasting-appraisal --code B2
    """
    from mensura.track_record.files.strict import strict

    if not codes and (believed is None or said is None):
        raise BadParameter("Give --believed and --said, or a --code to be read.")
    told: dict[str, Any] = {}
    answer, exhibits = "", []
    if believed is not None and said is not None:
        told, answer = _appraised(believed, said, _record(forecasts, outcomes, source), floor)
        if deception is not None:
            told["coherence"], words = _coherence(said, deception, believed, floor)
            exhibits.append(Exhibit("Coherence", words))
    if codes:
        told["codes"] = [_meaning(code) for code in codes]
        exhibits.append(_read(told["codes"]))
    return FileScores("Appraisal", answer or exhibits[0].words, exhibits=exhibits, data=strict(told))


def _record(forecasts: Path | None, outcomes: Path | None, source: str | None) -> "Diagnosis | None":
    if forecasts is None:
        return None
    from mensura.errors import unknown
    from mensura.track_record.files.scoring import read_files, score_book

    found = {one.name: one for one in score_book(read_files(forecasts, outcomes), skip_bad=True).diagnoses}
    if source is None and len(found) == 1:
        return next(iter(found.values()))
    if source not in found:
        raise unknown("source", source or "", known=found, see=f"The record has {', '.join(list(found)[:10])}.")
    return found[source]


def _appraised(
    believed: list[float], said: list[float], record: "Diagnosis | None", floor: float
) -> tuple[dict[str, Any], str]:
    from mensura.track_record.appraisal.admiralty import content_number, source_letter
    from mensura.track_record.appraisal.appraisal import appraise

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
    words = f"Appraisal H(p, q): {found.value:+.3f} nats ({found.share:+.0%} of what certainty pays): {found.fit}."
    words += f" ATTENTION: {found.flag}." if found.flag else ""
    words += f" Admiralty code: {letter.code}{number.code} ({letter.words}; {number.words})."
    if record is None:
        return told, f"{words} The source has no record here; give --forecasts, --outcomes and --source."
    line = record.realism
    told["source"] = {
        "name": record.name,
        "n": record.n,
        "realism": {"a": line.a, "b": line.b, "a_se": line.a_se, "b_se": line.b_se, "shrunk_a": record.shrunk.a},
        "words": record.verdict.words,
    }
    return told, f"{words} The source's own record, which the letter stands for: {record.verdict.words}"


def _coherence(
    said: list[float], deception: list[float], believed: list[float], floor: float
) -> tuple[dict[str, Any], str]:
    from mensura.track_record.appraisal.appraisal import coherence

    found = coherence(report=said, deception=deception, all_channels=believed, floor=floor)
    told = {
        "with_deception": found.with_deception,
        "with_all_channels": found.with_all,
        "suspicious": found.suspicious,
        "words": found.words,
    }
    numbers = f"{found.with_deception:+.3f} nats with the deception, {found.with_all:+.3f} with all"
    return told, f"{numbers}. {found.words}"


def _meaning(code: str) -> dict[str, Any]:
    from mensura.track_record.appraisal.admiralty import meaning

    letter, number = meaning(code)
    return {
        "code": letter.code + number.code,
        "source": letter.words,
        "realism_slope": {"low": letter.low, "high": letter.high},
        "content": number.words,
        "share_of_certainty": {"low": number.low, "high": number.high},
    }


def _read(codes: list[dict[str, Any]]) -> Exhibit:
    rows = []
    for one in codes:
        slope, share = _range(**one["realism_slope"]), _range(**one["share_of_certainty"])
        rows.append((one["code"], one["source"], slope, one["content"], share))
    words = "; ".join(f"{row[0]}: {row[1]}, {row[3]}" for row in rows)
    columns = ["code", "source", "realism slope", "content", "appraisal, share of certainty"]
    return Exhibit("What the codes stand for", f"{words}.", columns, rows)


def _range(low: float, high: float) -> str:
    if low != low:
        return "unknown"
    if low == -float("inf"):
        return f"below {high:g}"
    return f"{low:g} or more" if high == float("inf") else f"{low:g} to {high:g}"
