"""Dry run: a study rehearsed with simulated people, in a store of its own that is forgotten afterwards."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from secrets import token_bytes
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from mensura.errors import BadParameter
from mensura.running.run import RunOptions
from mensura.running.study.analysis.analysis import Analysis, analyse
from mensura.running.study.conduct import conduct
from mensura.running.study.plan import Cast, Stopping, Study
from mensura.store import open_store
from mensura.subjects.spec import HUMAN

if TYPE_CHECKING:
    from mensura.store import Store

CHANCE = "chance"


@dataclass(frozen=True)
class DryRun:
    """The results of a rehearsal, and the store that holds them for as long as it is open."""

    analysis: Analysis
    store: "Store"


def simulated_plan(study: Study, *, people: str = CHANCE, sessions: int | None = None) -> Study:
    """Put a program in the place of every person of a plan, so many in each cell as are planned or given.

    It has separate random draws: a rehearsal must not tell the items of the study.
    """
    if not any(cast.people for cast in study.casts):
        raise BadParameter(f"No cast of {study.name} is human; a study of programs is carried out as it is.")
    if sessions is not None and sessions < 2:
        raise BadParameter(f"A dry run has at least 2 simulated people in each cell; got {sessions}.")
    many = sessions or max(study.planned(cast) for cast in study.casts)
    return replace(
        study,
        name=f"{study.name}, dry run",
        casts=tuple(_simulated(cast, people) for cast in study.casts),
        stopping=_as_many(study.stopping, many),
        seed=None,
        # People who come in cohorts are seated by hand; programs need no seats.
        procedure={},
    )


def _as_many(stopping: Stopping, many: int) -> Stopping:
    """Plan for another number of sessions; looks at the outcome are meant for the plan's own."""
    if many == stopping.most:
        return stopping
    return replace(stopping, most=many, looks=(), method="")


def _simulated(cast: Cast, people: str) -> Cast:
    subjects = {role: people if who == HUMAN else who for role, who in cast.subjects.items()}
    return replace(cast, subjects=subjects, simulated=cast.simulated or cast.people)


@contextmanager
def dry_run(
    study: Study, *, people: str = CHANCE, sessions: int | None = None, options: RunOptions | None = None
) -> Iterator[DryRun]:
    """Carry a study out with simulated people and analyse it as it will be analysed; nothing of it is kept."""
    plan = simulated_plan(study, people=people, sessions=sessions)
    with (
        TemporaryDirectory(prefix="mensura-dry-run-") as folder,
        open_store(Path(folder) / "dry-run.db", key=token_bytes(32)) as store,
    ):
        conduct(plan, store=store, options=options)
        yield DryRun(analyse(plan, store=store), store)
