"""Distributed dynamic backtracking: no links are added, and what may be obsolete is forgotten."""

from mensura.catalog.constraints.algorithms.abt_forms import AbtNot


class DisDb(AbtNot):
    """Backtracks as `abt-not` does, which is how its authors describe it within one kernel with the others [2]_.

    Of the first paper's message names, Info is `ok` here and Back is `nogood`. Ours: values are tried in the order of
    the domain, where the paper leaves the order open.

    References
    ----------
    .. [1] Bessière, Maestre and Meseguer (2001), IJCAI workshop on distributed constraint reasoning.
    .. [2] Bessière, Maestre, Brito and Meseguer (2005), Artificial Intelligence 161, 7-24.
    """
