"""Ending: what is done once when a person's session is over."""

import logging
from typing import TYPE_CHECKING, Any

from mensura.running.run import definition_of
from mensura.running.scoring import estimates, score_record, scoring_version

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mensura.store import Store

log = logging.getLogger("mensura.web")


def score_finished(store: "Store", session_id: str) -> None:
    """Score a session that was finished, once; a scoring that fails is for the experimenter to see, not the person."""
    head = store.session(session_id)
    if head.status != "finished" or store.result_history(session_id):
        return
    run = store.run(head.run)
    try:
        test = definition_of(run)
        scores = score_record(test, store.record(session_id), store.truths(session_id))
        store.add_results(
            session_id,
            scores,
            scoring=scoring_version(test),
            instance_hash=run.instance_hash,
            environment_hash=run.environment_hash,
        )
    except Exception:
        log.exception("The session %s could not be scored; `mensura score %s` tries again.", session_id, run.id)


def shown_scores(store: "Store", sessions: "Iterable[str]") -> list[dict[str, Any]]:
    """Give the scores of a participant's sessions, less those that a test keeps from its subjects."""
    shown = []
    for session_id in sessions:
        history = store.result_history(session_id)
        if not history:
            continue
        test = store.run(store.session(session_id).run).test
        scores = history[-1].scores
        kept = set(scores.details.get("not_for_subjects", ()))
        for name, estimate in estimates([scores]).items():
            if name in kept:
                continue
            known = estimate.low == estimate.low
            interval = f"{estimate.low:.3g} to {estimate.high:.3g}" if known else "unknown"
            value = None if estimate.value != estimate.value else float(estimate.value)
            shown.append({"test": test, "name": name, "value": value, "interval": interval, "n": estimate.n})
    return shown
