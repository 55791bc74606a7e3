"""A subject that sees the options and nothing else: it must do no better than chance."""

import numpy as np
from scipy.stats import binom, rankdata
from sklearn.ensemble import RandomForestClassifier


def looks(options, features):
    """Return a row per option: its features, their rank among the options, and how far it is from the others."""
    rows = np.array([features(option) for option in options], dtype=float)
    spread = np.where(rows.std(axis=0) > 0, rows.std(axis=0), 1)
    apart = np.abs((rows[:, None] - rows) / spread).sum(axis=(1, 2))
    # Options agree where they share a value: the answer must not be the one that shares most.
    shared = (rows[:, None] == rows).sum(axis=(1, 2))
    ranks = rankdata(rows, axis=0)
    return np.column_stack([np.arange(len(rows)), rows, ranks, apart, rankdata(apart), shared, rankdata(shared)])


def guesses(items, features):
    """Return by way of guessing how many are right, and of how many: all by rules, the second half by a classifier.

    Parameters
    ----------
    items
        Options in the order in which they are offered, and the place of the answer.
    """
    shown = [looks(options, features) for options, _ in items]
    places = np.array([place for _, place in items])
    half, count = len(items) // 2, len(items[0][0])
    wanted = np.concatenate([np.arange(count) == place for place in places])
    model = RandomForestClassifier(n_estimators=30, min_samples_leaf=10, random_state=0)
    model.fit(np.concatenate(shown[:half]), wanted[: half * count])
    chances = model.predict_proba(np.concatenate(shown[half:]))[:, 1].reshape(-1, count)
    right = {"classifier": (int((chances.argmax(axis=1) == places[half:]).sum()), len(items) - half)}
    for column in range(shown[0].shape[1]):
        values = np.array([table[:, column] for table in shown])
        # Ties are broken by a place that moves from item to item.
        values = values + 1e-9 * ((np.arange(count) + np.arange(len(values))[:, None]) % count)
        right[f"most {column}"] = (int((values.argmax(axis=1) == places).sum()), len(items))
        right[f"least {column}"] = (int((values.argmin(axis=1) == places).sum()), len(items))
    return right


def leaks(items, features, *, level=1e-4):
    """Return the ways of guessing that do better than chance allows, with how often they are right."""
    right = guesses(items, features)
    chance, level = 1 / len(items[0][0]), level / len(right)
    return {name: f"{got} of {n}" for name, (got, n) in right.items() if got > binom.ppf(1 - level, n, chance)}
