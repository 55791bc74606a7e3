"""The score tree: from the office as it stands to one number from 0 to 1."""

from collections.abc import Mapping
from dataclasses import dataclass

from mensura.catalog.crisis.scoring.briefing import RatedBriefing, read_briefing
from mensura.catalog.crisis.scoring.schedule import ScheduleGrade, grade_schedule
from mensura.catalog.crisis.scoring.site import SiteGrade, grade_site
from mensura.catalog.crisis.scoring.snapshot import Snapshot
from mensura.catalog.crisis.scoring.weights import Weights, our_weights
from mensura.catalog.crisis.world.conference import Conference


@dataclass(frozen=True)
class Grades:
    """Every part of a score."""

    schedule: ScheduleGrade
    site: SiteGrade
    briefing: RatedBriefing
    weights: Weights

    @property
    def parts(self) -> dict[str, float]:
        """The named scores, `final` first; all from 0 to 1, more is better."""
        parts = {
            "schedule": self.schedule.value,
            "publishing": self.site.publishing,
            "web": self.site.web,
            "briefing": self.briefing.value,
        }
        return {"final": combine(parts, weights=self.weights), **parts}

    @property
    def leaves(self) -> dict[str, float]:
        """The leaves beneath the schedule, each from 0 to 1, and what money and bumps took."""
        found = dict(self.schedule.leaves)
        penalties = {"money_loss": self.schedule.money, "bumps_loss": self.schedule.bumps}
        return {"quality": self.schedule.quality, **penalties, **found}


def combine(parts: Mapping[str, float], *, weights: Weights | None = None) -> float:
    r"""Combine the parts into the final score: :math:`\frac23 s + \frac16 (\frac12 p + \frac12 w) + \frac16 b`.

    >>> round(combine({"schedule": 0.9, "publishing": 1.0, "web": 0.5, "briefing": 0.0}), 3)
    0.725
    """
    weights = weights or our_weights()
    site = sum(share * parts[name] for name, share in weights.site.items())
    return (
        weights.final["schedule"] * parts["schedule"]
        + weights.final["site"] * site
        + weights.final["briefing"] * parts["briefing"]
    )


def grade(standing: Snapshot, *, weights: Weights | None = None) -> Grades:
    """Grade an office as it stands."""
    weights = weights or our_weights()
    return Grades(
        grade_schedule(standing, weights=weights),
        grade_site(standing, weights=weights),
        read_briefing(standing, weights=weights),
        weights,
    )


def ceiling_of(world: Conference, *, weights: Weights | None = None) -> dict[str, float]:
    """Return what someone who knows everything reaches; empty where the linter has not stored it with the package."""
    if "quality" not in world.ceiling:
        return {}
    parts = {"schedule": world.ceiling["quality"], "publishing": 1.0, "web": 1.0, "briefing": 1.0}
    return {"final": combine(parts, weights=weights), **parts}
