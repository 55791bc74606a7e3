"""Does what a learner learned in one environment of Λ* serve in the next? Tables are kept or begun anew."""

import sys
from tempfile import TemporaryDirectory

from mensura.running.adaptivity.phases import probe
from mensura.running.course import Phase, run_courses
from mensura.stats.adaptivity import course_difference
from mensura.store import open_store

WORLD = {"episodes": 1, "iterations": 20}
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
            rows = result.estimated["intelligence"].sample.rows
            each = {row.course: [one.value for one in rows if one.course == row.course] for row in rows}
            found[name] = [sum(values) / len(values) for values in each.values()]
        return found


def main(courses: int = 8, sessions: int = 5) -> None:
    """Print what keeping the tables changes, phase by phase, over courses paired by seed."""
    kept, anew = (levels(subject, courses=courses, sessions=sessions) for subject in (KEPT, ANEW))
    for phase in kept:
        print(f"{phase}: keeping what was learned changes the score by {course_difference(kept[phase], anew[phase])}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
