"""Seat: a session of the rating test for one rater, with nothing in it that tells a condition."""

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mensura.dialogue import Address, Seed, generator
from mensura.running.panel.raters.rater import Rater
from mensura.running.plan import Plan, session_id
from mensura.running.results.counting import UNCHECKED_MODEL
from mensura.running.run import RunOptions, begin_run
from mensura.store.head import SessionHead
from mensura.survey.rubric import Rubric

if TYPE_CHECKING:
    from mensura.store import Store
    from mensura.store.people.panels import Assignment, Kind, PanelHead

TEST = "rating-v1"


def seat(
    head: "PanelHead",
    rater: Rater,
    work: Sequence[tuple[str, tuple[str, ...]]],
    *,
    kind: "Kind",
    store: "Store",
) -> "Assignment":
    """Open a rater's session over artefacts in a random order; an empty tuple of items means the whole rubric."""
    from mensura.store.people.panels import Assignment

    panels = store.panels
    contents = {artefact.code: artefact.content for artefact in panels.artefacts(head.name)}
    stream = f"order of {rater.name}, {len(panels.assignments(head.name))}"
    rng = generator(int(head.details["seed"]), Address(), stream=stream)
    ordered = [work[place] for place in rng.permutation(len(work))]
    every = tuple(item.key for item in Rubric.read(head.rubric).items)
    shown: list[dict[str, Any]] = [
        {"code": code, **contents[code], **({"items": list(items)} if items else {})} for code, items in ordered
    ]
    model = kind == "additional"
    rubric = repeated(head.rubric) if model else dict(head.rubric)
    plan = Plan(TEST, {"subject": rater.spec}, {"artefacts": shown, "rubric": rubric})
    # The run carries no condition: whatever a rater's page shows of it, there is nothing to be told.
    options = RunOptions(trace="full", details={"rater": rater.name, **({UNCHECKED_MODEL: True} if model else {})})
    run = begin_run(plan, store=store, seed=Seed.choose(None), options=options)
    session = session_id(run.id, Address())
    store.sessions.add(SessionHead(session, run.id, Address(), dict(run.cast), created=time.time()))
    filled = tuple((code, tuple(items) or every) for code, items in ordered)
    assigned = Assignment(head.name, rater.name, rater.subject_name, kind, session, filled)
    panels.assign(assigned)
    return assigned


def repeated(rubric: Mapping[str, Any]) -> dict[str, Any]:
    """Put the instructions before every item: a model is asked each of them by itself, and remembers nothing.

    >>> repeated({"instructions": "Be strict.", "items": [{"text": "It is clear."}]})["items"]
    [{'text': 'Be strict.\\n\\nIt is clear.'}]
    """
    words = str(rubric.get("instructions") or "").strip()
    if not words:
        return dict(rubric)
    items = [{**item, "text": f"{words}\n\n{item['text']}"} for item in rubric["items"]]
    return {**{key: value for key, value in rubric.items() if key != "instructions"}, "items": items}
