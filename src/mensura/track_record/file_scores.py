"""Scores of files and ledgers of forecasts, in the form that reports and terminal show."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from mensura.dialogue import Score, Scores
from mensura.exhibit import FileScores, Group
from mensura.stats import Estimate
from mensura.track_record.exhibits import SHOWN, forecaster_exhibits
from mensura.track_record.files.scoring import Scored
from mensura.track_record.files.strict import strict
from mensura.track_record.quantities.exhibits import quantity_exhibits
from mensura.track_record.quantities.scoring import ScoredQuantities, declared_loss
from mensura.track_record.skill import TrackRecord
from mensura.track_record.summary import in_short


def forecast_scores(
    scored: Scored, *, quantities: ScoredQuantities | None = None, sources: Mapping[str, str] | None = None
) -> FileScores:
    """Put scored forecasters into the form of file scores; with forecasts of quantities, where there are some."""
    words = {name: found.words for name, found in scored.persistence.items()}
    exhibits = scored.together.exhibits() if scored.together is not None else []
    exhibits += forecaster_exhibits(scored.diagnoses, options=scored.options, words=words)
    exhibits += scored.record.exhibits() if scored.record is not None else []
    exhibits += scored.timelines
    exhibits += quantity_exhibits(quantities.diagnoses) if quantities is not None else []
    data = scored.as_json() | ({} if quantities is None else {"quantities": quantities.as_json()})
    best = sorted(scored.diagnoses, key=lambda one: (-one.score.value, one.name))[:SHOWN]
    return FileScores(
        "Forecasters: scores and calibration",
        "\n".join(in_short(scored)),
        [Score("score", better="more", label=f"score by the rule {scored.options.rule.name}")],
        [Group(one.name, "", {}, [Scores({"score": one.score.value})], estimates={"score": one.score}) for one in best],
        exhibits,
        scored.remarks(),
        sources or {},
        strict(data),
    )


def plain_scores(
    scores: Mapping[str, Mapping[str, Estimate]], *, remarks: Sequence[str], sources: Mapping[str, str]
) -> FileScores:
    """Put scores without calibration into the form of file scores."""
    names = list(next(iter(scores.values()), {}))
    groups = [Group(who, "", {}, [], estimates=dict(own)) for who, own in scores.items()]
    best = [f"{who} {next(iter(own.values()))}" for who, own in list(scores.items())[:3]]
    answer = f"{names[0]}: {', '.join(best)}" if best else "No forecast stood for any time before resolution."
    declared = [Score(name, better="more") for name in names]
    return FileScores("Forecasters: scores", answer, declared, groups, [], list(remarks), sources)


def quantity_scores(scored: ScoredQuantities, *, sources: Mapping[str, str] | None = None) -> FileScores:
    """Put scored forecasters of quantities into the form of file scores."""
    return FileScores(
        "Forecasts of quantities",
        "\n".join(f"{one.name}: {one.words}" for one in scored.diagnoses[:3]),
        [declared_loss(name) for name in scored.names],
        [Group(one.name, "", {}, [], estimates=one.losses) for one in scored.diagnoses],
        quantity_exhibits(scored.diagnoses),
        scored.remarks(),
        sources or {},
        strict(scored.as_json()),
    )


def published(record: TrackRecord, path: Path) -> Mapping[Path, FileScores]:
    """Return the track record alone to be written to a file: no question, source or forecaster is named in it."""
    words = (
        f"{record.questions} questions, each counted once by the mean of those who forecast it. Labels with fewer than "
        "ten questions are not told."
    )
    data = {"rule": record.rule, "questions": record.questions, "track_record": record.as_json()}
    return {path: FileScores("Track record", words, exhibits=record.exhibits(), data=strict(data))}
