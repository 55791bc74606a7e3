"""Panels: artefacts, who rates them, and ratings. Where an artefact comes from is told only of a closed panel."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from sqlalchemy import delete, insert, select, update

from mensura.dialogue.canonical import canonical
from mensura.errors import BadParameter, Conflict, unknown
from mensura.store import text
from mensura.store.database import Database
from mensura.store.schema import artefacts, assignments, panels, ratings

Kind = Literal["rating", "additional", "third", "discussion"]
"""The kinds of ratings: one that counts, one of a language model kept apart, or one that settles a difference."""


@dataclass(frozen=True)
class PanelHead:
    """A panel without its artefacts."""

    name: str
    rubric: Mapping[str, Any]
    details: Mapping[str, Any]
    created: float
    closed: float | None


@dataclass(frozen=True)
class BlindArtefact:
    """An artefact as raters may see it."""

    number: int
    code: str
    content: Mapping[str, Any]


@dataclass(frozen=True)
class Origin:
    """Where an artefact comes from."""

    condition: str
    source: str


@dataclass(frozen=True)
class Assignment:
    """The work of one rater in one session: pairs of a code and the items of the rubric."""

    panel: str
    rater: str
    subject: str
    kind: Kind
    session: str
    work: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class Rating:
    """One rater's value of one item of one artefact; an item "" holds a comment only."""

    code: str
    rater: str
    item: str
    value: float | None
    kind: Kind = "rating"
    comment: str = ""
    time: float = field(default_factory=time.time)


