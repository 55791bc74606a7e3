"""Blind subjects: they see the options and never what is asked."""

import numpy as np
from scipy.stats import binom


def rates(options, right, *, features):
    """Return how often each blind guess is right: by place, by rank, by likeness, and by a fitted classifier.

    Parameters
    ----------
    options
        For each item its options as vectors of numbers, one array of options × properties.
    right
        The place of the right one in each.
    """
    found = {f"place {n}": np.mean(np.array(right) == n) for n in range(len(options[0]))}
    for column in range(features):
        for name, pick in (("least", np.argmin), ("most", np.argmax)):
            found[f"{name} of {column}"] = np.mean(
                [pick(one[:, column]) == answer for one, answer in zip(options, right, strict=True)]
            )
    alike = [np.argmin(np.abs(one[:, None] - one[None]).sum((1, 2))) for one in options]
    found["most alike"] = np.mean(np.array(alike) == np.array(right))
    found["fitted"] = _fitted(options, right)
    return found


def _fitted(options, right):
    from sklearn.ensemble import RandomForestClassifier

    half = len(options) // 2
    # Each option beside what all options of its item have in common.
    rows = [
        np.hstack([one, one - one.mean(0), np.sort(one, axis=0).ravel()[None].repeat(len(one), 0)]) for one in options
    ]
    truth = [np.arange(len(one)) == answer for one, answer in zip(options, right, strict=True)]
    forest = RandomForestClassifier(min(80, half // 5), max_depth=8, random_state=0).fit(
        np.vstack(rows[:half]), np.hstack(truth[:half])
    )
    guesses = [np.argmax(forest.predict_proba(one)[:, 1]) for one in rows[half:]]
    return np.mean(np.array(guesses) == np.array(right[half:]))


def bound(chance, count, guesses):
    """Return the rate that the best of so many guesses at chance exceeds once in a thousand times."""
    return binom.ppf(1 - 0.001 / guesses, count, chance) / count
