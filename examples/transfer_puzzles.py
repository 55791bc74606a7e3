"""How many lost lessons can an apprentice of puzzles bear? One dose after the other, the same lessons and probes."""

import sys
from tempfile import TemporaryDirectory

from mensura.dialogue import session_mean
from mensura.running.adaptivity.phases import probe
from mensura.running.course import Phase, run_courses
from mensura.running.results.summary import RunResult
from mensura.stats.adaptivity import dose_response
from mensura.store import Store, open_store

LESSONS = {"kinds": "odd-one-out", "count": 20, "feedback": True}
PROBES = {"kinds": "odd-one-out", "count": 20, "feedback": False}
DOSES = (0.0, 0.5, 1.0)


def accuracy(rate: float, *, courses: int) -> dict[str, list[float]]:
    """Return way of probing → accuracy of each course after lessons of which a share was lost."""
    lessons = Phase("lessons", "puzzles", parameters=LESSONS)
    phases = [lessons, *probe("odd ones", "puzzles", parameters=PROBES)]
    with TemporaryDirectory() as folder, open_store(f"{folder}/courses.db") as store:
        # The fault ends with the first session: it is the lessons that are lost, not the probes.
        subject = f"fault:drop(apprentice#patience=12)#rate={rate}#end=1"
        results = run_courses(phases, subject, store=store, courses=courses, seed=1)
        found = {}
        for name in ("odd ones, frozen", "odd ones, learning"):
            each = course_scores(results[name], store)
            found[name] = [sum(values) / len(values) for values in each.values()]
        return found


def course_scores(result: RunResult, store: Store) -> dict[int, list[float]]:
    """Return the scores of a phase, course by course."""
    scores = store.results.of(result.head.id)
    each: dict[int, list[float]] = {}
    for session in store.sessions.of(result.head.id):
        each.setdefault(session.address.course, []).append(session_mean(scores[session.id].values["accuracy"]))
    return each


def main(courses: int = 10) -> None:
    """Print dose and response for both ways of probing."""
    found = [accuracy(rate, courses=courses) for rate in DOSES]
    for way in found[0]:
        levels = [list(course) for course in zip(*(one[way] for one in found), strict=True)]
        response = dose_response(levels, doses=DOSES, dose="lost lessons")
        print(f"{way}: {response.sentence}")
        for dose, point in zip(response.doses, response.points, strict=True):
            print(f"  {dose:.0%} lost: accuracy {point}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
