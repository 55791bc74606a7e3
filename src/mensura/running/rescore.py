"""Rescore: old records by today's scoring and today's truths; earlier results are kept."""

from dataclasses import replace
from typing import TYPE_CHECKING

from mensura.catalog.find import find_test
from mensura.dialogue import Test, instance_hash
from mensura.errors import BadFile
from mensura.running.provenance import environment_hash
from mensura.running.run import RunResult, reference, summarise_run
from mensura.running.scoring import score_record, scoring_version

if TYPE_CHECKING:
    from mensura.store import Store
    from mensura.store.head import RunHead


def rescore(run_id: str, *, store: "Store") -> RunResult:
    """Score every finished session of a run again and store the results beside the old ones."""
    head = store.run(run_id)
    test = _test_of(head)
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


def _test_of(head: "RunHead") -> Test:
    try:
        return find_test(reference(head))
    except BadFile as error:
        raise BadFile(
            f"To score {head.id} again the file of its test is needed: {error} The scores that it came with are shown "
            f"by: mensura report {head.id}"
        ) from None
