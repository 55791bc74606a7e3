"""Counting: which sessions of a run count, and what its scores are with and without those that were excluded."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from mensura.dialogue import Scores, undeclared
from mensura.dialogue.record import POOLED
from mensura.heap import give_back
from mensura.running.reference import installed_test
from mensura.running.results.estimating import Circumstances, Estimated, estimated
from mensura.running.results.overview import Overview
from mensura.running.results.stored import StoredScores
from mensura.stats import read_population
from mensura.store.head import RunHead

if TYPE_CHECKING:
    from mensura.store import Store
    from mensura.store.log.exclusions import Exclusion


CONTROL = "control"
"""The detail of a run that names the one that was taken beside it for comparison."""
UNCHECKED_MODEL = "model_rater"
"""The detail of a run that a language model rates in."""


@dataclass(frozen=True)
class Counted:
    """The scored sessions of a run, parted into those that count and those that were excluded."""

    head: RunHead
    everything: Mapping[str, Scores]
    """Of all sessions, those that were excluded too."""
    why: Mapping[str, str]
    """Excluded session → the reason, and whether the rule was made before the data."""
    control: Mapping[str, Scores] | None = None
    """Of the run that was taken beside it for comparison; None where none was."""

    @cached_property
    def scores(self) -> Mapping[str, Scores]:
        """Of the sessions that count."""
        if not self.why:
            return self.everything
        if isinstance(self.everything, StoredScores):
            return replace(self.everything, without=self.why)
        return {session: scores for session, scores in self.everything.items() if session not in self.why}

    @property
    def words(self) -> str:
        """How many count and why others do not; empty where all do."""
        return excluded_words(self.why, of=len({*self.everything, *self.why})) if self.why else ""

    @cached_property
    def overview(self) -> Overview:
        """Return notes on the sessions that count."""
        found = Overview.of(self.head, self.scores.values())
        give_back()
        return found

    def absent(self, found: Mapping[str, Estimated]) -> list[str]:
        """List the declared scores of a test with pooled ones that this run does not have."""
        kept = any(POOLED in scores.details for scores in self.overview.detailed)
        return [name for name in self.overview.declared if name not in found] if kept else []

    def estimated(self, *, generalise: str | None = None) -> dict[str, Estimated]:
        """Estimate the scores from the sessions that count, each with what it would be with all of them."""
        overview, control = self.overview, self.control
        found = estimates_of(self.head, self.scores, generalise=generalise, overview=overview, control=control)
        if not self.why:
            return found
        whole = estimates_of(self.head, self.everything, generalise=generalise, control=control)
        return {
            name: replace(found.get(name) or one.emptied, excluded=self.words, with_excluded=one.estimate)
            for name, one in whole.items()
        }


def counted(head: RunHead, *, store: "Store", left_out: Mapping[str, str] = MappingProxyType({})) -> Counted:
    """Part the scored sessions of a run by the ledger of exclusions, and by what a plan leaves out besides."""
    anew = counted_anew(head, store=store, left_out=left_out)
    return replace(anew, everything=dict(anew.everything.items()))


def counted_anew(
    head: RunHead,
    *,
    store: "Store",
    left_out: Mapping[str, str] = MappingProxyType({}),
    unstored: Mapping[str, Scores] = MappingProxyType({}),
) -> Counted:
    """Part them as `counted` does, for runs of any length: scores are read whenever they are gone through.

    `unstored` are scores of sessions that were interrupted, which are not in the store.
    """
    why = {session: reason_of(one) for session, one in store.exclusions.excluded(head.id).items()}
    why |= {session: reason for session, reason in left_out.items() if session.startswith(f"{head.id}/")}
    scores = StoredScores(store, head.id, unstored=unstored, unchecked=is_of_model_rater(head))
    return Counted(head, scores, why, control_of(head, store=store))


def control_of(head: RunHead, *, store: "Store") -> Mapping[str, Scores] | None:
    """Return the scores of the run that was taken beside this one for comparison; None where none was."""
    run = head.details.get(CONTROL)
    if run is None:
        return None
    excluded = store.exclusions.excluded(run)
    return {name: one for name, one in StoredScores(store, run).items() if name not in excluded}


def reason_of(decision: "Exclusion") -> str:
    """Return why someone excluded a session, and whether by a rule that was there before the data."""
    return f"{decision.reason} ({'by a rule made before' if decision.planned else 'decided after'} the data)"


def excluded_words(why: Mapping[str, str], *, of: int) -> str:
    """Return how many sessions count and why others do not; empty where all do.

    >>> excluded_words({"run/0": "too fast", "run/1": "too fast", "run/2": "fire alarm"}, of=12)
    '9 of 12 sessions count; 3 excluded: too fast × 2, fire alarm × 1'
    """
    reasons = ", ".join(f"{reason} × {many}" for reason, many in Counter(why.values()).items())
    return f"{of - len(why)} of {of} sessions count; {len(why)} excluded: {reasons}" if why else ""


def estimates_of(
    head: RunHead,
    results: Mapping[str, Scores],
    *,
    generalise: str | None = None,
    overview: Overview | None = None,
    control: Mapping[str, Scores] | None = None,
) -> dict[str, Estimated]:
    """Estimate the scores of a run for a population, or for the one that was chosen when it was begun.

    `control` are the scores of the run that was taken beside it for comparison.
    """
    overview = overview or Overview.of(head, results.values())
    chosen = generalise or head.details.get("generalise")
    found = estimated(
        results,
        overview.declared,
        circumstances=Circumstances.of(head),
        generalise=None if chosen is None else read_population(chosen),
        outlines=overview.outlines,
    )
    found |= together(head, results, overview, found, control=control)
    return {name: one.unchecked for name, one in found.items()} if is_of_model_rater(head) else found


def together(
    head: RunHead,
    results: Mapping[str, Scores],
    overview: Overview,
    found: Mapping[str, Estimated],
    *,
    control: Mapping[str, Scores] | None,
) -> dict[str, Estimated]:
    """Estimate the scores that only all sessions give together, where the test has such."""
    if not any(POOLED in scores.details for scores in overview.detailed):
        return {}
    test = installed_test(head)
    if test is None or test.pooled is None:
        return {}
    estimates = test.pooled(results, control)
    return {
        name: replace(found[name], estimate=estimate, answered=estimate, sentence="")
        if name in found
        else Estimated(overview.declared.get(name) or undeclared(name), estimate, estimate, overview.tally, None, "")
        for name, estimate in estimates.items()
        if estimate is not None
    }


def is_of_model_rater(head: RunHead) -> bool:
    """Return whether a run holds the ratings of a language model: what it says of others is not an estimate."""
    rates = "rater" in head.details and head.test.startswith("rating-")
    return bool(head.details.get(UNCHECKED_MODEL)) or (rates and any("llm:" in name for name in head.cast.values()))
