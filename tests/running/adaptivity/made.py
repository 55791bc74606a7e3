"""A test whose score is the skill that a made learner has, and the learner: every level of its courses is known."""

from math import exp

from mensura.dialogue import Ask, Number, Score, Scores, TaskClass, test

PLACES = {"A": 0.0, "B": 0.2, "C": 0.5, "D": 1.0}
SIZES = {"A": 1.0, "B": 2.0, "C": 4.0, "D": 8.0}
FORGETS, LASTS, NOISE = 0.9, 1000.0, 0.02
"""What is kept of a task in each session on another; the seconds in which a pause takes it to 1/e; how scores vary."""


EFFORT = 2.5
"""What each session takes."""
PARTS = ("predict", "achieve", "explain", "recreate")


class Learner:
    """Learns a task in as many sessions as it is large, forgets it over others and in pauses, and knows its effort."""

    def __init__(self):
        self.learning = True
        self.practised = {}
        self.kept = 1.0

    def begin(self, rng):
        self.rng = rng

    def __call__(self, ask):
        if ask.prompt in PARTS:
            # The four grow one after the other, and the last never does.
            place = PARTS.index(ask.prompt)
            grown = self.level("A") * (1.0, 0.5, 0.25, 0.0)[place] + self.rng.uniform(-NOISE, NOISE)
            return float(min(max(grown, -1), 1))
        shown = self.level(ask.prompt) + self.rng.uniform(-NOISE, NOISE)
        if self.learning:
            for task in self.practised:
                self.practised[task] *= FORGETS if task != ask.prompt else 1
            self.practised[ask.prompt] = self.practised.get(ask.prompt, 0.0) + 1
        return float(min(max(shown, 0), 1))

    def level(self, task):
        known = [
            (1 - exp(-sessions / SIZES[other])) * max(0.0, 1 - abs(PLACES[task] - PLACES[other]))
            for other, sessions in self.practised.items()
        ]
        return 0.05 + 0.9 * max(known, default=0.0) * self.kept

    def pause(self, seconds):
        self.kept *= exp(-seconds / LASTS)

    def knowledge(self):
        return sum(self.practised.values())

    def snapshot(self):
        return {"practised": dict(self.practised), "kept": self.kept}

    def restore(self, state):
        self.practised, self.kept = dict(state["practised"]), state["kept"]


def score(record, truths):
    return Scores({"level": float(record.answers[0].value), "effort": EFFORT})


def distance(first, second):
    return abs(PLACES[first["task"]] - PLACES[second["task"]])


@test(
    "skill-v1",
    score=score,
    scores=[Score("level", better="more", low=0, high=1), Score("effort", better="less", low=0, unit="minutes")],
    subjects={"made-learner": Learner},
    tasks=TaskClass(
        lambda *, task: {"size": SIZES[task]}, distance, "Sizes and distances are those of a table.", ("effort",)
    ),
)
def skill(rng, *, task: str = "A"):
    """Show your skill."""
    yield Ask(task, Number(0, 1), key="level")


@test(
    "insight-v1",
    score=lambda record, truths: Scores({part: one.value for part, one in zip(PARTS, record.answers, strict=True)}),
    scores=[Score(part, better="more", low=-1, high=1) for part in PARTS],
    subjects={"made-learner": Learner},
)
def insight(rng):
    """Show what you understand."""
    for part in PARTS:
        yield Ask(part, Number(-1, 1), key=part)


def mastery(sessions, size):
    """Return the level on a task after so many sessions, without noise."""
    return 0.05 + 0.9 * (1 - exp(-sessions / size))
