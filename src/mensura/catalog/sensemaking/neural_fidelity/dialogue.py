"""The neural fidelity test: the manager sees the panel's advice component by component and decides; experts review."""

from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from mensura.catalog.sensemaking.neural_fidelity.exhibits import exhibits
from mensura.catalog.sensemaking.neural_fidelity.scoring import SCORES, score
from mensura.catalog.sensemaking.neural_fidelity.submission import read_submission
from mensura.catalog.sensemaking.neural_fidelity.tables import WaypointMonth, find_waypoint
from mensura.catalog.sensemaking.neural_fidelity.verdict import VERDICTS, advice_from_panel, read_results
from mensura.dialogue import Ask, Choice, Outcome, Round, TableView, Text, test
from mensura.errors import BadParameter

MANAGER = "manager"
EXAMPLE = [
    {"component": "Prefrontal Cortex", "pass": True, "reasons": []},
    {"component": "Parietal Cortex", "pass": False, "reasons": ["It is biologically implausible."]},
]


def roles(*, reviewers: int = 1, **_: Any) -> tuple[str, ...]:
    """The manager and one or two reviewers."""
    if not 1 <= reviewers <= 2:
        raise BadParameter(f"One or two experts review the assessment; got {reviewers}.")
    return (MANAGER, *(f"reviewer {number}" for number in range(1, reviewers + 1)))


@test(
    "neural-fidelity-v1",
    score=score,
    scores=SCORES,
    roles=roles,
    chance={"passed": 0.5, "concurrence": 0.5},
    exhibits=exhibits,
)
def neural_fidelity(
    rng: np.random.Generator,
    *,
    submission: Annotated[
        str,
        "The file of the performer's components; it needs `panel` too; none: `advice` is decided on.",
    ] = "",
    panel: Annotated[
        str,
        "The file of the closed panel's results on the submission; none: `advice` is decided on.",
    ] = "",
    advice: Annotated[
        list[Any],
        "The panel's advice where no files are given: a list, each with component, pass (true or false) and "
        "reasons; two components as an example where nothing is given.",
    ] = EXAMPLE,
    reviewers: Annotated[int, "How many experts review the decisions, 1 or 2."] = 1,
    month: WaypointMonth = 23,
) -> Generator[Ask | Round, Any, Outcome]:
    """Decide on the neural fidelity of a model's components, advised by a panel and reviewed by experts.

    `submission` and `panel` are the files of the performer's components and of the closed detailed panel; without them
    `advice` is decided on.
    """
    experts = roles(reviewers=reviewers)[1:]
    evidence: dict[str, str] = {}
    if submission or panel:
        advice, evidence, month = _read(submission, panel)
    yield from _opening(month, len(advice), experts)
    passed = 0
    for each in advice:
        name = str(each["component"])
        shown = [part for part in (evidence.get(name), _table(each)) if part]
        decision = yield Ask(
            ["The panel advises, you decide.", *shown, f"Does **{name}** pass?"],
            Choice(("pass", "fail")),
            key=f"decision/{name}",
            role=MANAGER,
        )
        reasons = yield Ask(
            f"Your reasons on **{name}**, for the record.",
            Text(longest=2000, lines=3),
            key=f"reasons/{name}",
            role=MANAGER,
        )
        passed += decision == "pass"
        told = f"The manager's decision on **{name}**: {decision or 'none'}." + (f" {reasons}" if reasons else "")
        yield Round(
            [
                Ask(
                    [*shown, told, "Do you concur?"],
                    Choice(("concur", "object")),
                    key=f"review/{name}/{role}",
                    role=role,
                )
                for role in experts
            ]
        )
    shared = yield Ask(
        f"{passed} of {len(advice)} judged parts pass. Share the assessment with the performer?",
        Choice(("share", "keep")),
        key="sharing",
        role=MANAGER,
    )
    return Outcome(
        f"{passed} of {len(advice)} judged parts pass; the assessment is {'shared' if shared == 'share' else 'kept'}."
    )


def _opening(month: int, parts: int, experts: tuple[str, ...]) -> Generator[Ask, Any, None]:
    """Tell everyone what is at stake at this waypoint (Table 5)."""
    waypoint = find_waypoint(month)
    needs = f"{waypoint.implemented} components implemented and {waypoint.integrated} integrated"
    said = (
        f"## Neural fidelity, month {month}\n\n{parts} parts are judged. Required at this waypoint: {needs}"
        + (f", {waypoint.passed} passing." if waypoint.passed is not None else "; this one is for guidance only.")
        + " A component that is biologically implausible fails."
    )
    for role in (MANAGER, *experts):
        yield Ask(said, role=role)


def _read(submission: str, panel: str) -> tuple[list[Any], dict[str, str], int]:
    """The advice of a closed panel on a submission, what was submitted, and the month."""
    if not submission or not panel:
        raise BadParameter("Give both --submission FILE and --panel FILE, the closed panel's results on it.")
    read, results = read_submission(Path(submission)), read_results(Path(panel))
    advice = [each.as_json() for each in advice_from_panel(results, read)]
    texts = {each.system: each.as_markdown() for each in read.components}
    for each in advice:
        component = next((one for one in read.components if one.system == each["component"]), None)
        each["uncited"] = [] if component is None else component.uncited()
    return advice, texts, read.month


def _table(each: Mapping[str, Any]) -> TableView:
    rows = [("advice", VERDICTS[each.get("pass")]), *(("reason", reason) for reason in each.get("reasons") or ())]
    rows += [("claimed without a citation", claim) for claim in each.get("uncited") or ()]
    return TableView(("panel", "says"), rows, title=str(each["component"]))
