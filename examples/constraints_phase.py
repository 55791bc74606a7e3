"""Where do problems stop being solvable, and what does it cost agents to find out there?

    mensura study run examples/constraints_phase.py --on processes:2
    mensura study analyse examples/constraints_phase.py -o phase.html

Three families, each along the parameter that makes it harder. Every algorithm meets the same instances; the oracle's
share of those that can be solved is shown beside the results of the algorithms. Concurrent clocks run at three
latencies.
Run by itself, `python examples/constraints_phase.py [INSTANCES [PICTURE.svg]]` carries the study out in a store of its
own and prints the table of the first family.
"""

import sys
import tempfile
from pathlib import Path

from mensura.running.study.plan import Cast, Hypothesis, Stopping, Study

ALGORITHMS = ("abt", "awcs", "dba")
FAMILIES = {
    "random:n=10,m=5,p1=0.5,p2": (0.2, 0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7),
    "colouring:n=20,k=3,links": (30, 38, 42, 46, 50, 60),
    "scale-free:n=30,m=5,md=3,t": (0.2, 0.3, 0.35, 0.4, 0.5),
}
LIMITS = {"latency": "0,100,1000", "stop": "cycles=300"}


def plan(*, instances: int, families: dict[str, tuple[float, ...]], algorithms: tuple[str, ...] = ALGORITHMS) -> Study:
    """Return the study: a number of instances at each value of the swept parameter."""
    problems = [f"{family}={value}" for family, values in families.items() for value in values]
    middle = problems[len(problems) // len(families) // 2]
    return Study(
        name="constraints-phase",
        question="Where do problems stop being solvable, and what does it cost to find out there?",
        tests=("constraints",),
        casts=tuple(Cast(name, {"": name}) for name in algorithms),
        conditions={problem: {"problem": problem, **LIMITS} for problem in problems},
        hypotheses=(
            Hypothesis(
                "weak commitment takes fewer cycles in the middle",
                "cycles",
                (f"awcs in {middle}", f"abt in {middle}"),
                "less",
            ),
        ),
        stopping=Stopping(most=instances),
        seed=22,
    )


study = plan(instances=20, families=FAMILIES)


def main(instances: int, picture: Path | None) -> None:
    """Carry the study out, print what changes along the first family and draw it."""
    from mensura.running.study import conduct, exhibits_of
    from mensura.store import open_store

    chosen = plan(instances=instances, families=FAMILIES)
    with tempfile.TemporaryDirectory() as folder, open_store(f"sqlite:///{folder}/phase.db") as store:
        conduct(chosen, store=store)
        first, *_ = exhibits_of(chosen, store=store)
    print(first.title)
    for row in (first.columns, *first.lines):
        print(" | ".join(row))
    if picture is not None:
        picture.write_text(first.figures[0].svg)
        print(f"Wrote {picture}.")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20, Path(sys.argv[2]) if len(sys.argv) > 2 else None)
