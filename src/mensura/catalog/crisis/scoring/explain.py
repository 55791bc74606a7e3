"""Explanation: every point that was lost, by what lost it, in a sentence; the dearest first."""

from dataclasses import asdict, dataclass
from typing import Any

from mensura.catalog.crisis.scoring.tree import Grades
from mensura.catalog.crisis.scoring.wanted import LEAF
from mensura.catalog.crisis.world.conference import Conference


@dataclass(frozen=True)
class Lost:
    """Points of the final score that were lost by one thing."""

    points: float
    part: str
    """schedule, money, bumps, publishing, web, or briefing."""
    what: str
    """The rule, event, task or field."""
    leaf: str
    sentence: str

    def data(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {**asdict(self), "points": round(self.points, 6)}


def explain(grades: Grades, world: Conference) -> list[Lost]:
    """List everything that was lost, the dearest first; the points sum to 1 less the final score.

    What a schedule lost below nothing is not counted: if penalties would take it under 0, the last line gives the
    points that could not be lost any more.
    """
    found = [*_schedule(grades, world), *_site(grades), *_briefing(grades)]
    over = sum(lost.points for lost in found) - (1 - grades.parts["final"])
    if over > 1e-12:
        words = "Penalties beyond 0 take nothing more."
        found.append(Lost(-over, "schedule", "bound", "", words))
    return sorted(found, key=lambda lost: (-lost.points, lost.part, lost.what))


def _schedule(grades: Grades, world: Conference) -> list[Lost]:
    share, schedule = grades.weights.final["schedule"], grades.schedule
    found = []
    for name, why in schedule.failures.items():
        rule = world.rule.get(name)
        weight = grades.weights.leaves[LEAF] if rule is None else grades.weights.of(rule)
        asked = f" ({rule.words})" if rule is not None and rule.words else ""
        if weight:
            leaf = LEAF if rule is None else rule.leaf
            found.append(Lost(share * weight / schedule.weight, "schedule", name, leaf, why + asked))
    if schedule.money:
        asked = f" and the {schedule.allowed:g} for what mail asked for" if schedule.allowed else ""
        words = f"More was spent than the {world.floor_money:g} that the best plan spends{asked}."
        found.append(Lost(share * schedule.money, "money", "money", "", words))
    if schedule.bumps:
        words = f"More rooms were asked for than the {world.floor_bumps} that the best plan asks for."
        found.append(Lost(share * schedule.bumps, "bumps", "bumps", "", words))
    return found


def _site(grades: Grades) -> list[Lost]:
    site, share = grades.site, grades.weights.final["site"]
    publishing, web = (share * grades.weights.site[name] for name in ("publishing", "web"))
    found = [
        Lost(publishing / site.to_publish, "publishing", event, "", words) for event, words in site.unpublished.items()
    ]
    found += [Lost(web / site.requested, "web", task, "", words) for task, words in site.undone.items()]
    if site.unrequested:
        each = web * site.penalty / len(site.unrequested)
        found += [Lost(each, "web", what, "", words) for what, words in site.unrequested.items() if each]
    return found


def _briefing(grades: Grades) -> list[Lost]:
    briefing, share = grades.briefing, grades.weights.final["briefing"]
    if not briefing.present:
        return [Lost(share, "briefing", "briefing", "", "The chair has no briefing.")]
    if briefing.provisional is not None:
        words = f"The panel gave the briefing {briefing.value:.3g} of 1."
        return [Lost(share * (1 - briefing.value), "briefing", "panel", "", words)] if briefing.value < 1 else []
    each = share / (grades.weights.items * grades.weights.points)
    most = grades.weights.points
    found = []
    for item in briefing.items:
        words = f"{item.words!r} gets {item.points} of {most}: it {item.why}."
        if points := -item.points if item.wrong else most - item.points:
            found.append(Lost(each * points, "briefing", item.about, "", words))
    if missing := grades.weights.items - sum(not item.wrong for item in briefing.items):
        words = f"The briefing has {missing} fewer items worth a point than the {grades.weights.items} that are rated."
        found.append(Lost(each * grades.weights.points * missing, "briefing", "items", "", words))
    return found
