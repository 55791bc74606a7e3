"""What does training on X do for Y, what is forgotten, and how much noise breaks it? Run: mensura study run FILE.

X and Y are corridors whose floors slip and whose lengths differ. Every arm is probed both frozen and while learning,
chance and the oracle take the same courses, and the same course number meets the same instances in every arm.
`mensura study analyse examples/transfer.py -o report.html` writes the report.
"""

import sys

from mensura.running.study import Cast, Hypothesis, Stopping, Study

X = {"length": 11, "slip": 0.0, "most_steps": 60}
Y = {"length": 11, "slip": 0.2, "most_steps": 60}
SESSIONS, PROBES = 30, 3


def training(task: str, sessions: int) -> dict:
    """Return the phase that trains a task."""
    phase = {"name": f"{task} training", "task": task, "sessions": sessions, "knowledge": True}
    return {**phase, "parameters": TASKS[task]}


def probes(at: str) -> list[dict]:
    """Return what probes both tasks, frozen and while learning."""
    return [{"probe": task, "at": at, "sessions": PROBES, "parameters": TASKS[task]} for task in TASKS]


TASKS = {"X": X, "Y": Y}
study = Study(
    name="transfer",
    question="What does training on a sure floor do for a slippery one?",
    tests=("corridor",),
    casts=(
        Cast("learner", {"": "q-learner"}),
        Cast("30 % lost", {"": "fault:drop(q-learner)#rate=0.3"}),
        Cast("60 % lost", {"": "fault:drop(q-learner)#rate=0.6"}),
        Cast("chance", {"": "random-walk"}),
        Cast("oracle", {"": "optimal"}),
    ),
    arms={
        "X then Y": (
            *(*probes("first"), training("X", SESSIONS)),
            *(*probes("between"), training("Y", SESSIONS)),
            *probes("last"),
        ),
        "Y alone": (training("Y", SESSIONS), *probes("last")),
        "half and half": (training("X", SESSIONS // 2), training("Y", SESSIONS // 2), *probes("last")),
        "X only": (training("X", SESSIONS), *probes("last")),
    },
    adaptivity={"score": "return", "chance": "chance", "oracle": "oracle", "reach": 0.8, "block": 5},
    hypotheses=(
        Hypothesis("H1", "return", ("learner in X then Y", "learner in Y alone"), "greater", phase="Y last, frozen"),
    ),
    stopping=Stopping(most=10),
    seed=21,
)

if __name__ == "__main__":
    from tempfile import TemporaryDirectory

    from mensura.cli.printing import print_exhibits
    from mensura.running.study import conduct, exhibits_of
    from mensura.store import open_store

    sys.stdout.reconfigure(line_buffering=True)
    with TemporaryDirectory() as folder, open_store(f"{folder}/transfer.db") as store:
        conduct(study, store=store)
        print_exhibits(exhibits_of(study, store=store))
