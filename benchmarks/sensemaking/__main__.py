"""How fast sensemaking is: assessing, resampling, generating, and the browser's map under a scripted person.

python -m benchmarks sensemaking                 # all but the browser
python -m benchmarks.sensemaking --browser       # the whole exam in Chromium too (some minutes)
"""

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

DATA = Path(__file__).parents[2] / "tests" / "data" / "icarus"


def main() -> None:
    """Print one line per measurement, with what is asked of it."""
    print(f"{'what':54} {'median':>9} {'of it CPU':>10} {'asked':>9}")
    _generating()
    _assessing()
    if "--browser" in sys.argv:
        _browser()


Times = list[tuple[float, float]]
"""Seconds by the clock and of the processor; on a busy computer only the second says how fast the code is."""


def _line(what: str, times: Times, asked: float) -> None:
    wall, cpu = (statistics.median(each) for each in zip(*times, strict=True))
    verdict = "ok" if wall < asked else "ok on a free processor" if cpu < asked else "TOO SLOW"
    print(f"{what:54} {wall:8.3f}s {cpu:9.3f}s {asked:8.2f}s  {verdict}")


def _timed(work: Callable[[], Any], *, times: int = 5) -> Times:
    found = []
    for _ in range(times):
        start, spent = time.perf_counter(), time.process_time()
        work()
        found.append((time.perf_counter() - start, time.process_time() - spent))
    return found


def _assessing() -> None:
    from mensura.catalog.sensemaking.answers.model_file import read_model
    from mensura.catalog.sensemaking.assessment.findings import assess_models
    from mensura.catalog.sensemaking.mitre.exam_reading import read_exam
    from mensura.catalog.sensemaking.people import read_people

    def assess(draws: int) -> None:
        exam = read_exam(DATA / "exam_final")
        model = read_model(str(DATA / "results_bayesian.json"), exam)
        people = read_people(DATA / "human_final", exam)
        assess_models(exam, people, [[model]], draws=draws).as_json()

    assess(0)
    plain = _timed(lambda: assess(0))
    _line("CPA and CFA of one model, 103 people, exam from XML", plain, 1.5)
    drawn = _timed(lambda: assess(2000), times=3)
    base = [statistics.median(each) for each in zip(*plain, strict=True)]
    more = [(wall - base[0], cpu - base[1]) for wall, cpu in drawn]
    _line("2 000 resamples of people and trials, more", more, 10.0)


def _generating() -> None:
    from mensura.catalog.sensemaking.generating import generate_exam
    from mensura.catalog.sensemaking.solving.normative import solve
    from mensura.catalog.sensemaking.solving.waves import solve_waves

    seeds = iter(range(100))

    def make() -> None:
        exam = generate_exam(np.random.default_rng(next(seeds)))
        solve(exam)
        solve_waves(exam)

    make()
    _line("A generated exam with its normative solutions", _timed(make, times=9), 0.5)


def _browser() -> None:
    """The whole published design in Chromium; frames are counted while the person moves sliders and draws."""
    from playwright.sync_api import sync_playwright

    from benchmarks.sensemaking.scripted_person import ScriptedPerson
    from mensura.catalog.sensemaking.dialogue import sensemaking
    from mensura.catalog.sensemaking.generating import generate_exam, write_generated
    from mensura.catalog.sensemaking.subjects import SUBJECTS
    from mensura.report.paper import find_browser
    from mensura.running.take import take
    from mensura.store import open_store
    from mensura.web.local import served
    from mensura.web.participant.invitation import invite
    from mensura.web.settings import WebSettings

    chromium = find_browser()
    if chromium is None:
        print("Chromium is not installed; the browser was not measured.")
        return
    with tempfile.TemporaryDirectory() as folder:
        exam = DATA / "exam_final"
        if not exam.exists():
            exam = Path(folder) / "exam"
            write_generated(generate_exam(np.random.default_rng(1), id="bench"), exam)
        parameters = {"exam": str(exam)}
        taken = take(sensemaking, SUBJECTS["simulated-person"](), seed=5, parameters=parameters)
        with (
            open_store(f"sqlite:///{folder}/lab.db") as store,
            served(WebSettings(store=store.url)) as home,
            sync_playwright() as tools,
        ):
            browser = tools.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1280, "height": 1000})
            _, (link,) = invite(sensemaking, "human", store=store, seed=5, parameters=parameters)
            person = ScriptedPerson(page, taken.record.given())
            page.add_init_script(f"({_FRAMES})()")
            start = time.perf_counter()
            person.take(home + link.path)
            seconds = time.perf_counter() - start
            frames = np.array(page.evaluate("window.__frames"))
            browser.close()
            record, truths = store.records.find(link.session), store.truths.of(link.session)
        same = _scores(sensemaking.score(record, truths)) == _scores(sensemaking.score(taken.record, taken.truths))
        print(
            f"Whole exam in the browser: {len(person.answered)} answers in {seconds:.0f} s, {record.status}; "
            f"scored like the program that gave the same answers: {same}"
        )
        print(
            f"Frames: {len(frames)}, 95 % under {np.quantile(frames, 0.95):.1f} ms (asked: 50), "
            f"99 % under {np.quantile(frames, 0.99):.1f} ms"
        )


_FRAMES = """() => {
  window.__frames = [];
  let last = performance.now();
  const step = (now) => { window.__frames.push(now - last); last = now; requestAnimationFrame(step); };
  requestAnimationFrame(step);
}"""


def _scores(scores: Any) -> str:
    values = {name: np.round(scores.values[name].values, 9).tolist() for name in ("s1", "s2")}
    return json.dumps(values)


if __name__ == "__main__":
    main()
