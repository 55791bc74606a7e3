"""Scores files of hypotheses against a file of references: all that `mensura score detection` does, in one call."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mensura.catalog.detection.hypotheses.measures.alerts import AlertScore, score_alerts
from mensura.catalog.detection.hypotheses.measures.evidence import Part, split_by_evidence
from mensura.catalog.detection.hypotheses.measures.intervals import Advantage, difference
from mensura.catalog.detection.hypotheses.measures.metrics import known
from mensura.catalog.detection.hypotheses.options import ScoringOptions
from mensura.catalog.detection.hypotheses.result import Scoring
from mensura.catalog.detection.hypotheses.scorer import score_hypotheses
from mensura.catalog.detection.hypotheses.specification import Specification
from mensura.catalog.detection.hypotheses.specification_file import read_specification
from mensura.catalog.detection.hypotheses.things import Things, read_things


@dataclass(frozen=True, slots=True)
class Files:
    """Where everything stands; what is None is not asked for.

    `against` is a second detector's hypotheses, `evidence` the cases already in evidence, taken as hypotheses for a
    baseline, and `alerts` hypotheses with a `submitted` date.
    """

    specification: str | Path
    reference: str | Path
    hypotheses: str | Path
    against: str | Path | None = None
    evidence: str | Path | None = None
    alerts: str | Path | None = None


@dataclass(frozen=True, slots=True)
class FileScore:
    """Scores of the hypotheses, and of whatever else was given, by type."""

    score: Scoring
    against: Scoring | None = None
    differences: dict[str, Advantage] = field(default_factory=dict)
    evidence: Scoring | None = None
    over_evidence: dict[str, Advantage] = field(default_factory=dict)
    parts: dict[str, dict[str, Part]] = field(default_factory=dict)
    alerts: dict[str, AlertScore] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Give everything as JSON; what was not asked for is absent."""
        content = self.score.as_json()
        types = content["types"]
        if self.against is not None:
            other = self.against.as_json()["types"]
            for name, body in types.items():
                body["against"] = other[name] | {"pairs": len(other[name]["pairs"])}
                body["difference"] = _difference(self.differences.get(name))
        if self.evidence is not None:
            baseline = self.evidence.as_json()["types"]
            for name, body in types.items():
                body["evidence"] = {key: baseline[name][key] for key in ("precision", "recall", "f", "nacc")}
                body["over_evidence"] = _difference(self.over_evidence.get(name))
                body["by_evidence"] = {state: part.as_json() for state, part in self.parts[name].items()}
        for name, alerts in self.alerts.items():
            types[name]["alerts"] = alerts.as_json()
        return content


def score_files(files: Files, *, options: ScoringOptions | None = None) -> FileScore:
    """Read the files and score them."""
    options = options or ScoringOptions()
    specification = read_specification(files.specification)
    reference = read_things(files.reference, specification=specification)
    hypotheses = read_things(files.hypotheses, specification=specification)
    score = score_hypotheses(specification, reference=reference, hypotheses=hypotheses, options=options)
    against = _also(files.against, specification, reference, options)
    evidence = _also(files.evidence, specification, reference, options)
    alerts: dict[str, AlertScore] = {}
    if files.alerts is not None:
        given = read_things(files.alerts, specification=specification)
        alerts = score_alerts(specification, reference=reference, alerts=given, options=options)
    return FileScore(
        score=score,
        against=against,
        differences=_differences(score, against, options),
        evidence=evidence,
        over_evidence=_differences(score, evidence, options),
        parts=split_by_evidence(score, evidence=evidence) if evidence else {},
        alerts=alerts,
    )


def compiled_before() -> bool:
    """Say whether the inner loops were compiled on this machine before, as far as can be seen."""
    from os import environ

    place = environ.get("NUMBA_CACHE_DIR") or Path(__file__).parent / "__pycache__"
    return any(Path(place).glob("**/searching.*.nbi"))


def _also(
    path: str | Path | None, specification: Specification, reference: Things, options: ScoringOptions
) -> Scoring | None:
    if path is None:
        return None
    things = read_things(path, specification=specification)
    return score_hypotheses(specification, reference=reference, hypotheses=things, options=options)


def _differences(score: Scoring, other: Scoring | None, options: ScoringOptions) -> dict[str, Advantage]:
    if other is None:
        return {}
    found = {}
    for name, first in score.types.items():
        size = len(first.reference_uids)
        if size:
            found[name] = difference(first.units, other.types[name].units, references=size, resamples=options.resamples)
    return found


def _difference(found: Advantage | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {"p": known(found.p), **{name: estimate.as_json() for name, estimate in found.differences.items()}}
