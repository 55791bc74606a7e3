"""Measurement: one matrix of answers with all that is said of its items, its persons and its groups."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mensura.errors import BadData
from mensura.stats.estimate import Estimate
from mensura.stats.finding import _plain
from mensura.stats.intervals.sample import Floats
from mensura.stats.response.ability import Abilities, abilities, share_below
from mensura.stats.response.calibration import CalibratedItems, calibrate
from mensura.stats.response.classical import ClassicalItems, classical_items
from mensura.stats.response.fit import ItemFit, PersonFit, item_fit, person_fit
from mensura.stats.response.functioning import GroupFunctioning, group_functioning
from mensura.stats.response.linking import ScaleLink, link_scales
from mensura.stats.response.presentations import ItemLook, presentation_functioning
from mensura.stats.response.responses import Model, ResponseMatrix

PEOPLE, MACHINES = "people", "machines"
SHOWN = np.linspace(-4, 4, 33)
"""Abilities at which information is told."""


@dataclass(frozen=True, eq=False)
class Measurement:
    """The result of a calibration for items, persons and, where both took part, people and machines."""

    matrix: ResponseMatrix
    people: tuple[bool, ...]
    """Which persons are people; the others are programs and models."""
    calibrated: CalibratedItems
    classical: ClassicalItems
    fits: dict[str, ItemFit]
    persons: Abilities
    person_fits: dict[str, PersonFit]
    functioning: GroupFunctioning | str
    """Items that differ between people and machines, or why that cannot be said."""
    link: ScaleLink | str
    """People and machines calibrated apart and linked, or why that cannot be done."""
    presentations: Mapping[str, GroupFunctioning | str] = field(default_factory=dict)
    """By presentation, problems that are harder in it than in the usual one, or why that cannot be said."""

    @property
    def abilities(self) -> list[Estimate]:
        """The abilities of the persons of the matrix, in order."""
        return self.persons.estimates

    @property
    def information(self) -> Floats:
        """Information of all calibrated items together at each shown ability."""
        return np.asarray(self.calibrated.curves.information(SHOWN).sum(axis=0))

    @property
    def remarks(self) -> list[str]:
        """Notes on the numbers."""
        said = [*self.calibrated.remarks]
        said += [str(one) for one in (self.functioning, *self.presentations.values(), self.link) if one]
        return said

    def group_of(self, place: int) -> str:
        """Return whether someone is one of the people or of the machines."""
        return PEOPLE if self.people[place] else MACHINES

    def as_json(self) -> dict[str, Any]:
        """Return everything as JSON; items in the order of the matrix, also those without parameters."""
        found = self.calibrated
        return {
            "model": found.model,
            "persons": found.persons,
            "loglik": found.loglik,
            "converged": found.converged,
            "steps": found.steps,
            "alpha": self.classical.alpha.as_json(),
            "items": [self._item(place) for place in range(len(self.matrix.items))],
            "abilities": [self._person(place) for place in range(len(self.matrix.persons))],
            "information": [
                {"ability": float(at), "information": float(much), "se": float(1 / np.sqrt(much)) if much > 0 else None}
                for at, much in zip(SHOWN, self.information, strict=True)
            ],
            "functioning": _told(self.functioning),
            "presentations": {name: _told(one) for name, one in self.presentations.items()} or None,
            "linking": _told(self.link),
            "remarks": self.remarks,
        }

    def _item(self, place: int) -> dict[str, Any]:
        name, plain = self.matrix.items[place], self.classical.items[place]
        curve = self.calibrated.items.get(name)
        numbers = dict.fromkeys(("a", "b", "c", "se_a", "se_b", "se_c")) if curve is None else curve.as_json()
        said: dict[str, Any] = {"id": name, **{part: numbers[part] for part in ("a", "b", "c", "se_a", "se_b", "se_c")}}
        said |= {"right": plain.right.as_json(), "with_rest": _plain(plain.with_rest)}
        if name in self.calibrated.left_out:
            said["reason"] = self.calibrated.left_out[name]
        said["fit"] = _plain(vars(self.fits[name])) if name in self.fits else None
        return said

    def _person(self, place: int) -> dict[str, Any]:
        name, estimate = self.matrix.persons[place], self.abilities[place]
        fit = self.person_fits[name]
        return {
            "person": name,
            "group": self.group_of(place),
            **estimate.as_json(),
            "share_below": share_below(estimate.value),
            "fit": _plain(vars(fit)),
        }


def measure(
    matrix: ResponseMatrix,
    *,
    model: Model,
    people: Sequence[bool] | None = None,
    norm: str = "",
    looks: Sequence[ItemLook | None] = (),
) -> Measurement:
    """Calibrate the items of a matrix and say what it tells of items, persons and groups.

    Parameters
    ----------
    matrix : ResponseMatrix
        Persons × items.
    model : {"rasch", "2pl", "3pl"}
        The item-response model.
    people : sequence of bool, optional
        Which persons are people; all of them where it is not said.
    norm : str
        Who the persons are, in words.
    looks : sequence of ItemLook, optional
        What each item asks and how it looks, where presentations are to be compared.
    """
    sides = tuple(people) if people is not None else (True,) * len(matrix.persons)
    calibrated = calibrate(matrix, model=model, norm=norm)
    right = matrix.right[:, [matrix.items.index(name) for name in calibrated.items]]
    return Measurement(
        matrix=matrix,
        people=sides,
        calibrated=calibrated,
        classical=classical_items(matrix),
        fits=item_fit(matrix, calibrated),
        persons=abilities(right, calibrated.curves),
        person_fits=person_fit(matrix, calibrated),
        functioning=_functioning(matrix, calibrated, sides),
        link=_link(matrix, model, sides),
        presentations=presentation_functioning(matrix, looks, model=model),
    )


def _functioning(matrix: ResponseMatrix, calibrated: CalibratedItems, sides: Sequence[bool]) -> GroupFunctioning | str:
    if all(sides) or not any(sides):
        return ""
    first = [place for place, is_person in enumerate(sides) if is_person]
    try:
        return group_functioning(matrix, calibrated, first=first, names=(PEOPLE, MACHINES))
    except BadData as error:
        return str(error)


def _link(matrix: ResponseMatrix, model: Model, sides: Sequence[bool]) -> ScaleLink | str:
    """Calibrate people and machines apart, and link the two scales by anchors."""
    if all(sides) or not any(sides):
        return ""
    apart = []
    for wanted, name in ((False, MACHINES), (True, PEOPLE)):
        rows = [place for place, is_person in enumerate(sides) if is_person == wanted]
        try:
            apart.append(calibrate(matrix.of_persons(rows), model=model))
        except BadData as error:
            return f"People and machines are not calibrated apart: {name}: {error}"
    return link_scales(apart[0], apart[1], names=(MACHINES, PEOPLE))


def _told(found: GroupFunctioning | ScaleLink | str) -> Any:
    if isinstance(found, GroupFunctioning):
        return {**found.as_json(), "items": {name: _plain(vars(one)) for name, one in found.items.items()}}
    return found.as_json() if isinstance(found, ScaleLink) else ({"reason": found} if found else None)
