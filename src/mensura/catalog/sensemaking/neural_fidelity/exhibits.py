"""What is shown of neural fidelity: grades of the preliminary panel, verdicts of the detailed one, and decisions."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mensura.catalog.sensemaking.neural_fidelity.rubric import GRADES
from mensura.catalog.sensemaking.neural_fidelity.submission import Submission
from mensura.catalog.sensemaking.neural_fidelity.tables import preliminary_items
from mensura.catalog.sensemaking.neural_fidelity.verdict import VERDICTS, Advice, compliance
from mensura.exhibit import Exhibit, FileScores, Group


def exhibits(groups: Sequence[Group]) -> Iterator[Exhibit]:
    """Show what the managers of some sessions decided on each component, and what experts said to it."""
    rows = [
        (group.name, name, decided, scores.details["reasons"].get(name), _reviews(scores.details, name))
        for group in groups
        for scores in group.scores
        for name, decided in scores.details["decisions"].items()
    ]
    yield Exhibit("Decisions", "", ("who", "component", "decision", "reasons", "reviews"), rows)


def preliminary_scores(submission: Submission, results: Mapping[str, Any], *, month: int | None = None) -> FileScores:
    """Report fidelity and completeness of every component, anatomical and functional, and progress of integration."""
    components = [
        {
            "component": artefact["source"],
            "raters": artefact.get("raters"),
            "grades": {key: artefact["values"].get(key) for key in preliminary_items()},
            "comments": list(artefact.get("comments") or ()),
        }
        for artefact in results["artefacts"]
    ]
    where = compliance(submission, {}, month=month).as_json()
    scale = f"1 ({GRADES['low']}) to {GRADES['points']} ({GRADES['high']})"
    columns = ("component", *(key.replace("_", ", ") for key in preliminary_items()), "raters")
    rows = [(each["component"], *each["grades"].values(), each["raters"]) for each in components]
    answer = f"Month {where['month']}: {_counted(where, 'implemented')}, {_counted(where, 'integrated')}."
    data = {"scale": scale, "components": components, "progress": {k: where[k] for k in ("month", *PARTS[:2])}}
    grades = Exhibit("Grades of the panel", f"From {scale}; means over its members.", columns, rows)
    return _file_scores("preliminary", submission, results, answer, [grades, _comments(components)], data)


def detailed_scores(
    submission: Submission,
    advice: Sequence[Advice],
    *,
    results: Mapping[str, Any],
    decision: Mapping[str, Any] | None = None,
    month: int | None = None,
) -> FileScores:
    """Report pass or fail of every component: what the panel advises, the manager decided, and experts say to it.

    `decision` is what a session of `neural-fidelity` left (see `decision_of`). Where there is none, the waypoint is
    compared with the advice, and the report says so.
    """
    comments = {each["source"]: list(each.get("comments") or ()) for each in results["artefacts"]}
    said = decision or {"decisions": {}, "reasons": {}, "reviews": {}}
    verdicts = {each.component: each.passes for each in advice}
    if decision is not None:
        verdicts = {name: {"pass": True, "fail": False}.get(said["decisions"].get(name)) for name in verdicts}
    components = [
        each.as_json()
        | {
            "comments": comments.get(each.component, []),
            "decision": said["decisions"].get(each.component),
            "reasons_for_decision": said["reasons"].get(each.component),
            "reviews": said["reviews"].get(each.component, {}),
        }
        for each in advice
    ]
    where = compliance(submission, verdicts, month=month).as_json()
    where["rests_on"] = "the panel's advice" if decision is None else "the manager's decisions"
    claims = {
        "unclaimed": {each.system: each.unclaimed() for each in submission.components if each.unclaimed()},
        "uncited": {each.system: each.uncited() for each in submission.components if each.uncited()},
    }
    rows = [
        (
            each["component"],
            VERDICTS[each["pass"]],
            " ".join(each["reasons"]),
            ": ".join(filter(None, (each["decision"], each["reasons_for_decision"]))) or "none yet",
            _reviews(said, each["component"]),
        )
        for each in components
    ]
    met = "met" if where["met"] else "not met"
    parts = ", ".join(_counted(where, name) for name in PARTS if where[name])
    shown = [
        Exhibit("Components", "", ("component", "the panel advises", "why", "decision", "reviews"), rows),
        _listed("Functions of Table 4 that are not claimed", claims["unclaimed"]),
        _listed("Claims without a citation", claims["uncited"]),
        _comments(components),
    ]
    answer = f"Month {where['month']}: {met}, by {where['rests_on']}: {parts}."
    guidance = "Months 23 and 42 are assessed officially; this one is for guidance only."
    data = {"advice": components, **claims, "standing": where, "shared": decision and decision.get("shared")}
    return _file_scores("detailed", submission, results, answer, shown, data, [] if where["official"] else [guidance])


PARTS = ("implemented", "integrated", "passed")


def _file_scores(
    kind: str,
    submission: Submission,
    results: Mapping[str, Any],
    answer: str,
    shown: Sequence[Exhibit],
    data: Mapping[str, Any],
    remarks: Sequence[str] = (),
) -> FileScores:
    agreement = results.get("agreement")
    head = {"kind": kind, "performer": submission.performer, "model": submission.model, "agreement": agreement}
    items = (agreement or {}).get("items") or ()
    rows = [(e["item"], e["alpha"]["sentence"] if e.get("alpha") else e.get("why_not") or "unknown") for e in items]
    agreed = Exhibit("Agreement of the panel", "", ("item", "what can be said"), rows)
    return FileScores(
        title=f"Neural fidelity of {submission.model or 'a model'}: {kind} report",
        answer=answer,
        exhibits=[each for each in (*shown, agreed) if each.rows],
        remarks=[f"Performer: {submission.performer or 'not named'}.", *remarks],
        data={**head, **data},
    )


def _counted(where: Mapping[str, Any], name: str) -> str:
    return f"{where[name]['have']} of {where[name]['need']} required components {name}"


def _comments(components: Sequence[Mapping[str, Any]]) -> Exhibit:
    return _listed("Comments", {each["component"]: list(filter(None, each["comments"])) for each in components})


def _listed(title: str, found: Mapping[str, Sequence[str]]) -> Exhibit:
    return Exhibit(
        title, "", ("component", "in words"), [(name, words) for name, each in found.items() for words in each]
    )


def _reviews(decision: Mapping[str, Any], component: str) -> str:
    return ", ".join(f"{role}: {said}" for role, said in decision["reviews"].get(component, {}).items())
