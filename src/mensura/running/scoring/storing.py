"""Storing scores: the one place where the scores of a session reach the store, with the versions they came from."""

import logging
import time
from collections.abc import Mapping
from threading import Lock
from typing import TYPE_CHECKING, Any

from mensura.dialogue import Record, Scores, Test
from mensura.running.reference import definition_of
from mensura.running.scoring.scoring import SCORED, score_record, scoring_version
from mensura.store.log.results import Result

if TYPE_CHECKING:
    from mensura.store import RunHead, Store

log = logging.getLogger("mensura.running")
_scoring = Lock()
"""A person's page and the thread that plays for programs may find at the same moment that a session is over."""


def score_stored(
    record: Record,
    truths: Mapping[str, Any],
    *,
    test: Test,
    run: "RunHead",
    store: "Store",
    scoring: str = "",
    environment: str = "",
) -> bool:
    """Score a session that is over, and store its scores beside those it may have; return whether it had any.

    Parameters
    ----------
    scoring
        The version that the scores carry; that of the test where none is given.
    environment
        Hash of the packages that scored; that of the run where none is given.
    """
    # A session taken in batch form left scores but no answers to score again.
    if record.status not in SCORED or not record.answers:
        return False
    scores = score_record(test, record, truths)
    named = scoring or scoring_version(test)
    store_scores(scores, record.session, run=run, store=store, scoring=named, environment=environment)
    return True


def store_scores(
    scores: Scores, session: str, *, run: "RunHead", store: "Store", scoring: str = "", environment: str = ""
) -> None:
    """Store the scores of a session, by the version of the scoring and in the environment that its run began with."""
    store.results.add_many([new_result(scores, session, run=run, scoring=scoring, environment=environment)])


def new_result(scores: Scores, session: str, *, run: "RunHead", scoring: str = "", environment: str = "") -> Result:
    """Describe the scores of a session as they are to be stored."""
    return Result(
        session,
        scoring or run.details["scoring"],
        scores.instance or run.instance_hash,
        environment or run.environment_hash,
        time.time(),
        scores,
    )


def score_finished(store: "Store", session_id: str) -> None:
    """Score a session that is over, once; one that died keeps what it earned.

    A scoring that fails is for the experimenter to see, not for the person.
    """
    with _scoring:
        head = store.sessions.find(session_id)
        if head.status not in SCORED or is_scored(store, session_id, head.status):
            return
        run = store.runs.find(head.run)
        try:
            record, truths = store.records.find(session_id), store.truths.of(session_id)
            if score_stored(record, truths, test=definition_of(run), run=run, store=store):
                store.runs.open(run.id)
        except Exception:
            log.exception("The session %s could not be scored; `mensura score %s` tries again.", session_id, run.id)


def is_scored(store: "Store", session_id: str, status: str) -> bool:
    """Return whether the latest scores are of the session as it stands: one that was lost may have gone on."""
    history = store.results.history(session_id)
    return bool(history) and (history[-1].scores.status != "lost" or status == "lost")
