"""Explained: how much of a sign, or of a truth, the words and numbers of the prompt account for."""

import numpy as np

from mensura.running.checks.leak.permutation import Floats

NOTHING = 0.02
"""Share of a sign's variance below which nothing is left of it."""
CERTAIN = 30.0
"""By how much a count must explain a sign, in units of one ask, so that it is no accident."""
STEPS = 12
FOLDS = 5
MOST = 1200
"""Asks that a learner looks at."""


def left_over(rows: Floats, content: Floats, items: int) -> Floats:
    """Return what of each sign is no weighted sum of counts of letters, digits, symbols and words.

    A weighted sum is what showing the content brings with it: larger numbers have more digits, longer lists more
    commas. It is no clever function of the content, such as the truth itself, so a space after the true ones is left.
    Of few different items any sign is a sum of something, so they must be explained almost whole.
    """
    centred = content - content.mean(axis=0)
    counts = centred[:, centred.std(axis=0) > 1e-9]
    return np.column_stack([_left(column, counts / np.maximum(counts.std(axis=0), 1e-12), items) for column in rows.T])


def _left(column: Floats, counts: Floats, items: int) -> Floats:
    """Take away the counts that explain most, one after another, as long as they do so beyond accident."""
    whole: Floats = column - column.mean()
    rest: Floats = whole
    n, scale = len(column), float((whole**2).sum())
    chosen: list[int] = []
    while (here := float((rest**2).sum())) > NOTHING * scale and len(chosen) < min(STEPS, counts.shape[1]):
        gains = (counts.T @ rest) ** 2 / n / here
        best = int(gains.argmax())
        if gains[best] < min(1 - NOTHING, CERTAIN / items) or best in chosen:
            break
        chosen.append(best)
        basis = counts[:, chosen]
        rest = whole - basis @ np.linalg.lstsq(basis, whole, rcond=None)[0]
    return rest if here > NOTHING * scale else np.zeros(n)


def beyond(truths: Floats, content: Floats, blocks: Floats) -> Floats:
    """Return what of the truths a learner cannot tell from the content, who learns from other blocks than it is asked.

    Parameters
    ----------
    truths, content
        A row for each ask.
    blocks
        The session of each ask.
    """
    spread = content.std(axis=0)
    x = (content - content.mean(axis=0))[:, spread > 1e-9] / spread[spread > 1e-9]
    left: Floats = truths - truths.mean(axis=0)
    if not x.shape[1]:
        return left
    names = np.unique(blocks)
    fold = np.searchsorted(names, blocks) % FOLDS
    for k in range(FOLDS):
        train, test = np.flatnonzero(fold != k)[:MOST], np.flatnonzero(fold == k)
        if len(train) < 2 * FOLDS or not len(test):
            continue
        mean = truths[train].mean(axis=0)
        kernel = _kernel(x[train], x[train]) + 0.3 * np.eye(len(train))
        weights = np.linalg.solve(kernel, truths[train] - mean)
        left[test] = truths[test] - mean - _kernel(x[test], x[train]) @ weights
    return left


def _kernel(a: Floats, b: Floats) -> Floats:
    """Compare contents: straight lines, and what is alike nearby."""
    width = a.shape[1]
    far = (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1) - 2 * a @ b.T
    kernel: Floats = 0.1 * a @ b.T / width + np.exp(-far / width)
    return kernel
