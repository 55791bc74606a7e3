"""From ratings to advice: a verdict per component, and where a performer stands at a waypoint."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import Any

from mensura.catalog.sensemaking.neural_fidelity.rubric import EVIDENCE, FUNCTIONAL, IMPLAUSIBLE, SIMPLIFIED
from mensura.catalog.sensemaking.neural_fidelity.submission import ARCHITECTURE, Submission
from mensura.catalog.sensemaking.neural_fidelity.tables import criteria, find_waypoint
from mensura.errors import BadFile
from mensura.json_file import loads

VERDICTS = {True: "pass", False: "fail", None: "no advice"}


@dataclass(frozen=True)
class Advice:
    """What the panel advises on one component: pass or fail, and why; None where it was not rated."""

    component: str
    passes: bool | None
    reasons: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the advice as JSON."""
        return {"component": self.component, "pass": self.passes, "reasons": list(self.reasons)}


def advise(component: str, ratings: Mapping[str, float]) -> Advice:
    """Turn the panel's final ratings of a component (shares of the scale, 0 to 1) into advice.

    A component fails that more than half hold to be implausible, or to have purely functional parts where a mechanism
    is known, or unjustified simplifications, or too little evidence; otherwise it passes if more than half pass it on
    each of the four criteria.

    >>> advise("Parietal Cortex", {"implausible": 1.0}).passes
    False
    """
    known = {key: value for key, value in ratings.items() if not isnan(value)}
    if not known:
        return Advice(component, None, ("It was not rated.",))
    reasons = []
    if known.get(IMPLAUSIBLE, 0.0) > 0.5:
        reasons.append("It is biologically implausible.")
    if known.get(FUNCTIONAL, 0.0) > 0.5:
        reasons.append("It has purely functional parts where a neural mechanism is known.")
    if known.get(SIMPLIFIED, 1.0) <= 0.5:
        reasons.append("Its simplifications are not justified.")
    if known.get(EVIDENCE, 1.0) <= 0.5:
        reasons.append("Its case is not made with sufficient evidence.")
    missing = [name for name in criteria() if name not in known]
    reasons += [f"Its {name} fails." for name in criteria() if known.get(name, 1.0) <= 0.5]
    if not reasons and missing:
        return Advice(component, None, (f"Not rated on {', '.join(missing)}.",))
    return Advice(component, not reasons, tuple(reasons))


@dataclass(frozen=True)
class Compliance:
    """Where a performer stands at a waypoint: what is required and what there is."""

    month: int
    official: bool
    implemented: tuple[int, int]
    integrated: tuple[int, int]
    passed: tuple[int, int] | None

    @property
    def met(self) -> bool:
        """Whether all that is required is there."""
        needed = [self.implemented, self.integrated, *([] if self.passed is None else [self.passed])]
        return all(have >= need for have, need in needed)

    def as_json(self) -> dict[str, Any]:
        """Return the standing as JSON, each as have and need."""
        pairs = {name: getattr(self, name) for name in ("implemented", "integrated", "passed")}
        counts = {name: each and dict(zip(("have", "need"), each, strict=True)) for name, each in pairs.items()}
        return {"month": self.month, "official": self.official, **counts, "met": self.met}


def compliance(submission: Submission, verdicts: Mapping[str, bool | None], *, month: int | None = None) -> Compliance:
    """Compare a submission with what Table 5 requires; passes count only at the official months 23 and 42."""
    waypoint = find_waypoint(submission.month if month is None else month)
    components = {each.system for each in submission.components}
    passing = sum(verdict is True for name, verdict in verdicts.items() if name in components)
    required = None if waypoint.passed is None else (passing, waypoint.passed)
    return Compliance(
        month=waypoint.month,
        official=waypoint.official,
        implemented=(submission.implemented, waypoint.implemented),
        integrated=(submission.integrated, waypoint.integrated),
        passed=required,
    )


def read_results(path: Path) -> Mapping[str, Any]:
    """Read the results of a closed panel, its JSON."""
    try:
        found = loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise BadFile(f"{path} cannot be read as the results of a panel: {error}.") from error
    if not isinstance(found, Mapping) or not isinstance(found.get("artefacts"), list):
        raise BadFile(f"{path} holds no artefacts; give the JSON of a closed panel.")
    return found


def advice_from_panel(results: Mapping[str, Any], submission: Submission) -> list[Advice]:
    """Advise on every implemented component by the results of a closed panel.

    Artefacts are found by their source, which is the component's brain system.
    """
    rated = {
        str(artefact.get("source")): {
            str(key): float("nan") if value is None else float(value)
            for key, value in (artefact.get("values") or {}).items()
        }
        for artefact in results["artefacts"]
    }
    judged = [each.system for each in submission.components if each.implemented]
    if submission.architecture_markdown() is not None:
        judged.append(ARCHITECTURE)
    return [advise(name, rated.get(name, {})) for name in judged]
