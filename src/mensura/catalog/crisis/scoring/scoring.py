"""Scoring of a session: its record is replayed to the office it leaves, and that is graded."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mensura.catalog.crisis.scoring.explain import explain
from mensura.catalog.crisis.scoring.ledger import ledger
from mensura.catalog.crisis.scoring.milestones import milestones
from mensura.catalog.crisis.scoring.panel import JUDGED, rated_by_panel
from mensura.catalog.crisis.scoring.snapshot import standing_of, untouched
from mensura.catalog.crisis.scoring.tree import ceiling_of, grade
from mensura.catalog.crisis.scoring.weights import our_weights
from mensura.catalog.crisis.survey.survey import PREFIX, survey
from mensura.catalog.crisis.world.conference import Conference
from mensura.catalog.crisis.world.data import grouped
from mensura.catalog.crisis.world.requirement import LEAVES
from mensura.dialogue import Record, Score, Scores
from mensura.errors import BadData

SURVEYED = "survey_"


def scores(*, survey: bool = False, **others: Any) -> tuple[Score, ...]:
    """Declare the scores: parts and leaves from 0 to 1, what money and bumps take, and answers of the survey."""
    weights = our_weights()
    parts = ("final", "schedule", "publishing", "web", "briefing", "quality", *LEAVES)
    return (
        *(Score(name, better="more", low=0, high=1) for name in parts),
        # Who does nothing pays nothing and bumps nobody: it shows in the final score.
        Score("money_loss", better="less", low=0, high=weights.money.most, unanswered=None),
        Score("bumps_loss", better="less", low=0, high=weights.bumps.most, unanswered=None),
        *(opinions() if survey else ()),
    )


def opinions() -> tuple[Score, ...]:
    """Declare the answers of the survey; a subject that knew its categories would answer by them, so none sees them."""
    return tuple(replace(asked, name=f"{SURVEYED}{asked.name}", shown_to="laboratory") for asked in survey().declared)


def score(record: Record, truths: Mapping[str, Any]) -> Scores:
    """Score a session from 0 to 1: two thirds schedule, a sixth web site, a sixth briefing.

    `final`, `schedule`, `publishing`, `web` and `briefing` are the scores; `quality` and the leaves stand beneath the
    schedule. The details hold the ceiling and the floor of each, every lost point with its reason, the ledger of the
    key tasks, money and bumps, and how the briefing was rated.
    """
    from mensura.catalog.crisis.office.replay import condition_of, office_of, world_of

    office = office_of(record, world=world_of(record, truths), condition=condition_of(record, truths))
    check_world(office.world, truths)
    scores = score_office(office, rated=truths.get(JUDGED.key))
    if learned := (truths.get("world") or {}).get("learned"):
        scores = replace(scores, details={**scores.details, "learned_sha256": learned})
    return scores if not record.parameters.get("survey") else with_survey(scores, record)


def with_survey(scores: Scores, record: Record) -> Scores:
    """Add what was answered in the survey after the session; items that were not answered are unknown."""
    answered = survey().score(record.given(), prefix=PREFIX)
    named = {f"{SURVEYED}{name}": value for name, value in answered.values.items()}
    return Scores({**scores.values, **named}, {**scores.details, **answered.details})


def score_office(office: Any, *, rated: Mapping[str, Any] | None = None) -> Scores:
    """Score an office as it stands; `rated` is what a panel gave its briefing: {"value": 0 to 1, "raters": n}."""
    world: Conference = office.world
    standing = standing_of(office)
    grades = grade(standing)
    if rated is not None and grades.briefing.present:
        briefing = rated_by_panel(grades.briefing, value=float(rated["value"]), raters=int(rated["raters"]))
        grades = replace(grades, briefing=briefing)
    floor, ceiling = floor_of(world), ceiling_of(world)
    parts = grades.parts
    batches = [name for name, made in office.proposals.items() if made.kind == "batch"]
    lines = ledger(standing, history=office.history, read=office.read, batches=batches)
    losses = explain(grades, world)
    lost_by = grouped((lost.part, lost.points) for lost in losses)
    details = {
        "package": world.name,
        "world_hash": world.hash,
        "floor": floor,
        "ceiling": ceiling,
        "above_floor": above_floor(parts["final"], floor=floor["final"], ceiling=ceiling.get("final")),
        "lost": [lost.data() for lost in losses],
        "lost_by": {"final": {part: sum(points) for part, points in lost_by.items()}},
        "ledger": [line.data() for line in lines],
        "money": {
            "spent": standing.spent,
            "best_plan": world.floor_money if world.ceiling else None,
            "allowed": grades.schedule.allowed,
        },
        "bumps": {"asked": standing.bumps, "best_plan": world.floor_bumps if world.ceiling else None},
        "briefing_method": grades.briefing.method,
        "briefing_present": grades.briefing.present,
        "milestones": milestones(standing),
        "method": f"end state replayed from the record; n = {grades.schedule.rules} rules, "
        f"{grades.schedule.asked} orders asked for, "
        f"{grades.site.to_publish} announcements, {grades.site.requested} requested changes of the site; one session",
    }
    if grades.briefing.provisional is not None:
        details["provisional"] = grades.briefing.provisional
    return Scores({**parts, **grades.leaves}, details)


def floor_of(world: Conference) -> dict[str, float]:
    """Return what doing nothing scores, computed by grading the office as it was found."""
    if world.hash not in _FLOORS:
        _FLOORS[world.hash] = grade(untouched(world)).parts
    return dict(_FLOORS[world.hash])


_FLOORS: dict[str, dict[str, float]] = {}


def above_floor(value: float, *, floor: float, ceiling: float | None) -> float | None:
    """Return how far a score is on the way from doing nothing (0) to knowing everything (1); None if unknown."""
    if ceiling is None or ceiling <= floor:
        return None
    return (value - floor) / (ceiling - floor)


def check_world(world: Conference, truths: Mapping[str, Any]) -> None:
    """Refuse to score a record against another world than the one it was taken in."""
    told = truths.get("world") or {}
    if "hash" in told and told["hash"] != world.hash:
        raise BadData(
            f"The session was taken in the world {told['hash']} of {told.get('package', world.name)}; this program "
            f"builds {world.hash}. Score it with the version that made it."
        )