@dataclass(eq=False, repr=False)
class Panels:
    """The panels of a store."""

    database: Database

    def create(self, head: PanelHead, contents: Mapping[str, Mapping[str, Any]], origins: Mapping[str, Origin]) -> None:
        """Write down a panel with its artefacts by code, wholly or not at all."""
        row = {
            "name": head.name,
            "rubric": canonical(dict(head.rubric)),
            "details": canonical(dict(head.details)),
            "created": head.created,
        }
        rows = [
            {"panel": head.name, "code": code, "content": canonical(dict(content)), **vars(origins[code])}
            for code, content in contents.items()
        ]
        with self.database.writing() as connection:
            if connection.execute(select(panels.c.number).where(panels.c.name == head.name)).first():
                raise Conflict(f"There is already a panel called {head.name!r}; give this one another name.")
            connection.execute(insert(panels).values(row))
            connection.execute(insert(artefacts), rows)

    def get(self, name: str) -> PanelHead:
        """Find a panel by its name."""
        with self.database.reading() as connection:
            row = connection.execute(select(panels).where(panels.c.name == name)).first()
        if row is None:
            raise unknown("panel", name, known=self.names(), see="`mensura panel create FILE` makes one.")
        return PanelHead(row.name, text.read(row.rubric), text.read(row.details), row.created, row.closed)

    def names(self) -> list[str]:
        """List the panels, the oldest first."""
        with self.database.reading() as connection:
            return list(connection.execute(select(panels.c.name).order_by(panels.c.number)).scalars())

    def about(self, runs: Iterable[str]) -> list[str]:
        """Name the panels that rate sessions of these runs; not which artefact comes from which."""
        wanted = select(artefacts.c.panel, artefacts.c.source).distinct()
        mine = set(runs)
        with self.database.reading() as connection:
            found = {row.panel for row in connection.execute(wanted) if row.source.rpartition("/")[0] in mine}
        return [name for name in self.names() if name in found]

    def artefacts(self, name: str) -> list[BlindArtefact]:
        """Return the artefacts of a panel as raters may see them, in the order of their codes."""
        wanted = select(artefacts.c.number, artefacts.c.code, artefacts.c.content).where(artefacts.c.panel == name)
        with self.database.reading() as connection:
            rows = connection.execute(wanted.order_by(artefacts.c.code)).all()
        return [BlindArtefact(row.number, row.code, text.read(row.content)) for row in rows]

    def groups(self, name: str) -> dict[str, int]:
        """Return the artefacts of one condition one number, so that work can be balanced; not which condition it is."""
        conditions = self._conditions(name)
        numbers = {condition: number for number, condition in enumerate(sorted(set(conditions.values())))}
        return {code: numbers[condition] for code, condition in conditions.items()}

    def origins(self, name: str) -> dict[str, Origin]:
        """Return where the artefacts of a closed panel come from."""
        if self.get(name).closed is None:
            raise BadParameter(
                f"The panel {name!r} is still open, and blind: conditions are told once it is closed. "
                f"Close it with: mensura panel close {name}"
            )
        wanted = select(artefacts.c.code, artefacts.c.condition, artefacts.c.source).where(artefacts.c.panel == name)
        with self.database.reading() as connection:
            return {row.code: Origin(row.condition, row.source) for row in connection.execute(wanted)}

    def runs(self, name: str) -> list[str]:
        """Return the runs that artefacts of a closed panel come from, and those of its raters."""
        told = [*(one.source for one in self.origins(name).values()), *(one.session for one in self.assignments(name))]
        return list(dict.fromkeys(session.rpartition("/")[0] for session in told if "/" in session))

    def assign(self, assigned: Assignment) -> None:
        """Write down what a rater is to rate."""
        row = {**vars(assigned), "work": canonical(assigned.work), "created": time.time()}
        with self.database.writing() as connection:
            connection.execute(insert(assignments).values(row))

    def assignments(self, name: str) -> list[Assignment]:
        """List who rates what, in the order in which it was assigned; of a panel that is there."""
        self.get(name)
        wanted = select(assignments).where(assignments.c.panel == name).order_by(assignments.c.number)
        with self.database.reading() as connection:
            return [
                Assignment(
                    row.panel,
                    row.rater,
                    row.subject,
                    row.kind,
                    row.session,
                    tuple((code, tuple(items)) for code, items in text.read(row.work)),
                )
                for row in connection.execute(wanted)
            ]

    def add(self, name: str, given: Iterable[Rating]) -> int:
        """Keep ratings that are not yet kept, and never change one; return how many were new."""
        numbers = {artefact.code: artefact.number for artefact in self.artefacts(name)}
        new = 0
        with self.database.writing() as connection:
            for rating in given:
                row = {**vars(rating), "artefact": numbers[rating.code]}
                row.pop("code")
                added = self.database.insert(ratings).values(row).on_conflict_do_nothing().returning(ratings.c.number)
                new += len(connection.execute(added).all())
        return new

    def ratings(self, name: str, *, kinds: Sequence[Kind] | None = None) -> list[Rating]:
        """Return the ratings of a panel, the oldest first; of some kinds only, where they are named."""
        wanted = select(ratings, artefacts.c.code).join(artefacts, artefacts.c.number == ratings.c.artefact)
        wanted = wanted.where(artefacts.c.panel == name).order_by(ratings.c.number)
        if kinds is not None:
            wanted = wanted.where(ratings.c.kind.in_(list(kinds)))
        with self.database.reading() as connection:
            return [
                Rating(row.code, row.rater, row.item, row.value, row.kind, row.comment, row.time)
                for row in connection.execute(wanted)
            ]

    def erase(self, assigned: Assignment) -> None:
        """Forget what a rater who withdrew has rated, and that it was to be rated by them."""
        codes = [code for code, _ in assigned.work]
        mine = select(artefacts.c.number).where(artefacts.c.panel == assigned.panel, artefacts.c.code.in_(codes))
        with self.database.writing() as connection:
            connection.execute(
                delete(ratings).where(
                    ratings.c.artefact.in_(mine), ratings.c.rater == assigned.rater, ratings.c.kind == assigned.kind
                )
            )
            connection.execute(delete(assignments).where(assignments.c.session == assigned.session))

    def close(self, name: str) -> None:
        """End rating; from now on conditions may be told. Closing twice changes nothing."""
        with self.database.writing() as connection:
            still = (panels.c.name == name) & panels.c.closed.is_(None)
            connection.execute(update(panels).where(still).values(closed=time.time()))

    def _conditions(self, name: str) -> dict[str, str]:
        wanted = select(artefacts.c.code, artefacts.c.condition).where(artefacts.c.panel == name)
        with self.database.reading() as connection:
            return {row.code: row.condition for row in connection.execute(wanted.order_by(artefacts.c.code))}
