"""Chance: random answers score at the level that the test declares."""

import numpy as np
from scipy.stats import t

from mensura.dialogue import Items
from mensura.errors import MensuraError
from mensura.running.checks.check import Check
from mensura.running.checks.leak.sitting import sit
from mensura.running.checks.trial import Trial

ERRORS = 4
"""Standard errors that the mean may be off: with 30 sessions one true level in 2 500 is found wrong by bad luck."""
UNLUCKY = 2e-4
"""How often a true level may be found wrong on either side, however few the sessions."""
RARE = 6e-5
"""The same for events: what lies outside four standard errors of a normal mean."""


def check_chance_level(trial: Trial) -> Check:
    """Let the chance subject take several sessions and compare its mean scores with those declared."""
    name = "chance level"
    levels = trial.test.chance_levels(trial.parameters)
    if not levels:
        return Check(name, None, "none is declared: add chance={score: level} to its @test where it can be computed")
    collected: dict[str, list[Items]] = {score: [] for score in levels}
    for number in range(trial.sessions):
        try:
            values = sit(trial, number).held.scores().values
        except MensuraError as error:
            return Check(name, False, f"session {number + 1} fails: {error}")
        for score in levels:
            if score not in values:
                return Check(name, False, f"a level is declared for {score}, but scores are {', '.join(values)}.")
            collected[score].append(as_items(values[score]))
    words = []
    for score, level in levels.items():
        passed, found = judge(collected[score], level)
        words.append(f"{score} {found}, declared {level:.4g}")
        if not passed:
            return Check(name, False, words[-1])
    return Check(name, True, f"over {trial.sessions} sessions " + "; ".join(words))


def as_items(value: Items | float) -> Items:
    """Return a score of a session as items, without those that were not scored."""
    values = value.values if isinstance(value, Items) else np.array([value], dtype=float)
    return Items(values[~np.isnan(values)])


def judge(sessions: list[Items], level: float) -> tuple[bool, str]:
    """Return whether a level lies within four standard errors of the mean, more for few sessions, and what was found.

    Where all items are equal there is no standard error: the level must be met exactly, or be the chance of an event
    so rare, or so common, that the sessions may well have missed the other case.
    """
    scored = [items.values for items in sessions if len(items.values)]
    if len(scored) < 2:
        return False, f"was scored in {len(scored)} sessions, too few to judge"
    means, every = np.array([values.mean() for values in scored]), np.concatenate(scored)
    mean, error = float(means.mean()), float(means.std(ddof=1) / np.sqrt(len(means)))
    found = f"{mean:.4g} ± {error:.2g}"
    if abs(mean - level) <= 1e-9 * max(1.0, abs(level)):
        return True, found
    if (every == every[0]).all():
        likely = {1.0: level, 0.0: 1 - level}.get(float(every[0]), 0.0)
        return 0 <= likely <= 1 and likely ** len(every) > RARE, found
    # Of few sessions the standard error itself is not known well.
    return abs(mean - level) <= float(t.isf(UNLUCKY, len(means) - 1)) * error, found
