"""Rescore: old records by today's scoring and today's truths; earlier results are kept."""

from dataclasses import replace
from typing import TYPE_CHECKING

from mensura.catalog.find import find_test
from mensura.dialogue import instance_hash
from mensura.running.provenance import environment_hash
from mensura.running.run import RunResult, summarise_run
from mensura.running.scoring import score_record, scoring_version

if TYPE_CHECKING:
    from mensura.store import Store


def rescore(run_id: str, *, store: "Store") -> RunResult:
    """Score every finished session of a run again and store the results beside the old ones."""
    head = store.run(run_id)
    test = find_test(str(head.details.get("reference", head.test)))
    instance, environment = instance_hash(test, head.parameters), environment_hash()
    for record, truths in store.records_with_truths(head.id):
        # A session taken in batch form left scores but no answers to score again.
        if record.status == "finished" and record.answers:
            scores = score_record(test, record, truths)
            store.add_results(
                record.session,
                scores,
                scoring=scoring_version(test),
                instance_hash=instance,
                environment_hash=environment,
            )
    return summarise_run(replace(head, instance_hash=instance, environment_hash=environment), store=store)
