"""Words for people and models: neutral by default, so that what one knows of wars plays no part; the original's too."""

from dataclasses import dataclass

from mensura.catalog.sensemaking.exam import Layer, Probs
from mensura.errors import unknown


@dataclass(frozen=True)
class Wording:
    """The nouns of the exam."""

    event: str
    events: str
    resources: str
    mission: str


WORDINGS = {
    "neutral": Wording("event", "events", "resources", "Part"),
    "original": Wording("attack", "attacks", "troops", "Mission"),
}


def find_wording(name: str) -> Wording:
    """Find a wording by name."""
    if name not in WORDINGS:
        raise unknown("wording", name, known=WORDINGS, see=f"There are {', '.join(WORDINGS)}.")
    return WORDINGS[name]


def instructions(number: int, words: Wording, *, trials: int, probs: Probs) -> str:
    """Say what a task is about and what will be asked."""
    event, events = words.event, words.events
    shared = {
        1: (
            f"Two groups, A and B, cause {events} on a map. Each group has its own centre, its own spread, and its own "
            f"share of all {events}. You are shown past {events} with their groups. Then you are shown where a new one "
            "happened and say how likely each group is, choose one group, are told which it was, and say how surprised "
            f"you are. This is done {trials} times; the sample grows."
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
            f"{words.resources}. Afterwards you may buy reports about what happened; a good prediction earns up to one "
            "credit."
        ),
    }
    return f"## {words.mission} {number}\n\n{shared[number]}"


def rule(layer: Layer, feature: str, words: Wording) -> str:
    """Say what a report says and the rule that belongs to it (Table 3)."""
    event = words.event
    if layer.kind == "IMINT":
        likely, others = ("A or B", "C or D") if feature == "government" else ("C or D", "A or B")
        return (
            f"**IMINT**: the {event} is near a {feature} building. Then {likely} is four times as likely as {others}."
        )
    if layer.kind == "MOVINT":
        likely, others = ("A or C", "B or D") if feature == "dense" else ("B or D", "A or C")
        return f"**MOVINT**: the {event} is in {feature} traffic. Then {likely} is four times as likely as {others}."
    if layer.kind == "SIGINT":
        how = "seven times as likely" if feature == "chatter" else "one third as likely"
        return f"**SIGINT on {layer.group}**: {feature}. Then {layer.group} is {how} as each other group."
    return (
        f"**SOCINT**: the {event} is in the region of {feature}. Then {feature} is twice as likely as each other group."
    )


def handbook(words: Wording, probs: Probs) -> str:
    """All rules on one page (Table 3, and the wave rule of A.2)."""
    event = words.event
    lines = [
        "### PROBS: the rules",
        f"- **HUMINT**: a group's {event} is the likelier the nearer it is to the group's centre along the roads: a "
        f"bell curve with a standard deviation of {probs.humint_sigma:g} miles.",
        "- **IMINT**: near a government building, A or B is four times as likely as C or D; near a military building, "
        "C or D is four times as likely as A or B.",
        "- **MOVINT**: in dense traffic, A or C is four times as likely as B or D; in sparse traffic, B or D is four "
        "times as likely as A or C.",
        "- **SIGINT** on a group: chatter makes that group seven times as likely as each other group; silence makes it "
        "one third as likely.",
        "- **SOCINT**: in a group's region, that group is twice as likely as each other group.",
        f"- **Waves** (last part only): a group that was behind the last {event} is behind the next with chance "
        f"{100 * probs.stay:.0f} %.",
    ]
    return "\n".join(lines)
