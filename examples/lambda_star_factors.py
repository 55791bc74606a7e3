"""What makes a collective intelligent? Six factors of Λ*, crossed.

    mensura study run examples/lambda_star_factors.py
    mensura study analyse examples/lambda_star_factors.py -o factors.html

Run by itself, `python examples/lambda_star_factors.py [FOLDER]` plays the same cells at once, prints what each factor
and each pair of them explains, and writes the pictures of single factors to FOLDER.
"""

import sys
from itertools import combinations, count, product
from pathlib import Path

import numpy as np

from mensura.running.study.plan import Cast, Hypothesis, Study

FACTORS = {"size": ("5", "10"), "complexity": ("3", "20"), "agents": (1, 8), "iterations": (50, 100), "sight": (1, 2)}
PROTOCOLS = ("local-search", "stigmergy", "bidding", "binary-tree")
EPISODES = 100
REPETITIONS = 5
CROWD = "size=10, complexity=20, agents=8, iterations=50, sight=1"

study = Study(
    name="lambda-star-factors",
    question="How do uncertainty, complexity, number, time, individual ability and protocol act together?",
    tests=("lambda-star",),
    casts=tuple(Cast(name, {"": name}) for name in PROTOCOLS),
    conditions={"": {"episodes": EPISODES}},
    factors=FACTORS,
    hypotheses=(
        Hypothesis(
            "talking helps a crowd", "intelligence", (f"bidding in {CROWD}", f"local-search in {CROWD}"), "greater"
        ),
        Hypothesis(
            "marks help a crowd", "intelligence", (f"stigmergy in {CROWD}", f"local-search in {CROWD}"), "greater"
        ),
    ),
    seed=2016,
)


def main(folder: Path | None) -> None:
    """Play every cell, say how much every factor and pair of factors changes the score, and draw them one by one."""
    scores = play_cells()
    cells = scores.shape[:-1]
    spread = np.sqrt(scores.var(axis=-1, ddof=1).mean())
    freedom = scores.size - int(np.prod(cells))
    print(f"{scores.size} administrations of {EPISODES} environments. Change of Υ, 95 % t interval, spread pooled")
    for number, (name, levels) in enumerate(FACTORS.items()):
        show(f"{name} {levels[0]} → {levels[1]}", *change(scores, number), spread, freedom)
    for number, protocol in enumerate(PROTOCOLS[1:], start=1):
        both = np.stack([scores[..., 0, :], scores[..., number, :]])
        show(f"{protocol} instead of local-search", *change(both, 0), spread, freedom)
        for agents, level in enumerate(FACTORS["agents"]):
            show(f"    with {level} agents", *change(both[:, :, :, agents], 0), spread, freedom)
    for one, other in combinations(range(len(FACTORS)), 2):
        first, second = (list(FACTORS)[number] for number in (one, other))
        low, high = (np.take(scores, level, axis=one) for level in (0, 1))
        estimate, count = change(high - low, other - 1)
        # A difference of differences: each of its numbers is itself a difference, of twice the variance.
        show(f"{first} changes what {second} does", estimate, count, spread * np.sqrt(2), freedom)
    if folder is not None:
        draw(folder)


def play_cells() -> np.ndarray:
    """Play every cell a few times; an axis for each factor, then protocols, then repetitions."""
    from mensura.catalog.lambda_star.batch.administration import BatchPlan, administer
    from mensura.catalog.lambda_star.environment.pattern import Reach
    from mensura.catalog.lambda_star.environment.torus import Torus
    from mensura.catalog.lambda_star.team import Member

    scores = []
    # Every administration has environments of its own: shared ones would make them depend on one another.
    keys = count()
    for size, complexity, agents, iterations, sight in product(*FACTORS.values()):
        for protocol, _ in product(PROTOCOLS, range(REPETITIONS)):
            reach = Reach(int(complexity), int(complexity))
            plan = BatchPlan(Torus.of(size), EPISODES, iterations, reach, sight, key=next(keys))
            scores.append(administer(plan, [Member(protocol, agents)]).score.mean())
    shape = [len(levels) for levels in FACTORS.values()]
    return np.array(scores).reshape(*shape, len(PROTOCOLS), REPETITIONS)


def change(scores: np.ndarray, axis: int) -> tuple[float, int]:
    """Give the mean change from the first to the second level of an axis, and how many numbers each mean rests on."""
    low, high = (np.take(scores, level, axis=axis) for level in (0, 1))
    return float(high.mean() - low.mean()), low.size


