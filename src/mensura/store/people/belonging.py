"""Belonging: which studies a run, a panel or an invitation belongs to."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, func, select

from mensura.store import text
from mensura.store.database import Database
from mensura.store.people.invitations import Invitation
from mensura.store.schema import artefacts, assignments, panels, runs

Studies = frozenset[str]
NONE: Studies = frozenset()
BESIDE = ("quiz_for", "survey_for", "practice_for", "approval_for")
"""The details by which a run beside another says which one."""


@dataclass(frozen=True)
class Belonging:
    """The studies that things belong to; what is not listed belongs to none.

    Runs of raters belong where what they rate comes from, which may be several studies.
    """

    runs: Mapping[str, Studies] = field(default_factory=dict)
    panels: Mapping[str, Studies] = field(default_factory=dict)

    @property
    def studies(self) -> Studies:
        """All studies that there are."""
        return _joined(self.runs.values())

    def of_run(self, run: str) -> Studies:
        """Return the studies of a run."""
        return self.runs.get(run, NONE)

    def of_session(self, session: str) -> Studies:
        """Return the studies of a session, by its id."""
        return self.of_run(session.rpartition("/")[0])

    def of_panel(self, panel: str) -> Studies:
        """Return the studies whose artefacts a panel rates."""
        return self.panels.get(panel, NONE)

    def of_invitation(self, invitation: Invitation) -> Studies:
        """Return the studies that someone is invited to, as a participant or as a rater."""
        if study := str(invitation.details.get("study", "")):
            return frozenset({study})
        return NONE.union(*map(self.of_session, invitation.sessions))


class Belongings:
    """The studies of things in a store, read again only when something was added."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: tuple[Any, Belonging] = (None, Belonging())

    def now(self) -> Belonging:
        """Return what belongs where."""
        counted = [func.max(table.c.number).label(table.name) for table in (runs, panels, assignments)]
        with self._database.reading() as connection:
            version = tuple(connection.execute(select(*(select(one).scalar_subquery() for one in counted))).one())
            if version != self._known[0]:
                self._known = version, _read(connection)
        return self._known[1]


def _read(connection: Connection) -> Belonging:
    details = {row.id: text.read(row.details) for row in connection.execute(select(runs.c.id, runs.c.details))}
    found = {run: frozenset({str(said["study"])}) for run, said in details.items() if said.get("study")}
    for run, said in details.items():
        found.setdefault(run, _joined(found.get(said.get(mark, ""), NONE) for mark in BESIDE))
    made = connection.execute(select(artefacts.c.panel, artefacts.c.source).distinct()).all()
    panel_studies: dict[str, Studies] = {}
    for row in made:
        mine = found.get(row.source.rpartition("/")[0], NONE)
        panel_studies[row.panel] = panel_studies.get(row.panel, NONE) | mine
    for row in connection.execute(select(assignments.c.panel, assignments.c.session)):
        found[row.session.rpartition("/")[0]] = panel_studies.get(row.panel, NONE)
    return Belonging({run: studies for run, studies in found.items() if studies}, panel_studies)


def _joined(several: Iterable[Studies]) -> Studies:
    return NONE.union(*several)
