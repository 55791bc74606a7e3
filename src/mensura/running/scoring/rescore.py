"""Rescore: old records by today's truths, and by another version of the scoring only where that is asked for."""

from typing import TYPE_CHECKING

from mensura.catalog.find import find_test
from mensura.dialogue import Test
from mensura.errors import BadFile, BadParameter, UnknownName
from mensura.running.reference import definition_of, reference
from mensura.running.results.summary import RunResult, summarise_run
from mensura.running.scoring.provenance import environment_hash
from mensura.running.scoring.scoring import scoring_version
from mensura.running.scoring.storing import score_stored

if TYPE_CHECKING:
    from mensura.store import Store
    from mensura.store.head import RunHead


def rescore(run_id: str, *, store: "Store", by: str | None = None, reduce: str | None = None) -> RunResult:
    """Score every session of a run again that is over, and store the results beside the old ones.

    Parameters
    ----------
    by
        The version to score by where it is not the run's own: that of a scoring ("2"), or a test's id ("coin-v2").
        The results then carry both versions.
    reduce
        What makes one number of all answers to an item, where it is not what the run was begun with.

    Raises
    ------
    Altered
        If the record is not what was written.
    BadParameter
        If the test as installed scores by another version than the run's, and `by` does not name it.
    """
    from mensura.store.sealed.proof import audit_run

    head = store.runs.find(run_id)
    # Prompts that a scoring reads are looked at when it reads them.
    audit_run(store, head.id, prompts=False).require()
    test = _test_of(head, by)
    version = _version(head, test, by)
    for record, truths in store.records.with_truths(head.id):
        score_stored(record, truths, test=test, run=head, store=store, scoring=version, environment=environment_hash())
    store.runs.open(head.id)
    return summarise_run(store.runs.find(head.id), store=store, reduce=reduce)


def _version(head: "RunHead", test: Test, by: str | None) -> str:
    """Name the version that the results will carry; another one than the run's must have been asked for."""
    own = str(head.details.get("scoring", scoring_version(test)))
    found = scoring_version(test)
    named = found if test.id == head.test else f"{test.id}, scoring {found}"
    if named == own:
        return own
    if by is None:
        raise BadParameter(
            f"{head.id} was scored by version {own} of {head.test}; installed is {named}, which may score differently. "
            f"Score by it with: mensura score {head.id} --by {found if test.id == head.test else test.id}"
        )
    if by not in (found, test.id):
        raise BadParameter(f"The scoring of {test.id} that is installed has version {found}; got --by {by}.")
    return named


def _test_of(head: "RunHead", by: str | None) -> Test:
    try:
        present = find_test(reference(head))
    except BadFile as error:
        raise BadFile(
            f"The file of its test is needed to score {head.id} again: {error} The scores that it came with are shown "
            f"by: mensura report {head.id}"
        ) from None
    if by is not None and "-v" in by:
        return present if present.id == by else find_test(by)
    try:
        return definition_of(head)
    except UnknownName:
        raise BadParameter(
            f"{head.id} was taken under {head.test}; installed is {present.id}, which may score differently. "
            f"Score by it with: mensura score {head.id} --by {present.id}"
        ) from None