def show(words: str, estimate: float, count: int, spread: float, freedom: int) -> None:
    """Print a change with its interval."""
    from scipy.special import stdtrit

    half = float(stdtrit(freedom, 0.975)) * spread * np.sqrt(2 / count)
    print(f"{words:46}{estimate:+.3f}  [{estimate - half:+.3f}, {estimate + half:+.3f}]")


def draw(folder: Path) -> None:
    """Vary one factor at a time around 10 × 10, all complexities, five agents, fifty iterations, and draw it."""
    from mensura.catalog.lambda_star.batch.administration import BatchPlan, administer
    from mensura.catalog.lambda_star.environment.pattern import Reach, wanted_range
    from mensura.catalog.lambda_star.environment.torus import Torus
    from mensura.catalog.lambda_star.team import Member
    from mensura.exhibit import as_svg
    from mensura.stats import mean_estimate

    def score(name, *, size=10, agents=5, iterations=50, sight=1, complexity=None):
        torus = Torus.of(size)
        reach = (
            Reach(complexity, complexity)
            if complexity
            else wanted_range(torus, iterations=iterations, lowest=None, highest=None)
        )
        plan = BatchPlan(torus, 2000, iterations, reach, sight, key=1)
        return mean_estimate(administer(plan, [Member(name, agents)]).score)

    kinds = ("oracle", "imitation", "bidding", "wisdom-of-crowd", "binary-tree", "stigmergy", "local-search", "random")
    varied = {
        "uncertainty": ("size", [Torus(n, n) for n in (4, 5, 7, 10, 14, 20)], "search-space entropy H in bits"),
        "complexity": ("complexity", [2, 3, 5, 8, 11, 14, 17, 20, 23], "complexity K of the patterns"),
        "time": ("iterations", [12, 25, 50, 100, 200], "iterations of an episode"),
        "crowd": ("agents", [1, 2, 5, 10, 20], "number of agents"),
        "sight": ("sight", [1, 2, 3, 4], "how far each agent sees"),
    }
    for picture, (name, values, words) in varied.items():
        estimates = {
            (kind, value.entropy_bits if isinstance(value, Torus) else value): score(kind, **{name: value})
            for kind in kinds
            for value in values
        }
        write(folder / f"lambda_star_{picture}.svg", as_svg(score_figure(estimates, factor=words)))
    plan = BatchPlan(Torus(10, 10), 600, 50, Reach(2, 23), key=1)
    curves = {}
    for kind in ("cooperative-sarsa", "cooperative-q", "q-learning", "sarsa"):
        sessions = administer(plan, [Member(kind, 5)]).sessions
        curves[kind] = [mean_estimate(column).as_json() for column in sessions.T]
    write(folder / "lambda_star_learning.svg", as_svg(learning_figure(curves)))


def score_figure(estimates, *, factor):
    """Draw scores with their intervals against a factor, a line for each kind of agent."""
    import altair

    rows = [
        {"agent": agent, "factor": value, "score": e.value, "low": e.low, "high": e.high}
        for (agent, value), e in estimates.items()
    ]
    base = altair.Chart(altair.InlineData(rows)).encode(
        x=altair.X("factor:Q", title=factor, axis=altair.Axis(labelAngle=0)),
        color=altair.Color("agent:N", title=None, sort=list(dict.fromkeys(agent for agent, _ in estimates))),
    )
    lines = base.mark_line(point=True).encode(y=altair.Y("score:Q", title="intelligence Υ (95 % interval)"))
    bars = base.mark_rule().encode(y="low:Q", y2="high:Q")
    return (lines + bars).properties(width=420, height=260)


def learning_figure(sessions):
    """Draw the score by training session, with a band for the interval, a line for each kind of learner."""
    import altair

    rows = [
        {"agent": agent, "session": number, "score": row["value"], "low": row["low"], "high": row["high"]}
        for agent, curve in sessions.items()
        for number, row in enumerate(curve)
    ]
    base = altair.Chart(altair.InlineData(rows)).encode(
        x=altair.X("session:Q", title="training session; the last is the episode that counts"),
        color=altair.Color("agent:N", title=None, sort=list(sessions)),
    )
    band = base.mark_area(opacity=0.25).encode(y=altair.Y("low:Q", title="mean reward (95 % interval)"), y2="high:Q")
    line = base.mark_line().encode(y="score:Q")
    return (band + line).properties(width=420, height=260)


def write(path: Path, content: str) -> None:
    """Write a picture and say so."""
    path.write_text(content)
    print(f"Wrote {path}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
