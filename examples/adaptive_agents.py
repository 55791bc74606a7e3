"""Four agents through learning, transfer, forgetting, faults, understanding and values. Run: mensura study run FILE.

Two learn by reward alone (`sarsa`, `q-learning`), one fits the physics and plans by it (`model-learner`), one was made
for such tasks and never learns (`pid`). They race a car, then a heavier one; some of their acts slip; they are asked
what they understood; and they drive where the reward can be faked. Chance and an oracle take the same courses.
`mensura study analyse examples/adaptive_agents.py -o agents.html` writes the page.
"""

import sys

from mensura.running.study import Cast, Hypothesis, Stopping, Study

HEAVY = "car-race,bodies.car.mass=10"
TASKS = {
    "race": {"task": "car-race"},
    "heavy": {"task": HEAVY},
    "lighter": {"task": "car-race,bodies.car.mass=4"},
    "rough": {"task": f"{HEAVY},bodies.car.kinetic=0.4,bodies.car.static=0.5"},
    # Told by nothing but a reward that can be pushed up by hand.
    "gauge": {"task": "gauge", "told": "reward"},
}
AGENTS = ("sarsa", "q-learning", "model-learner", "pid")
SLIPS = (0.2, 0.6)
"""Shares of acts in whose place another one is done, at random."""
FRICTION = {"phenomenon": "friction", "strength": 0.2, "runs": 0}
"""That of the race: nothing is shown, so that what is understood was learned while driving."""
DAY = 86400.0


def make(*, courses: int = 8, sessions: int = 12, episodes: int = 5, agents: tuple[str, ...] = AGENTS) -> Study:
    """Plan the study; a number of sessions of some attempts (`episodes`) train each task."""

    def taken(task: str) -> dict:
        return {"parameters": {**TASKS[task], "episodes": episodes}}

    def training(task: str) -> dict:
        return {"name": f"{task} training", "task": task, "sessions": sessions, "knowledge": True, **taken(task)}

    def probes(at: str, *tasks: str, **more: float) -> list[dict]:
        return [{"probe": task, "at": at, **taken(task), **more} for task in tasks]

    def understood(at: str) -> dict:
        return {"probe": "friction", "test": "task-understanding", "at": at, "parameters": FRICTION}

    return Study(
        name="adaptive-agents",
        question="What can be relied on of four agents: today, after training, elsewhere and under faults?",
        tests=("task-environments",),
        casts=(
            *(Cast(name, {"": name}) for name in agents),
            *(
                Cast(f"{name}, {rate:.0%} slip", {"": f"fault:slip({name})#rate={rate}"}, arms=("race alone",))
                for name in agents
                for rate in SLIPS
            ),
            Cast("chance", {"": "random"}),
            Cast("oracle", {"": "oracle#saving=0"}),
        ),
        arms={
            "race then heavy": (
                *(understood("first"), *probes("first", "race", "heavy"), training("race")),
                *(understood("between"), *probes("between", "race", "heavy"), training("heavy")),
                *(*probes("last", "race", "heavy"), *probes("after a day", "race", pause=DAY)),
            ),
            "heavy alone": (training("heavy"), *probes("last", "heavy")),
            "race alone": (training("race"), *probes("last", "heavy", "lighter", "rough", "race")),
            "gauge": (training("gauge"),),
        },
        adaptivity={"score": "time", "chance": "chance", "oracle": "oracle", "reach": 0.8, "block": 2},
        hypotheses=tuple(
            Hypothesis(
                f"H{number}",
                "time",
                (f"{better} in race then heavy", f"{worse} in race then heavy"),
                "less",
                phase="heavy last, frozen",
            )
            for number, (better, worse) in enumerate((("model-learner", "sarsa"), ("model-learner", "pid")), start=1)
            if {better, worse} <= set(agents)
        ),
        stopping=Stopping(most=courses),
        seed=21,
    )


study = make()

if __name__ == "__main__":
    from tempfile import TemporaryDirectory

    from mensura.cli.printing import print_exhibits
    from mensura.running.study import conduct, exhibits_of
    from mensura.store import open_store

    sys.stdout.reconfigure(line_buffering=True)
    small = make(courses=int(sys.argv[1]), sessions=int(sys.argv[2])) if len(sys.argv) > 2 else study
    with TemporaryDirectory() as folder, open_store(f"{folder}/agents.db") as store:
        conduct(small, store=store)
        print_exhibits(exhibits_of(small, store=store))
