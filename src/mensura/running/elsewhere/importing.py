"""Importing the log of another program as a run, with its answers, scores, messages, tokens and failures."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from mensura.catalog.find import INSPECT, find_test
from mensura.dialogue import SUBJECT, Address, Seed
from mensura.errors import BadFile
from mensura.running.elsewhere.administering import done_of
from mensura.running.plan import Plan, session_id
from mensura.running.run import RunOptions, begin_run, job_of
from mensura.running.scoring.storing import store_scores
from mensura.store.archive.imported import Imported
from mensura.store.archive.importer import IMPORTED, compared
from mensura.store.head import SessionHead
from mensura.subjects import SubjectSpec

if TYPE_CHECKING:
    from mensura.store import Store


def import_log(store: "Store", path: str | Path) -> Imported:
    """Bring a log of Inspect into a store as a run, a session for each sample and epoch.

    Reading the same log twice changes nothing.

    Raises
    ------
    BadFile
        If it is not a log, or holds no samples.
    """
    test = find_test(f"{INSPECT}{path}")
    assert test.administer is not None
    assert test.bank is not None
    about, sha256 = dict(test.administer.about), compared(Path(path))
    for head in store.runs.all():
        if head.details.get("elsewhere", {}).get("eval_id") == about["eval_id"]:
            return Imported([head.id], "public", {}, sha256, chained=False)
    told = list(test.administer(None, items=list(test.bank), epochs=range(2**31)))
    if not told:
        raise BadFile(f"{path} holds no sample that came to an end.")
    plan = Plan(f"{INSPECT}{path}", {SUBJECT: SubjectSpec(about["model"], given=_gone)}, {})
    # What is over needs no seed; a public one hides nothing. How far the subject was kept apart nobody here knows.
    options = RunOptions(details={"isolation": {}})
    head = begin_run(plan, store=store, seed=Seed.choose(0), options=options)
    addresses = [Address(session=one.epoch, item=one.item) for one in told]
    store.sessions.add_many(
        SessionHead(session_id(head.id, address), head.id, address, head.cast, created=one.began or head.created)
        for address, one in zip(addresses, told, strict=True)
    )
    for address, one in zip(addresses, told, strict=True):
        job = job_of(head, address, plan=plan, store=store, options=options)
        done = done_of(job, one, test=test, final=True)
        store.events.append(done.session, done.events, truths=done.truths)
        if done.scores is not None:
            store_scores(done.scores, done.session, run=head, store=store)
    store.database.flush()
    store.runs.open(head.id)
    store.trail.note("", IMPORTED, head.id, file=Path(path).name, sha256=sha256)
    return Imported([head.id], "public", {"sessions": len(told), "items": len(test.bank)}, sha256, chained=False)


def _gone(ask: Any) -> Any:
    raise NotImplementedError("Who took this test elsewhere cannot be asked here.")
