"""Scores files of hypotheses against a file of references: all that `mensura score detection` does, in one call."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from hashlib import sha256
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from mensura.catalog.detection.hypotheses import exhibits
from mensura.catalog.detection.hypotheses.measures.alerts import score_alerts
from mensura.catalog.detection.hypotheses.measures.evidence import split_by_evidence
from mensura.catalog.detection.hypotheses.measures.intervals import Advantage, difference
from mensura.catalog.detection.hypotheses.measures.metrics import known, known_fields
from mensura.catalog.detection.hypotheses.options import ScoringOptions
from mensura.catalog.detection.hypotheses.result import Scoring, TypeScore
from mensura.catalog.detection.hypotheses.scorer import score_hypotheses
from mensura.catalog.detection.hypotheses.specification_file import read_specification
from mensura.catalog.detection.hypotheses.things import Things, read_things
from mensura.dialogue import Score, Scores
from mensura.errors import BadFile
from mensura.exhibit import FileScores, Group, cell_words

TITLES = {"against": "Against the second detector", "evidence": "Against evidence taken as hypotheses"}
F = Score("f", better="more", low=0, high=1, label="F")


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


def score_files(files: Files, *, options: ScoringOptions | None = None) -> FileScores:
    """Read the files and score them."""
    options = options or ScoringOptions()
    specification = read_specification(files.specification)
    reference = read_things(files.reference, specification=specification)

    def read(path: str | Path) -> Things:
        things = read_things(path, specification=specification)
        places = {
            style: f"{each.source}, line {line}" for each in (things, reference) for style, line in each.dates.items()
        }
        if len(places) > 1:
            written = " and ".join(f"{style} ({place})" for style, place in places.items())
            raise BadFile(f"Dates are written as {written}, which cannot be compared. Write all of them in one way.")
        return things

    def scored(path: str | Path) -> Scoring:
        return score_hypotheses(specification, reference=reference, hypotheses=read(path), options=options)

    score = scored(files.hypotheses)
    others = {which: scored(path) for which, path in (("against", files.against), ("evidence", files.evidence)) if path}
    found = {which: _advantages(score, other, options) for which, other in others.items()}
    details: dict[str, dict[str, Any]] = {name: {} for name in reversed(score.types)}
    if "evidence" in others:
        for name, parts in split_by_evidence(score, evidence=others["evidence"]).items():
            details[name]["by_evidence"] = {state: part.as_json() for state, part in parts.items()}
    if files.alerts is not None:
        timed = score_alerts(specification, reference=reference, alerts=read(files.alerts), options=options)
        for name, alerts in timed.items():
            details[name]["alerts"] = alerts.as_json()
    types = {name: score.types[name] for name in details}
    groups = [_group(each, details[name]) for name, each in types.items()]
    compared = [exhibits.against(TITLES[which], types, others[which], found[which]) for which in others]
    return FileScores(
        title=f"Detection: {specification.name}",
        answer=_answer(next(filter(_has_f, types.values()), next(iter(types.values()))), found),
        declared=[F],
        groups=groups,
        exhibits=[
            exhibits.by_type(types),
            *compared,
            *exhibits.from_details(groups),
            *(exhibits.pairing(each) for each in types.values()),
        ],
        remarks=[f"{name}: {note}" for name, each in types.items() for note in each.notes],
        sources={
            str(path): sha256(Path(path).read_bytes()).hexdigest()[:16]
            for path in (getattr(files, each.name) for each in fields(files))
            if path and Path(path).is_file()
        },
        data=_data(score, others, found, details),
    )


def compiled_before() -> bool:
    """Return whether the inner loops were compiled on this machine before, as far as can be seen."""
    from os import environ

    from mensura.scores import matching

    place = environ.get("NUMBA_CACHE_DIR") or Path(matching.__file__).parent / "__pycache__"
    return any(Path(place).glob("**/searching.*.nbi"))


def _advantages(score: Scoring, other: Scoring, options: ScoringOptions) -> dict[str, Advantage]:
    """Compare two detectors by type; by none where cases share partners, as the comparison rests on pairs."""
    if options.many:
        return {}
    return {
        name: difference(
            first.units, other.types[name].units, references=len(first.lineup.reference), resamples=options.resamples
        )
        for name, first in score.types.items()
        if first.lineup.reference
    }


def _group(score: TypeScore, details: dict[str, Any]) -> Group:
    estimate = score.estimates[F.name]
    return Group(score.name, "", {}, [Scores({F.name: estimate.value}, details)], estimates={F.name: estimate})


def _has_f(score: TypeScore) -> bool:
    return isfinite(score.estimates["f"].value)


def _answer(score: TypeScore, found: Mapping[str, Mapping[str, Advantage]]) -> str:
    partnered = len(np.unique(score.pairs.reference))
    words = [
        f"{partnered} of {score.references} references of {score.name} have a partner among "
        f"{score.hypotheses} hypotheses: F {cell_words(score.estimates['f']) if _has_f(score) else 'unknown'}"
    ]
    for which, advantages in found.items():
        change = advantages.get(score.name)
        if change is not None and (by := exhibits.signed(change.differences["f"])):
            words.append(f"{by} {TITLES[which].lower()}, p = {change.p:.3g}")
    return "; ".join(words) + "."


def _data(
    score: Scoring,
    others: Mapping[str, Scoring],
    found: Mapping[str, Mapping[str, Advantage]],
    details: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    """Everything as JSON; what was not asked for is absent."""
    content = score.as_json()
    for name, body in content["types"].items():
        if "against" in others:
            other = others["against"].types[name].as_json()
            body["against"] = other | {"pairs": len(other["pairs"])}
            body["difference"] = _difference(found["against"].get(name))
        if "evidence" in others:
            baseline = others["evidence"].types[name]
            body["evidence"] = known_fields(baseline.counts) | {"nacc": known(baseline.cost.nacc)}
            body["over_evidence"] = _difference(found["evidence"].get(name))
        body.update(details[name])
    return content


def _difference(found: Advantage | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {"p": known(found.p), **{name: estimate.as_json() for name, estimate in found.differences.items()}}
