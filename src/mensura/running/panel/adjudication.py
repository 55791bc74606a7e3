"""Adjudication: what is done where raters differ by more than a stated amount. Their own ratings are kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from mensura.errors import BadParameter, Conflict
from mensura.running.panel.raters.assignment import ALONE, _open
from mensura.running.panel.raters.collecting import collect
from mensura.running.panel.raters.rater import Rater
from mensura.running.panel.raters.seat import seat
from mensura.survey.rubric import Rubric

if TYPE_CHECKING:
    from mensura.running.panel.opening import Resolution
    from mensura.store import Store
    from mensura.store.people.panels import Assignment, Rating


@dataclass(frozen=True)
class Dispute:
    """An item of an artefact on which raters differ."""

    code: str
    item: str
    values: dict[str, float]
    """By rater."""

    @property
    def apart(self) -> float:
        """How far the highest rating is from the lowest."""
        return max(self.values.values()) - min(self.values.values())


def disputes(name: str, *, more_than: float | Mapping[str, float], store: "Store") -> list[Dispute]:
    """List what raters differ on by more than an amount, in points of each item's scale, and what is not yet settled.

    `more_than` is one amount for all items, or one for each; items it does not name are left alone.
    """

    panels = store.panels
    rubric = Rubric.read(panels.get(name).rubric)
    if isinstance(more_than, Mapping):
        limits = {rubric.item(item).key: float(amount) for item, amount in more_than.items()}
    else:
        limits = {item.key: float(more_than) for item in rubric.items}
    collect(name, store=store)
    ratings = panels.ratings(name)
    settled = {(one.code, one.item) for one in ratings if one.kind in ("third", "discussion")}
    by_item: dict[tuple[str, str], dict[str, float]] = {}
    for one in ratings:
        if one.kind == "rating" and one.item in limits and one.value is not None:
            by_item.setdefault((one.code, one.item), {})[one.rater] = one.value
    found = [Dispute(code, item, values) for (code, item), values in sorted(by_item.items())]
    return [one for one in found if one.apart > limits[one.item] and (one.code, one.item) not in settled]


def adjudicate(
    name: str, *, more_than: float | Mapping[str, float], by: Rater, store: "Store"
) -> "tuple[Assignment | None, list[Dispute]]":
    """Assign what raters differ on to a third rater who has rated none of it; return the assignment and its items.

    The third rater sees the artefacts as the others did, and not their ratings. What they have rated themselves is
    left for another or for discussion (`settle`). None where nothing is to be settled.
    """

    panels = store.panels
    head = _open(panels, name)
    if by.nature_of == "model":
        raise BadParameter(ALONE)
    found = disputes(name, more_than=more_than, store=store)
    given = {code for one in panels.assignments(name) if one.rater == by.name for code, _ in one.work}
    waiting = {
        (code, item)
        for one in panels.assignments(name)
        if one.kind == "third"
        for code, items in one.work
        for item in items
    }
    mine = [one for one in found if one.code not in given and (one.code, one.item) not in waiting]
    if found and not mine:
        raise BadParameter(
            f"{by.name} has rated everything that raters differ on, or a third rater has it already. Name another "
            "rater, or settle it by discussion."
        )
    if not mine:
        return None, []
    items: dict[str, tuple[str, ...]] = {}
    for one in mine:
        items[one.code] = (*items.get(one.code, ()), one.item)
    return seat(head, by, list(items.items()), kind="third", store=store), mine


def settle(name: str, code: str, item: str, *, value: float, why: str, who: str, store: "Store") -> None:
    """Write down the value on which raters agreed in discussion, with the reason; their own ratings are kept."""
    from mensura.store.people.panels import Rating

    panels = store.panels
    head = _open(panels, name)
    low, high = Rubric.read(head.rubric).item(item).bounds
    if not low <= value <= high:
        raise BadParameter(f"{item} lies between {low:g} and {high:g}; got {value:g}.")
    if not why.strip():
        raise BadParameter("A difference is settled with a reason; say why.")
    rated = [one for one in panels.ratings(name) if (one.code, one.item) == (code, item)]
    if not any(one.kind == "rating" for one in rated):
        raise BadParameter(f"Nobody has rated {item} of an artefact {code}, so there is nothing to settle.")
    if any(one.kind == "discussion" for one in rated):
        raise Conflict(f"{item} of {code} has been settled already; nothing was changed.")
    panels.add(name, [Rating(code, who or "discussion", item, float(value), "discussion", why.strip())])
    store.trail.note(who, "settled rating", name, code=code, item=item, value=value)


def final_value(ratings: "Sequence[Rating]", *, resolution: "Resolution") -> float:
    """Return the value of one item of one artefact: the mean of its raters, or what adjudication made of it.

    What was agreed in discussion stands. Else a third rating settles: "tertium quid" takes the mean of it and the
    nearer of the others (of all, where none is nearer), "parity" the mean of all, "expert" the third alone.
    """
    own = [one.value for one in ratings if one.kind == "rating" and one.value is not None]
    agreed = [one.value for one in ratings if one.kind == "discussion" and one.value is not None]
    thirds = [one.value for one in ratings if one.kind == "third" and one.value is not None]
    if not own:
        return float("nan")
    if agreed:
        return agreed[-1]
    if not thirds:
        return fmean(own)
    if resolution == "expert":
        return fmean(thirds)
    if resolution == "parity":
        return fmean([*own, *thirds])
    third = fmean(thirds)
    nearest = min(abs(value - third) for value in own)
    return fmean([third, *(value for value in own if abs(value - third) == nearest)])
