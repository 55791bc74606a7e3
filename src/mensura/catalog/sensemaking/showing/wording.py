"""Words for people and models: neutral by default, so that what one knows of wars plays no part; the original's too."""

from dataclasses import dataclass

from mensura.catalog.sensemaking.exam.probs import Probs
from mensura.errors import unknown
from mensura.stats.wording import times


@dataclass(frozen=True)
class Wording:
    """The nouns of the exam."""

    event: str
    events: str
    resources: str
    mission: str


WORDINGS = {
    "neutral": Wording("event", "events", "resources", "Task"),
    "original": Wording("attack", "attacks", "troops", "Mission"),
}


def find_wording(name: str) -> Wording:
    """Find a wording by name."""
    if name not in WORDINGS:
        raise unknown("wording", name, known=WORDINGS, see=f"There are {', '.join(WORDINGS)}.")
    return WORDINGS[name]


def instructions(number: int, words: Wording, *, trials: int, probs: Probs, credits: float = 1.0) -> str:
    """Return what a task is about and what will be asked."""
    event, events = words.event, words.events
    shared = {
        1: (
            f"Two groups, A and B, cause {events} on a map. Each group has its own centre, its own spread, and its own "
            f"share of all {events}. You are shown past {events} with their groups. Then you are shown where a new one "
            "happened and say how likely each group is, choose one group, are told which it was, and say how surprised "
            f"you are. This is done {times(trials)}{'; the sample grows' if trials > 1 else ''}."
        ),
        2: (
            "Now there are four groups, A to D. Before you judge, draw one circle for each group, such that an "
            f"{event} by the group is twice as likely inside as outside: it should hold two thirds of the group's "
            f"{events}. Then say how likely each group is to be behind the new {event}, choose one, and learn the "
            "truth."
        ),
        3: (
            f"The four groups now move along roads: distance counts along the roads, not through the air. Before you "
            f"judge, mark each group's centre on a road, the place from which its {events} so far are best explained."
        ),
        4: (
            f"One group's centre is known. Four sites are possible for its next {event}. First judge from the distance "
            "along the roads. Then you see the groups' regions and judge again. At last divide all of your "
            f"{words.resources} among the sites: you score the percent you put on the site where it happens."
        ),
        5: (
            f"An {event} has happened. The four groups' centres are known, and you are given how likely each group is "
            "by distance alone. Then you receive four reports, one by one, each with its own rule. After each say how "
            f"likely each group is now. At last divide your {words.resources} among the groups."
        ),
        6: (
            "As before, but you choose which report to receive next, three times. Choose what you expect to tell you "
            "most. SIGINT is about one group, which you name."
        ),
        7: (
            f"The map stays the same, and groups act in waves: the group behind the last {event} is behind the next "
            f"with chance {100 * probs.stay:.0f} %. You are not told which group it is, except once in a while. Each "
            "time say where the next will be, and divide your "
            f"{words.resources}. Afterwards you may buy reports about what happened; a good prediction earns up to "
            f"{credits:g} credit{'' if credits == 1 else 's'}."
        ),
    }
    return f"## {words.mission} {number}\n\n{shared[number]}"
