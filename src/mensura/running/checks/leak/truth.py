"""Truth: nothing that a subject can read holds it before it has answered."""

from secrets import token_hex

import numpy as np

from mensura.dialogue.canonical import canonical
from mensura.running.checks.check import Check
from mensura.running.checks.leak.deciding import telling_places
from mensura.running.checks.leak.occurrence import occurrences
from mensura.running.checks.leak.permutation import noted, worst
from mensura.running.checks.leak.sitting import all_shown, sit
from mensura.running.checks.leak.substitution import with_truths
from mensura.running.checks.replaying import first_difference
from mensura.running.checks.trial import Held, Trial

LEVEL = 2e-4
"""How often an honest test may be suspected by bad luck, for each of the two ways to look at what is shown."""


def check_truth_hidden(trial: Trial) -> Check:
    """Look for truths where subjects can read.

    Four ways: truths are replaced by marks that must not turn up in the log; a session without truths must leave the
    same log and digests; no fixed place of an ask, such as the end of the key or the fourth word of the prompt, may
    always hold the right answer; and key, prompt, space and what was told must not hold the truth of their own ask
    more often than those of others, whether as a whole or inside other words.

    A test that shows its truths rightly says why in `shows_truth`: prompt and tells may then hold them.
    """
    name = "truth hidden"
    truths = trial.first.truths
    if not truths:
        return Check(name, None, "no ask carries a truth")
    if marked := _marks_logged(trial):
        return Check(name, False, marked)
    bare = trial.hold(trial.chance, test=with_truths(trial.test, lambda key, truth: None))
    if difference := first_difference(trial.first.events, bare.events):
        return Check(name, False, f"the log depends on truths: {difference}")
    shown, reason = all_shown(trial), trial.test.shows_truth
    told = occurrences(shown, np.random.default_rng(trial.seed))
    for suspicions in (telling_places(shown), told):
        judged = [one for one in suspicions if not one.explained and not (one.excused and reason)]
        if found := worst(judged, level=LEVEL):
            return Check(name, False, str(found))
    where = "shown on purpose" if reason else "none in asks, tells, log or digests"
    remarks = () if reason else noted(told, level=LEVEL)
    where = "among other words or numbers of the prompt" if remarks else where
    return Check(name, True, f"{len(truths)} truths, {where}" + (f": {reason}" if reason else ""), remarks)


def _marks_logged(trial: Trial) -> str:
    """Replace every truth by a mark, and look for it, and for the seed, in all that readers of the log can see."""
    mark = f"mark-{token_hex(12)}"
    # One key has one truth, so its mark is made of the key.
    held = sit(trial, test=with_truths(trial.test, lambda key, truth: f"{mark}-{key}")).held
    log = canonical([[event.value, event.key, event.content, event.notes] for event in held.events])
    if mark in log:
        return "the log of events holds a truth."
    return "" if str(trial.seed) not in _without_saves(held) else "the log of events holds the seed."


def _without_saves(held: Held) -> str:
    """Write the log as subjects may come to see it; saves hold the generator and stay with the store."""
    return canonical([[event.value, event.key, event.content] for event in held.events if event.kind != "save"])
