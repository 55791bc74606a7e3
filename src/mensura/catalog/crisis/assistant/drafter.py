"""The drafter: a briefing for the chair. Which kinds of items people keep is learned."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.world.programme.event import GREAT

LENGTH = 6
"""How many items a draft has."""
PRIOR = (1.0, 2.0)
"""A kind of item that nobody has judged counts as kept half the time."""


@dataclass(frozen=True)
class DraftLine:
    """One line of a draft and what kind of thing it says."""

    kind: str
    words: str


def items(known: Known) -> list[DraftLine]:
    """Write every item that could stand in a briefing: the crisis, what the office's books count, single events."""
    raw = known.raw
    moved = [
        event
        for event in raw["events"]
        if raw["place"].get(event["id"]) is not None and list(raw["place"][event["id"]]) != list(event["original"])
    ]
    read = sum(letter["read"] for letter in raw["letters"])
    found: list[DraftLine] = []
    if raw["lost"]:
        days = dict.fromkeys(known.when(slot).split(" ")[0] for slot in sorted(slot for _, slot in raw["lost"]))
        names = ", ".join([room["name"] for room in raw["rooms"] if room["id"] in dict(raw["lost"])][:4])
        found.append(DraftLine("crisis", f"Lost on {' and '.join(days)}: {names} and other rooms."))
    found += [
        DraftLine("moved", f"{len(moved)} events were moved."),
        DraftLine("mail", f"{read} of {len(raw['letters'])} messages were read."),
        DraftLine("sent", f"{len(raw['sent'])} messages were sent."),
        DraftLine("orders", f"{len(raw['orders'])} orders stand with vendors."),
        DraftLine("constraints", f"{len(raw['constraints'])} constraints were entered."),
        DraftLine("notes", f"{len(raw['notes'])} notes were written."),
        DraftLine("asked", f"We asked {len(raw['bumps'])} times for a room that others had."),
        DraftLine("spent", f"The replanning has cost {raw['spent']:.2f} so far."),
    ]
    open_ = [event["short"] for event in raw["events"] if raw["place"].get(event["id"]) is None]
    if open_:
        found.append(DraftLine("open", f"{len(open_)} events are still without a room: {', '.join(open_[:5])}."))
    for event in sorted(
        moved,
        key=lambda event: (-len({event["chair"], *(talk["speaker"] for talk in event["talks"])} - {""}), event["id"]),
    ):
        kind = "great move" if event["kind"] in GREAT else "move"
        room, slot = raw["place"][event["id"]]
        found.append(DraftLine(kind, f"{event['short']}: {known.rooms[room]['name']}, {known.when(slot)}."))
    return found


class Drafter:
    """Puts those items first of which people keep the most."""

    def __init__(self, learned: Mapping[str, Sequence[int]]) -> None:
        self._learned = learned

    def liking(self, kind: str) -> float:
        """Return how likely an item of a kind is to be kept.

        >>> Drafter({"mail": [0, 8]}).liking("mail"), Drafter({}).liking("mail")
        (0.1, 0.5)
        """
        kept, drafted = self._learned.get(kind, (0, 0))
        return (kept + PRIOR[0]) / (drafted + PRIOR[1])

    def draft(self, known: Known) -> list[DraftLine]:
        """Choose the items of a draft: by liking, and among equals in the order of the books."""
        ranked = sorted(items(known), key=lambda item: -self.liking(item.kind))
        return ranked[:LENGTH]
