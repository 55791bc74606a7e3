"""Scale-free problems: random tables on a network whose degrees follow a power law."""

import heapq
from collections.abc import Sequence

import numpy as np

from mensura.catalog.constraints.families.network import Array, draw_tables, network
from mensura.catalog.constraints.problem.problem import Problem
from mensura.errors import BadParameter

SWAPS = 5
"""Swaps for each link that make a network with given degrees random."""


def scale_free(
    rng: np.random.Generator,
    *,
    n: int = 100,
    m: int = 10,
    t: float = 0.25,
    md: int = 4,
    gamma: float = 0.0,
    kmax: int = 0,
    degrees: str = "",
) -> Problem:
    """Draw random tables, a share t of pairs forbidden in each, on a scale-free network of least degree md.

    Without gamma the network grows by preferential attachment (Barabási and Albert 1999): every new node joins md
    others, in proportion to their links. With gamma the degrees are drawn from k^-gamma, md ≤ k ≤ kmax (n - 1 unless
    given), and a random simple network has exactly these; `degrees` prescribes them one by one ("3 3 2 2"). The
    exponent that fits the network best is noted as `gamma`, whichever way it was made.
    """
    given = _given(degrees)
    n = len(given) or n
    if n < 2 or m < 1 or not 0 <= t <= 1:
        raise BadParameter(f"A scale-free problem needs n ≥ 2, m ≥ 1 and 0 ≤ t ≤ 1; got n={n}, m={m}, t={t:g}.")
    if not given and not 1 <= md < n:
        raise BadParameter(f"The least degree lies between 1 and n - 1 = {n - 1}; got md={md}.")
    if given:
        md = max(min(given), 1)
        links = random_network(rng, given)
    elif gamma:
        links = random_network(rng, draw_degrees(rng, n=n, md=md, gamma=gamma, kmax=kmax or n - 1))
    else:
        links = attach(rng, n=n, md=md)
    forbidden = round(t * m * m)
    tables = draw_tables(rng, m=m, links=len(links), forbidden=forbidden)
    counted = np.bincount(np.array(links, dtype=int).reshape(-1), minlength=n)
    fitted = fit_gamma(counted, least=md, most=n - 1)
    return network(
        "scale-free", n=n, values=range(m), links=links, tables=tables, gamma=fitted, most_links=int(counted.max())
    )


def attach(rng: np.random.Generator, *, n: int, md: int) -> list[tuple[int, int]]:
    """Grow a network from md + 1 nodes that are all linked."""
    links = [(i, j) for j in range(md + 1) for i in range(j)]
    # Every node stands in this list once for each of its links, so that drawing from it prefers those with many.
    ends = [node for link in links for node in link]
    drawn = iter(rng.random(4 * md * n).tolist())
    for new in range(md + 1, n):
        chosen: dict[int, None] = {}
        while len(chosen) < md:
            if (share := next(drawn, None)) is None:
                drawn = iter(rng.random(4 * md * n).tolist())
                continue
            chosen[ends[int(share * len(ends))]] = None
        for old in chosen:
            links.append((old, new))
            ends += (old, new)
    return links


def draw_degrees(rng: np.random.Generator, *, n: int, md: int, gamma: float, kmax: int) -> list[int]:
    """Draw n degrees from a power law, again and again until a simple network can have them."""
    if gamma <= 1:
        raise BadParameter(f"A power law of degrees needs gamma > 1; got gamma={gamma:g}.")
    if not md <= kmax < n:
        raise BadParameter(f"The largest degree lies between md = {md} and n - 1 = {n - 1}; got kmax={kmax}.")
    k = np.arange(md, kmax + 1)
    if md == kmax and n * md % 2:
        raise BadParameter(f"The sum of all degrees is even in every network; {n} nodes of degree {md} have {n * md}.")
    law = np.power(k, -gamma, dtype=float)
    while True:
        drawn = sorted(rng.choice(k, size=n, p=law / law.sum()).tolist(), reverse=True)
        if sum(drawn) % 2 == 0 and graphical(drawn):
            return drawn


def graphical(degrees: Sequence[int]) -> bool:
    """Say whether a simple network can have these degrees, largest first (Erdős and Gallai 1960)."""
    d = np.array(degrees)
    k = np.arange(1, len(d) + 1)
    # Sum over the others of min(d, k): those with more than k links count k.
    above = np.searchsorted(-d, -k, side="right")
    total = np.concatenate([[0], np.cumsum(d)])
    split = np.maximum(above, k)
    rest = (split - k) * k + total[-1] - total[split]
    return bool(np.all(total[k] <= k * (k - 1) + rest))


def random_network(rng: np.random.Generator, degrees: Sequence[int]) -> list[tuple[int, int]]:
    """Return a random simple network with these degrees: one that has them, with ends of links swapped many times."""
    left = [(-degree, node) for node, degree in enumerate(degrees) if degree]
    heapq.heapify(left)
    links: list[tuple[int, int]] = []
    while left:
        most, node = heapq.heappop(left)
        # The node with most free ends joins those that have most of the others (Havel 1955, Hakimi 1962).
        others = [heapq.heappop(left) for _ in range(-most)]
        links += [(min(node, other), max(node, other)) for _, other in others]
        for free, other in others:
            if free < -1:
                heapq.heappush(left, (free + 1, other))
    held = set(links)
    drawn = rng.integers(len(links), size=(SWAPS * len(links), 2)).tolist()
    for (i, j), flip in zip(drawn, (rng.random(len(drawn)) < 0.5).tolist(), strict=True):
        (a, b), (c, d) = links[i], links[j][:: -1 if flip else 1]
        first, second = (min(a, d), max(a, d)), (min(c, b), max(c, b))
        if a == d or b == c or first in held or second in held:
            continue
        held -= {links[i], links[j]}
        held |= {first, second}
        links[i], links[j] = first, second
    return sorted(links)


def fit_gamma(degrees: Array, *, least: int, most: int) -> float:
    """Return the exponent of the power law from `least` to `most` links that makes the degrees most likely.

    There the mean of log k is what the law expects it to be, and that falls as the exponent grows.
    """
    logs = np.log(np.arange(least, most + 1))
    seen = float(np.mean(np.log(np.clip(degrees, least, most))))
    low, high = -20.0, 60.0
    for _ in range(60):
        gamma = (low + high) / 2
        law = np.exp(-gamma * (logs - logs[0 if gamma > 0 else -1]))
        if float(law @ logs / law.sum()) > seen:
            low = gamma
        else:
            high = gamma
    return (low + high) / 2


def _given(text: str) -> list[int]:
    try:
        degrees = [int(part) for part in text.split()]
    except ValueError:
        raise BadParameter(f"Degrees are whole numbers with spaces between them; got {text!r}.") from None
    if degrees and (min(degrees) < 0 or max(degrees) >= len(degrees)):
        raise BadParameter(f"Degrees of {len(degrees)} nodes lie between 0 and {len(degrees) - 1}; got {text!r}.")
    if sum(degrees) % 2:
        raise BadParameter(f"The sum of all degrees is even in every network; these have {sum(degrees)}.")
    if degrees and not graphical(sorted(degrees, reverse=True)):
        raise BadParameter(f"No network without double links has the degrees {text!r}.")
    return degrees
