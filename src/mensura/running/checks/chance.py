"""Chance: random answers score at the level that the test declares."""

import numpy as np

from mensura.dialogue import Items
from mensura.errors import MensuraError
from mensura.running.checks.check import Check
from mensura.running.checks.trial import Trial

ERRORS = 4
"""Standard errors that the mean may be off: one check in sixteen thousand fails by bad luck."""


def check_chance_level(trial: Trial) -> Check:
    """Let the chance subject take several sessions and compare its mean scores with those declared."""
    name = "chance level"
    levels = trial.test.chance_levels(trial.parameters)
    if not levels:
        return Check(name, None, "none is declared: add chance={score: level} to its @test where it can be computed")
    collected: dict[str, list[float]] = {score: [] for score in levels}
    for number in range(trial.sessions):
        try:
            values = trial.hold(trial.chance, session=number).scores().values
        except MensuraError as error:
            return Check(name, False, f"session {number + 1} fails: {error}")
        for score in levels:
            if score not in values:
                return Check(name, False, f"a level is declared for {score}, but scores are {', '.join(values)}.")
            if not np.isnan(mean := session_mean(values[score])):
                collected[score].append(mean)
    words = []
    for score, level in levels.items():
        passed, found = judge(collected[score], level)
        words.append(f"{score} {found}, declared {level:.4g}")
        if not passed:
            return Check(name, False, words[-1])
    return Check(name, True, f"over {trial.sessions} sessions " + "; ".join(words))


def session_mean(value: Items | float) -> float:
    """Give a session's score as one number; NaN where nothing was scored."""
    if isinstance(value, Items):
        scored = value.values[~np.isnan(value.values)]
        return float(scored.mean()) if len(scored) else np.nan
    return float(value)


def judge(means: list[float], level: float) -> tuple[bool, str]:
    """Say whether a level lies within four standard errors of the mean, and what was found."""
    if len(means) < 2:
        return False, f"was scored in {len(means)} sessions, too few to judge"
    mean, error = float(np.mean(means)), float(np.std(means, ddof=1) / np.sqrt(len(means)))
    # Equal scores in all sessions must be exact, up to rounding.
    close = abs(mean - level) <= max(ERRORS * error, 1e-9 * max(1.0, abs(level)))
    return close, f"{mean:.4g} ± {error:.2g}"
