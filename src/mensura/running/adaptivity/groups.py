"""Groups: which probe each course takes where the subject has no snapshot, by chance and balanced."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from mensura.dialogue import Address, generator

if TYPE_CHECKING:
    from mensura.running.course import Phase

HOW = (
    "The subject has no snapshot, so a probe would teach it: each course was assigned at random, in blocks of equal "
    "size, to one of the groups, took the probe of that group and ended with it."
)
PEOPLE = (
    "Nobody can be brought back to who they were before a probe, nor kept from learning in it: each person was "
    "assigned at random to one of the groups, those with the fewest people first, took the probe of that group, while "
    "learning, and ended with it. So levels of different probes are of different people."
)
ARMS = "Arms have different people, who were assigned to them at random: they are compared as groups."


def assigned(groups: Sequence[str], courses: int, *, seed: int) -> list[str]:
    """Assign every course to a group, in blocks that hold each group once; "" where there are no groups.

    >>> sorted(assigned(["early", "late"], 4, seed=1))
    ['early', 'early', 'late', 'late']
    """
    if not groups:
        return [""] * courses
    blocks = range(-(-courses // len(groups)))
    drawn = [generator(seed, Address(course=block), stream="groups").permutation(len(groups)) for block in blocks]
    return [groups[place] for block in drawn for place in block][:courses]


def own_phases(phases: Sequence["Phase"], group: str) -> list["Phase"]:
    """Return the phases of a course: those that everyone takes, up to the probe of its group.

    The pauses before probes of other groups pass all the same.
    """
    own: list[Phase] = []
    waited = 0.0
    for phase in phases:
        waited += phase.pause
        if phase.state == "group" and phase.name != group:
            continue
        own.append(replace(phase, pause=waited))
        waited = 0.0
        if phase.name == group:
            break
    return own
