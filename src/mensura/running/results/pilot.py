"""Pilot: the scores of stored runs as what a study is planned by."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mensura.dialogue import session_mean
from mensura.errors import BadParameter, unknown
from mensura.running.results.comparing import shared_sessions
from mensura.stats import Power, sample_size_from_pilot
from mensura.store.head import same_seed, same_terms

if TYPE_CHECKING:
    from mensura.stats.power import Design
    from mensura.store import Store


@dataclass(frozen=True)
class Pilot:
    """One score of two runs, one number per session."""

    score: str
    first: dict[str, float]
    second: dict[str, float]
    same_items: bool
    """Whether both runs met the same items, session by session."""


def read_pilot(first: str, second: str, *, store: "Store", score: str | None = None) -> Pilot:
    """Read a score of two stored runs; sessions of the same number belong together in a paired design."""
    heads = store.runs.find(first), store.runs.find(second)
    sides = [store.results.of(head.id) for head in heads]
    known = [
        name
        for name in dict.fromkeys(name for scores in sides[0].values() for name in scores.values)
        if any(name in scores.values for scores in sides[1].values())
    ]
    if not known:
        raise BadParameter(f"The runs {heads[0].id} and {heads[1].id} have no score in common to plan by.")
    if score is None and len(known) > 1:
        raise BadParameter(f"Say which score to plan by: --score {known[0]}. They have {', '.join(known)}.")
    name = score or known[0]
    if name not in known:
        raise unknown("score of both runs", name, known=known, see=f"They have {', '.join(known)}.")
    values = [
        {
            session.rsplit("/", 1)[-1]: session_mean(scores.values[name])
            for session, scores in side.items()
            if name in scores.values
        }
        for side in sides
    ]
    shared = shared_sessions(sides[0], sides[1], same_seed=same_seed(*heads), same_terms=same_terms(*heads))
    return Pilot(name, values[0], values[1], bool(shared) and len(shared) == min(map(len, sides)))


def plan_by_pilot(
    pilot: Pilot, *, difference: float, power: float = 0.8, design: "Design" = "unpaired", alpha: float = 0.05
) -> Power:
    """Return the number of sessions that a stated difference needs, with the spread of a pilot."""
    if design == "paired" and not pilot.same_items:
        raise BadParameter(
            "The pilot runs did not meet the same items, so their sessions cannot be paired: run both with the same "
            "--seed, or plan without --paired."
        )
    if design == "paired":
        return sample_size_from_pilot(
            first=pilot.first, second=pilot.second, difference=difference, power=power, design=design, alpha=alpha
        )
    sides = [list(side.values()) for side in (pilot.first, pilot.second)]
    return sample_size_from_pilot(
        first=sides[0], second=sides[1], difference=difference, power=power, design=design, alpha=alpha
    )
