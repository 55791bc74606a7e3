"""Batch: the arrays of a test say the same as its dialogue, statistically."""

import numpy as np

from mensura.dialogue import Address, Instance, Scores, generator, session_mean
from mensura.errors import MensuraError
from mensura.running.checks.chance import ERRORS
from mensura.running.checks.check import Check
from mensura.running.checks.trial import MakeSubject, Trial
from mensura.running.job import play


def check_batch(trial: Trial) -> Check:
    """Let every reference subject with a batch form take several sessions in both forms, and compare mean scores."""
    name = "batch form"
    if trial.test.batch is None:
        return Check(name, None, "it has none")
    tried = []
    for subject, make in trial.test.subjects.items():
        if not _can_be_made(make):
            continue
        arrays = [_as_arrays(trial, make, number) for number in range(trial.sessions)]
        batches = [scores for scores in arrays if scores is not None]
        if not batches:
            continue
        tried.append(subject)
        try:
            plain = [trial.hold(make, session=number).scores() for number in range(trial.sessions)]
        except MensuraError as error:
            return Check(name, False, f"{subject} does not get through the dialogue: {error}")
        if wrong := _compare(plain, batches):
            return Check(name, False, f"for {subject} {wrong}")
    if not tried:
        return Check(name, None, "no reference subject has one under these parameters")
    return Check(name, True, f"agrees with the dialogue for {', '.join(tried)} over {trial.sessions} sessions")


def _can_be_made(make: MakeSubject) -> bool:
    """Return whether a reference subject needs no arguments."""
    try:
        make()
    except Exception:
        return False
    return True


def _as_arrays(trial: Trial, make: MakeSubject, number: int) -> Scores | None:
    # Apart from the sessions of the dialogue, so that the two samples are independent.
    rng = generator(trial.seed, Address(session=number), stream="batch")
    instance = Instance(trial.test, trial.parameters, trial.seed + 1, Address(session=number))
    roles = instance.roles
    return play(instance, rng, make() if len(roles) == 1 else {role: make() for role in roles})


def _compare(plain: list[Scores], batches: list[Scores]) -> str:
    names = set(plain[0].values)
    if names != set(batches[0].values):
        return f"the dialogue scores {', '.join(sorted(names))}, the arrays {', '.join(sorted(batches[0].values))}."
    for score in sorted(names):
        one, other = (np.array([session_mean(scores.values[score]) for scores in form]) for form in (plain, batches))
        one, other = one[~np.isnan(one)], other[~np.isnan(other)]
        if len(one) < 2 or len(other) < 2:
            continue
        error = np.hypot(np.std(one, ddof=1) / np.sqrt(len(one)), np.std(other, ddof=1) / np.sqrt(len(other)))
        if abs(one.mean() - other.mean()) > max(ERRORS * error, 1e-9):
            return f"{score} is {one.mean():.4g} in the dialogue and {other.mean():.4g} as arrays (± {error:.2g})."
    return ""
