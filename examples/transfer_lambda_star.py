"""Does what a learner learned in one environment of Λ* serve in the next? Tables are kept or begun anew."""

import sys
from tempfile import TemporaryDirectory

from mensura.dialogue import session_mean
from mensura.running.adaptivity.phases import probe
from mensura.running.course import Phase, run_courses
from mensura.running.results.summary import RunResult
from mensura.stats.adaptivity import course_difference
from mensura.store import Store, open_store

WORLD = {"episodes": 1, "iterations": 20, "size": "5"}
KEPT, ANEW = "q-learning#sessions=5#keep=true", "q-learning#sessions=5"


def levels(subject: str, *, courses: int, sessions: int) -> dict[str, list[float]]:
    """Return the mean score of each course in training and in both probes after it."""
    phases = [
        Phase("training", "lambda-star", sessions, parameters=WORLD, knowledge=True),
        *probe("new environments", "lambda-star", sessions=5, parameters=WORLD),
    ]
    with TemporaryDirectory() as folder, open_store(f"{folder}/courses.db") as store:
        results = run_courses(phases, subject, store=store, courses=courses, seed=1)
        found = {}
        for name, result in results.items():
            each = course_scores(result, store)
            found[name] = [sum(values) / len(values) for values in each.values()]
        return found


def course_scores(result: RunResult, store: Store) -> dict[int, list[float]]:
    """Return the scores of a phase, course by course."""
    scores = store.results.of(result.head.id)
    each: dict[int, list[float]] = {}
    for session in store.sessions.of(result.head.id):
        each.setdefault(session.address.course, []).append(session_mean(scores[session.id].values["intelligence"]))
    return each


def main(courses: int = 8, sessions: int = 5) -> None:
    """Print what keeping the tables changes, phase by phase, over courses paired by seed."""
    kept, anew = (levels(subject, courses=courses, sessions=sessions) for subject in (KEPT, ANEW))
    for phase in kept:
        print(f"{phase}: keeping what was learned changes the score by {course_difference(kept[phase], anew[phase])}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
