"""How often intervals hold the truth: of agreement in made panels, and of scores over those who wrote the answers."""

import numpy as np
from scipy.stats import norm

from mensura.catalog.analogy.experts.sizing import alpha_of_share, share_of_alpha, simulated_ratings
from mensura.catalog.analogy.ranking import Rated
from mensura.stats import krippendorff_alpha, proportion_estimate

PANELS = ((20, 3, 0.3), (30, 4, 0.4), (30, 13, 0.34), (60, 3, 0.6))
"""Items, raters, and the alpha in the long run."""
COPIES, ADJACENT = (0, 1, 2), ((0, 1), (1, 2), (2, 3))


def main() -> None:
    """Print coverage of 95 % intervals over 1 000 made panels each, and over 200 made corpora."""
    for items, raters, alpha in PANELS:
        share, mean, truth = covered(studies=1000, items=items, raters=raters, alpha=alpha, seed=2, resamples=999)
        print(f"alpha {truth:.3f}, {items} items, {raters} raters: {told(share, 1000)}, mean alpha {mean:.3f}")
    for name, share in covered_writers(studies=200).items():
        print(f"{name}, 19 writers of 5 answers: {told(share, 200)}")


def told(share: float, n: int) -> str:
    """Return a share with its interval, in words."""
    return f"covered {proportion_estimate(round(share * n), n=n)}"


def covered(
    *, studies: int, items: int, raters: int, alpha: float, seed: int, resamples: int
) -> tuple[float, float, float]:
    """Return the share of made panels whose interval holds the known alpha, their mean alpha, and the known one."""
    truth = alpha_of_share(share_of_alpha(alpha))
    rng = np.random.default_rng(seed)
    inside, values = 0, []
    for _ in range(studies):
        table = simulated_ratings(rng, items=items, raters=raters, share=share_of_alpha(alpha))
        found = krippendorff_alpha(table, scale="interval", rng=rng, resamples=resamples).coefficient
        inside += found.low <= truth <= found.high
        values.append(found.value)
    return inside / studies, float(np.mean(values)), truth


def covered_writers(*, studies: int) -> dict[str, float]:
    """Return the share of made corpora whose intervals over writers hold what very many writers give."""
    many = made_corpus(1500, seed=10**6)
    everyone = np.ones((1, 1500))
    truths = {
        "copies (AUC)": float(many._area(COPIES, [3])(everyone)[0]),
        "adjacent levels (AUC)": float(np.mean([many._area([one], [two])(everyone)[0] for one, two in ADJACENT])),
    }
    inside = dict.fromkeys(truths, 0)
    for seed in range(studies):
        made = made_corpus(19, seed=seed)
        for name, found in zip(truths, (made.area(COPIES, [3]), made.mean_area(ADJACENT)), strict=True):
            inside[name] += found.low <= truths[name] <= found.high
    return {name: count / studies for name, count in inside.items()}


def made_corpus(writers: int, *, seed: int) -> Rated:
    """Return answers of writers who differ: each writes two of their own, a copy, a light and a heavy revision."""
    rng = np.random.default_rng(seed)
    rows = []
    for writer in range(writers):
        own, order = rng.normal(0, 0.6), rng.permutation(5)
        for task in range(5):
            level = (0, 1, 2, 3, 3)[order[task]]
            rows.append((float(norm.cdf(0.9 - 0.6 * level + own + rng.normal())), level, "abcde"[task], f"p{writer}"))
    closeness, levels, tasks, units = zip(*rows, strict=True)
    return Rated.of(closeness, level=levels, task=tasks, unit=units)


if __name__ == "__main__":
    main()
