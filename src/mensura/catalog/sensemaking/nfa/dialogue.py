"""The decision: the manager sees the panel's advice component by component and decides; experts review."""

from collections.abc import Generator, Mapping
from typing import Any

import numpy as np

from mensura.dialogue import Ask, Choice, Items, Outcome, Record, Round, Scores, TableView, Text, test
from mensura.errors import BadParameter

MANAGER = "manager"
EXAMPLE = [
    {"component": "Prefrontal Cortex", "pass": True, "reasons": []},
    {"component": "Parietal Cortex", "pass": False, "reasons": ["It is biologically implausible."]},
]


def score(record: Record, truths: Mapping[str, Any]) -> Scores:
    """Give the share of components that pass by the manager's decision, and how often reviewers concur."""
    given = [(answer.key, answer.value) for answer in record.answers if answer.status == "answered"]
    decided = {key: value for key, value in given if key.startswith("decision/")}
    reviews = [value for key, value in given if key.startswith("review/")]
    values: dict[str, Items | float] = {
        "passed": Items([float(value == "pass") for value in decided.values()], list(decided), proportion=True)
    }
    if reviews:
        values["concurrence"] = Items([float(value == "concur") for value in reviews], proportion=True)
    return Scores(values, {"decisions": {key.partition("/")[2]: value for key, value in decided.items()}})


def roles(*, reviewers: int = 1, **_: Any) -> tuple[str, ...]:
    """The manager and one or two reviewers."""
    if not 1 <= reviewers <= 2:
        raise BadParameter(f"One or two experts review the assessment; got {reviewers}.")
    return (MANAGER, *(f"reviewer {number}" for number in range(1, reviewers + 1)))


@test("neural-fidelity-v1", score=score, roles=roles)
def neural_fidelity(
    rng: np.random.Generator, *, advice: list[Any] = EXAMPLE, reviewers: int = 1, month: int = 23
) -> Generator[Ask | Round, Any, Outcome]:
    """Decide on the neural fidelity of a model's components, advised by a panel and reviewed by experts."""
    experts = roles(reviewers=reviewers)[1:]
    passed = 0
    for each in advice:
        name = str(each["component"])
        shown = _table(each)
        decision = yield Ask(
            [f"Month {month}. The panel advises, you decide.", shown, f"Does **{name}** pass?"],
            Choice(("pass", "fail")),
            key=f"decision/{name}",
            role=MANAGER,
        )
        yield Ask("Your reasons, for the record.", Text(longest=2000, lines=3), key=f"reasons/{name}", role=MANAGER)
        passed += decision == "pass"
        told = f"The manager's decision on **{name}**: {decision or 'none'}."
        yield Round(
            [
                Ask(
                    [shown, told, "Do you concur?"],
                    Choice(("concur", "object")),
                    key=f"review/{name}/{role}",
                    role=role,
                )
                for role in experts
            ]
        )
    shared = yield Ask(
        f"{passed} of {len(advice)} components pass. Share the assessment with the performer?",
        Choice(("share", "keep")),
        key="sharing",
        role=MANAGER,
    )
    return Outcome(
        f"{passed} of {len(advice)} components pass; the assessment is {'shared' if shared == 'share' else 'kept'}."
    )


def _table(each: Mapping[str, Any]) -> TableView:
    verdict = {True: "pass", False: "fail", None: "no advice"}[each.get("pass")]
    rows = [("advice", verdict), *(("reason", reason) for reason in each.get("reasons") or ())]
    return TableView(("panel", "says"), rows, title=str(each["component"]))
