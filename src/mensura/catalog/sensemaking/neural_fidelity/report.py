"""The two reports of an assessment: the preliminary one of grades, the detailed one of verdicts and decisions."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mensura.catalog.sensemaking.neural_fidelity.rubric import GRADES
from mensura.catalog.sensemaking.neural_fidelity.submission import Submission
from mensura.catalog.sensemaking.neural_fidelity.tables import preliminary_items
from mensura.catalog.sensemaking.neural_fidelity.verdict import Advice, compliance
from mensura.errors import BadFile

VERDICTS = {True: "pass", False: "fail", None: "unknown"}


def preliminary_report(
    submission: Submission, results: Mapping[str, Any], *, month: int | None = None
) -> dict[str, Any]:
    """Fidelity and completeness of every component, anatomical and functional; progress of integration; comments."""
    rows = []
    for artefact in _artefacts(results):
        grades = {key: _known(artefact["values"].get(key)) for key in preliminary_items()}
        rows.append(
            {
                "component": artefact["source"],
                "raters": artefact.get("raters"),
                "grades": grades,
                "comments": list(artefact.get("comments") or ()),
            }
        )
    where = compliance(submission, {}, month=month).as_json()
    return {
        "kind": "preliminary",
        **_head(submission),
        "scale": f"1 ({GRADES['low']}) to {GRADES['points']} ({GRADES['high']})",
        "components": rows,
        "progress": {name: where[name] for name in ("month", "implemented", "integrated")},
        "agreement": results.get("agreement"),
    }


def detailed_report(
    submission: Submission,
    advice: Sequence[Advice],
    *,
    results: Mapping[str, Any],
    decision: Mapping[str, Any] | None = None,
    month: int | None = None,
) -> dict[str, Any]:
    """Pass or fail of every component: what the panel advises, what the manager decided, what experts say to it.

    `decision` is what a session of `neural-fidelity` left (see `decision_of`). Where there is none, the waypoint is
    compared with the advice, and the report says so.
    """
    comments = {each["source"]: list(each.get("comments") or ()) for each in _artefacts(results)}
    decided: Mapping[str, str] = (decision or {}).get("decisions", {})
    verdicts = {each.component: each.passes for each in advice}
    if decision is not None:
        verdicts = {name: {"pass": True, "fail": False}.get(decided.get(name, "")) for name in verdicts}
    return {
        "kind": "detailed",
        **_head(submission),
        "advice": [
            each.as_json()
            | {
                "comments": comments.get(each.component, []),
                "decision": decided.get(each.component),
                "reasons_for_decision": (decision or {}).get("reasons", {}).get(each.component),
                "reviews": (decision or {}).get("reviews", {}).get(each.component, {}),
            }
            for each in advice
        ],
        "unclaimed": {each.system: each.unclaimed() for each in submission.components if each.unclaimed()},
        "uncited": {each.system: each.uncited() for each in submission.components if each.uncited()},
        "standing": compliance(submission, verdicts, month=month).as_json()
        | {"rests_on": "the manager's decisions" if decision is not None else "the panel's advice"},
        "shared": None if decision is None else decision.get("shared"),
        "agreement": results.get("agreement"),
    }


def decision_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """What a finished session of the manager and the experts decided, from its answers by key."""
    found: dict[str, Any] = {"decisions": {}, "reasons": {}, "reviews": {}, "shared": given.get("sharing") == "share"}
    for key, value in given.items():
        what, _, rest = key.partition("/")
        if what == "decision":
            found["decisions"][rest] = value
        elif what == "reasons" and value:
            found["reasons"][rest] = value
        elif what == "review":
            component, _, role = rest.rpartition("/")
            found["reviews"].setdefault(component, {})[role] = value
    return found


def write_page(report: Mapping[str, Any], path: Path) -> None:
    """Write a report as one HTML file."""
    from jinja2 import Environment, PackageLoader

    pages = Environment(loader=PackageLoader("mensura.catalog.sensemaking", "pages"), autoescape=True)
    html = pages.get_template("nfa_report.html").render(
        report=report, items=preliminary_items(), verdicts={True: "pass", False: "fail", None: "unknown"}
    )
    try:
        path.write_text(html, encoding="utf-8")
    except OSError as error:
        raise BadFile(f"{path} cannot be written: {error.strerror or error}.") from error


def _head(submission: Submission) -> dict[str, Any]:
    return {"performer": submission.performer, "model": submission.model}


def _artefacts(results: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    found = results.get("artefacts") if isinstance(results, Mapping) else None
    if not isinstance(found, list):
        raise BadFile("The panel's results hold no artefacts; give the JSON of a closed panel.")
    return found


def _known(value: Any) -> float | None:
    return None if value is None or value != value else float(value)
