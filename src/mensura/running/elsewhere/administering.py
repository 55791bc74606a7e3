"""Administering: what another program recorded of an item becomes the log of a session like any other."""

from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from mensura.dialogue import SUBJECT, Administered, Ask, Instance, Item, Limits, Session, Status, Test, make_record
from mensura.errors import BadParameter, SubjectFailed
from mensura.running.driver import drive
from mensura.running.job import Done, Job
from mensura.running.scoring.scoring import score_record
from mensura.store import MemoryJournal
from mensura.subjects import SubjectSpec
from mensura.subjects.model.cost.spending import Spending
from mensura.subjects.spec import HUMAN

ONCE = Limits(answer_seconds=None, invalid_in_a_row=1)
"""What was recorded cannot be said again in other words."""


def check_cast(test: Test, cast: Mapping[str, SubjectSpec], spending: Spending) -> None:
    """Refuse people for a test that another program administers, and what only our own requests keep to."""
    if test.administer is None:
        return
    if HUMAN in {spec.name for spec in cast.values()}:
        raise BadParameter(f"{test.id} is administered by another program, to language models only; nobody sees pages.")
    if spending.most is not None or spending.cache or spending.batch is not None:
        raise BadParameter(
            f"{test.id} is administered by another program, which pays by itself: --max-cost, --cache and --batch are "
            "for what is asked from here."
        )


def administer(jobs: Sequence[Job], *, test: Test) -> Iterator[Done]:
    """Let the other program take the sessions of some jobs, and give each as it is to be stored.

    A session of which that program recorded nothing is lost, and can be resumed.
    """
    assert test.administer is not None
    assert test.bank is not None
    for epochs, items in _together(jobs):
        waiting = {(job.address.item, job.address.session): job for job in jobs if job.address.session in epochs}
        asked = [test.bank.find(item) for item in items]
        subject = next(iter(jobs[0].cast.values()))
        try:
            for told in test.administer(subject, items=asked, epochs=epochs):
                job = waiting.pop((told.item, told.epoch), None)
                if job is not None:
                    yield done_of(job, told, test=test)
            words = "The other program recorded nothing of this item."
        except SubjectFailed as failed:
            words = f"{failed} {failed.last_words}".strip()
        for job in waiting.values():
            if job.address.item in items:
                yield Done(job.session, job.address, "lost", words)


def _together(jobs: Iterable[Job]) -> list[tuple[list[int], list[str]]]:
    """Put the epochs together that ask the same items, so that the other program is started as seldom as can be."""
    items: dict[int, list[str]] = defaultdict(list)
    for job in jobs:
        items[job.address.session].append(job.address.item)
    epochs: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for epoch, asked in items.items():
        epochs[tuple(asked)].append(epoch)
    return [(numbers, list(asked)) for asked, numbers in epochs.items()]


def done_of(job: Job, told: Administered, *, test: Test, final: bool = False) -> Done:
    """Lead a session to its end with what was recorded, and score it by the test's own scoring.

    Parameters
    ----------
    final
        Whether nobody can take up again what was lost, as where a file is all there is.
    """
    assert test.bank is not None
    item = test.bank.find(told.item)
    instance = Instance(replace(test, function=_asking(item, told)), job.parameters, job.seed, job.address)
    session, journal = Session(instance, limits=ONCE), MemoryJournal()
    reply = told.reply
    if isinstance(reply, SubjectFailed):
        session.start()
        if reply.status == "lost" and not final:
            session.interrupt(str(reply))
        session.fail(cast(Status, reply.status), last_words=str(reply))
        journal.commit(session.drain(), session.drain_truths())
    else:
        drive(session, {SUBJECT: lambda ask: reply}, journal=journal)
    for event in journal.events:
        # The times of the other program; reading its record took none of the subject's.
        event.time = told.began if told.began is None or event.number == 1 else told.began + (told.seconds or 0.0)
    names = {role: spec.name for role, spec in job.cast.items()}
    about = {"test": test.id, "parameters": job.parameters, "cast": names, "session": job.session}
    record = make_record(journal.events, **about, item=job.address.item)
    record.status = session.status
    truths = {**journal.truths, **told.truths}
    done = Done(job.session, job.address, session.status, session.last_words, session.turns)
    done.scores = score_record(test, record, truths)
    if final or session.status != "lost":
        # What was lost is asked anew as a whole, so nothing of it may stand in the way.
        done.events, done.truths = journal.events, truths
    return done


def _asking(item: Item, told: Administered) -> Callable[..., Generator[Ask, Any, None]]:
    """Return the dialogue of a session that is over: the item was asked, once."""

    def dialogue(rng: Any, **handed_in: Any) -> Generator[Ask, Any, None]:
        yield Ask(item.prompt, item.space, key=item.key, truth=told.truths.get(item.key))

    return dialogue
