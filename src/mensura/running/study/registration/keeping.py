"""Keeping: what an analysis found is bound to the sessions it is about, and a whole study becomes one archive."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mensura.dialogue.canonical import short_hash
from mensura.errors import BadData, Conflict
from mensura.running.people.closing import close_expired
from mensura.running.study.analysis.analysis import Analysis, analyse
from mensura.running.study.invite import runs_beside
from mensura.running.study.plan import Study
from mensura.running.study.registration.register import study_runs
from mensura.stats.wording import several
from mensura.store.log.deeds import ANALYSED, ARCHIVED, SessionDeed
from mensura.store.people.copies import EXPORTED
from mensura.subjects.spec import HUMAN

if TYPE_CHECKING:
    from mensura.store import Exported, Store
    from mensura.store.head import RunHead


def keep_analysis(analysis: Analysis, *, store: "Store", who: str = "") -> str:
    """Bind what an analysis found to every session of the study; the same finding is bound once. Returns its hash.

    What was found, when and by whom then travels in the archive, and its chain tells if anyone changed it.
    """
    found: dict[str, Any] = {
        "study": analysis.study.name,
        "plan": analysis.study.hash,
        "findings": [[one.name, one.verdict, one.sentence] for one in analysis.planned],
        # How many, and no reason: words about someone must be found when they withdraw.
        "counted": analysis.over - len(analysis.left_out),
        "left_out": len(analysis.left_out),
    }
    told = {**found, "hash": short_hash(found)}
    if store.database.read_only:
        return str(told["hash"])
    name = analysis.study.name
    last = {one.session: one.body.get("hash") for one in deeds_of(name, store=store) if one.kind == ANALYSED}
    taken = [one for head in study_runs(name, store=store) for one in store.sessions.of(head.id)]
    over = [one.id for one in taken if one.status not in ("open", "withdrawn")]
    store.deeds.note_all({one: told for one in over if last.get(one) != told["hash"]}, ANALYSED, who=who)
    return str(told["hash"])


def deeds_of(study: str, *, store: "Store") -> list[SessionDeed]:
    """List what was done about the sessions of a study: invitations, panels and analyses, the oldest first."""
    return store.deeds.of_runs([head.id for head in study_runs(study, store=store)])


def runs_of_study(study: str, *, store: "Store") -> list["RunHead"]:
    """List the runs of a study, with those of the quizzes and surveys beside it."""
    heads = study_runs(study, store=store)
    return [*heads, *runs_beside(heads, store=store)]


def _waiting(heads: list["RunHead"], store: "Store") -> int:
    """Count the sessions that someone can still take: programs, and people whose link is open."""
    linked = {name for one in store.invitations.all() if one.status == "open" for name in one.sessions}
    still = [(head, one.id) for head in heads for one in store.sessions.of(head.id) if one.status == "open"]
    # A server that was killed while it gave a place may leave a session that no link leads to.
    return sum(HUMAN not in head.cast.values() or name in linked for head, name in still)


def write_study_archive(study: Study, path: Path, *, store: "Store", who: str = "", kept: bool = False) -> "Exported":
    """Write a whole study into one file that `mensura import` verifies and brings into another store.

    It holds the plan, sessions, exclusions, and the deeds: invitations, panels and analyses, all bound by the chains
    of the sessions, and each of these names all runs. Names and contacts are not in it. Refused while anyone can still
    be asked. With `kept` the file stays where it is written, and is named so to those who withdraw later.
    """
    from mensura.store import export_run

    close_expired(store)
    heads = runs_of_study(study.name, store=store)
    waiting = _waiting(heads, store)
    if waiting:
        raise Conflict(
            f"{several(waiting, 'session')} of {study.name} can still be taken, and an archive would give truths away. "
            "Wait until they are over, or close their links."
        )
    # With too little for any test there is no finding to keep.
    with suppress(BadData):
        keep_analysis(analyse(study, store=store), store=store, who=who)
    runs = [head.id for head in heads]
    bound = _bind_runs(study.name, heads, store=store, who=who)
    written = export_run(store, runs, path, format="zip", study=study.name if bound else "")
    places = [str(path.resolve())] if kept else []
    store.copies.note(who, EXPORTED, ", ".join(runs), runs=runs, places=places, format="zip", sha256=written.sha256)
    return written


def _bind_runs(study: str, heads: list["RunHead"], *, store: "Store", who: str) -> bool:
    """Write into the chain of every session which runs the study has, and where their chains end now.

    So no run, and no end of a session, can be cut off the archive without cutting all of them; and the chains prove
    later what was sent. Returns whether any session is left that says so.
    """
    from mensura.store.archive.writer import ends_of

    ends = ends_of(store, heads)
    bound = [session for session, chain in ends.chains.items() if chain.bound]
    if store.database.read_only:
        return bool(bound) and not ends.missing(study)
    if ends.missing(study):
        store.deeds.note_all(dict.fromkeys(bound, ends.of_study(study)), ARCHIVED, who=who)
    return bool(bound)
