"""Does training on the hardest puzzles carry over? Learners take two courses; the same items probe both."""

import sys
from tempfile import TemporaryDirectory

from mensura.dialogue import session_mean
from mensura.running.course import Phase, run_courses
from mensura.stats import Transfer, branched_transfer
from mensura.store import Store, open_store

TRAINED, PROBED = "number-series", "letter-series"
LESSONS = {"hardest": "4", "mixed": ""}


def probed(store: Store, load: str, *, courses: int, lessons: int, probes: int) -> dict[str, dict[str, float]]:
    """Train learners on puzzles of a load with feedback; return kind → course → accuracy afterwards, without it."""
    asked = {"count": probes, "feedback": False}
    phases = [
        Phase("lessons", "puzzles", parameters={"kinds": TRAINED, "load": load, "count": lessons, "feedback": True}),
        Phase(TRAINED, "puzzles", learn=False, state="branch", parameters={"kinds": TRAINED, **asked}),
        Phase(PROBED, "puzzles", learn=False, state="branch", parameters={"kinds": PROBED, **asked}),
    ]
    results = run_courses(phases, "apprentice", store=store, courses=courses, seed=1)
    found: dict[str, dict[str, float]] = {}
    for kind in (TRAINED, PROBED):
        scores = store.results.of(results[kind].head.id)
        each: dict[str, list[float]] = {}
        for session in store.sessions.of(results[kind].head.id):
            accuracy = session_mean(scores[session.id].values["accuracy"])
            each.setdefault(str(session.address.course), []).append(accuracy)
        found[kind] = {course: sum(values) / len(values) for course, values in each.items()}
    return found


def compared(*, courses: int = 60, lessons: int = 12, probes: int = 12) -> dict[str, Transfer]:
    """Return by kind what training on the hardest puzzles changes against mixed ones, with intervals over courses."""
    with TemporaryDirectory() as folder, open_store(f"{folder}/courses.db") as store:
        after = {
            name: probed(store, load, courses=courses, lessons=lessons, probes=probes) for name, load in LESSONS.items()
        }
    return {
        kind: branched_transfer(trained=after["hardest"][kind], untrained=after["mixed"][kind])
        for kind in (TRAINED, PROBED)
    }


if __name__ == "__main__":
    for kind, found in compared(courses=int(sys.argv[1]) if len(sys.argv) > 1 else 60).items():
        told = "" if found.effect.excludes(0) else "; the interval holds 0, so nothing is concluded"
        print(f"{kind}: training on the hardest {TRAINED}, not on mixed ones, changes accuracy by {found.effect}{told}")
