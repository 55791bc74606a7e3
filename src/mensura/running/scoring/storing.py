"""Storing scores: the one place where the scores of a session reach the store, with the versions they came from."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mensura.dialogue import Record, Scores, Test
from mensura.running.scoring.scoring import SCORED, score_record, scoring_version

if TYPE_CHECKING:
    from mensura.store import RunHead, Store


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
    store.results.add(
        session,
        scores,
        scoring=scoring or run.details["scoring"],
        instance_hash=run.instance_hash,
        environment_hash=environment or run.environment_hash,
    )
