"""Constraint: what a subject may enter for the optimiser, how it is read and how it is said."""

from typing import TYPE_CHECKING, Any

from mensura.catalog.crisis.office.naming import Declined, named
from mensura.catalog.crisis.office.slots import read_slots, slots_text
from mensura.catalog.crisis.world.campus.place import EQUIPMENT
from mensura.catalog.crisis.world.requirement import Requirement

if TYPE_CHECKING:
    from mensura.catalog.crisis.office.office import OfficeState

NEEDS: dict[str, tuple[str, ...]] = {
    "placed": ("event",),
    "capacity": ("event",),
    "equipment": ("event", "item"),
    "catering": ("event",),
    "speakers": ("event",),
    "away": ("person", "slots"),
    "slots": ("event", "slots"),
    "before": ("event", "other"),
    "apart": ("event", "other"),
    "same_building": ("event", "other"),
    "building": ("event", "place"),
    "room": ("event", "place"),
    "alone": ("event",),
    "stay": ("event",),
}
"""What each kind of constraint must say."""
THING = {"event": "event", "other": "event", "person": "person"}


def rule_words(office: "OfficeState", rule: Requirement) -> str:
    """Return a constraint in words."""
    name = office.index.name_of
    parts = [rule.kind.replace("_", " "), name(rule.event), name(rule.other), name(rule.person)]
    if rule.place:
        building = next((each.name for each in office.world.buildings if each.id == rule.place), "")
        parts.append(building or name(rule.place))
    return " ".join(part for part in [*parts, rule.item, slots_text(rule.slots)] if part)


def read_part(office: "OfficeState", kind: str, name: str, text: str) -> Any:
    """Read one part of a constraint, or decline it."""
    if name == "slots":
        slots = read_slots(text)
        if isinstance(slots, str):
            raise Declined(slots)
        return slots
    if name == "item":
        item = text.strip().lower()
        if item not in EQUIPMENT:
            raise Declined(f"There is no equipment {text[:40]!r}.")
        return item
    return named(office, THING.get(name) or ("building" if kind == "building" else "room"), text)


def content(rule: Requirement) -> tuple[Any, ...]:
    """Return what a constraint says, without its name and source."""
    return rule.kind, rule.event, rule.other, rule.person, rule.slots, rule.place, rule.item
