"""Python subjects from a file, in their own process."""

import subprocess
import sys
import time
from pathlib import Path
from textwrap import dedent

import numpy as np
import pytest

from mensura.dialogue import Ask, Noted, Number, Outcome, Probability, Refused, Text, Wait
from mensura.errors import SubjectCrashed, SubjectTimedOut
from mensura.subjects.outside.bounds import Bounds
from mensura.subjects.outside.hosted import Hosted
from mensura.subjects.outside.protocol import Unreadable
from mensura.subjects.sandbox.confinement import Confinement
from mensura.subjects.source import Source

HEADS = Ask("Heads?", Probability(), key="heads")
MINE = """
    import sys
    import time

    import numpy as np

    from mensura.dialogue import Noted, Refused, Wait
    import neighbour


    def respond(ask):
        print("I print to stdout")
        if ask.key == "refuse":
            return Refused("no")
        if ask.key == "wait":
            return Wait()
        if ask.key == "hang":
            time.sleep(60)
        if ask.key == "crash":
            raise RuntimeError("lost my way")
        if ask.key == "leave":
            sys.exit(0)
        if ask.key == "object":
            return object()
        if ask.key == "numpy":
            return np.float32(0.25)
        return Noted(neighbour.HALF, {"space": repr(ask.space), "truth": ask.truth})


    class Learner:
        recomputes = True

        def __init__(self, *, step=1):
            self.step = step
            self.learning = True
            self.known = {"told": 0}
            self.outcome = None

        def begin(self, rng):
            self.rng = rng

        def feedback(self, told):
            if self.learning:
                self.known["told"] += self.step

        def end(self, outcome):
            self.outcome = outcome

        def snapshot(self):
            return self.known if self.step == 1 else (self.known, np.arange(3))

        def restore(self, state):
            self.known = dict(state) if self.step == 1 else dict(state[0])

        def __call__(self, ask):
            ended = None if self.outcome is None else self.outcome.reward
            return Noted(self.rng.random(), {"told": self.known["told"], "ended": ended})
"""


@pytest.fixture
def host(tmp_path):
    (tmp_path / "mine.py").write_text(dedent(MINE))
    (tmp_path / "neighbour.py").write_text("HALF = 0.5\n")
    made = []

    def make(name, *, seconds=20.0, **options):
        bounds = Bounds(answer_seconds=seconds)
        made.append(Hosted(Source.read(f"mine.py:{name}", folder=tmp_path), bounds=bounds, options=options))
        return made[-1]

    yield make
    for subject in made:
        subject.close()


def test_a_function_from_a_file_answers_refuses_and_waits(host):
    subject = host("respond")
    subject.begin(np.random.default_rng(1))
    assert subject(HEADS) == Noted(0.5, {"space": "Probability()", "truth": None})
    assert subject(Ask("?", Probability(), key="refuse")) == Refused("no")
    assert subject(Ask("?", Probability(), key="wait")) == Wait()
    assert subject(Ask("?", Probability(), key="numpy")) == 0.25
    assert "object object" in subject(Ask("?", Number(), key="object"))
    assert subject.recomputes is False
    assert not hasattr(subject, "learning")
    assert not hasattr(subject, "snapshot")


def test_what_it_prints_is_kept_as_last_words(host):
    subject = host("respond")
    with pytest.raises(SubjectCrashed, match="exit status 1") as failure:
        subject(Ask("?", Probability(), key="crash"))
    assert "I print to stdout" in failure.value.last_words
    assert failure.value.last_words.endswith("RuntimeError: lost my way")


def test_leaving_without_an_answer_is_a_crash(host):
    with pytest.raises(SubjectCrashed, match="exit status 0"):
        host("respond")(Ask("?", Probability(), key="leave"))


def test_hanging_is_stopped_in_time(host):
    subject = host("respond", seconds=0.3)
    subject.begin(np.random.default_rng(1))
    start = time.monotonic()
    with pytest.raises(SubjectTimedOut):
        subject(Ask("?", Probability(), key="hang"))
    assert time.monotonic() - start < 30


def test_a_class_learns_is_probed_and_goes_back(host):
    subject = host("Learner")
    assert subject.recomputes
    assert subject.learning
    subject.begin(np.random.default_rng(1))
    first = subject(HEADS)
    subject.feedback(Ask("Well done.", reward=1.0))
    before = subject.snapshot()
    subject.feedback(Ask("Well done.", reward=1.0))
    assert subject(HEADS).notes == {"told": 2, "ended": None}
    subject.restore(before)
    subject.learning = False
    assert subject.learning is False
    subject.feedback(Ask("Well done.", reward=1.0))
    subject.end(Outcome(reward=3.0))
    subject.begin(np.random.default_rng(1))
    assert subject(HEADS) == Noted(first.value, {"told": 1, "ended": 3.0})


def test_a_state_that_is_not_json_stays_opaque_here(host):
    subject = host("Learner", step=2)
    subject.begin(np.random.default_rng(1))
    subject.feedback(Ask("Well done."))
    state = subject.snapshot()
    assert set(state) == {"pickle"}
    subject.feedback(Ask("Well done."))
    subject.restore(state)
    assert subject(HEADS).notes["told"] == 2


def test_a_file_that_fails_to_load_is_a_crash_with_its_traceback(host, tmp_path):
    (tmp_path / "mine.py").write_text("raise ImportError('torch is missing')\ndef respond(ask): return 1\n")
    subject = host("respond")
    assert subject.recomputes is False
    assert not hasattr(subject, "snapshot")
    with pytest.raises(SubjectCrashed, match="exit status 1") as failure:
        subject.begin(np.random.default_rng(1))
    assert "torch is missing" in failure.value.last_words


def test_options_that_a_class_does_not_take_are_said(host):
    with pytest.raises(SubjectCrashed) as failure:
        host("Learner", pace=3).begin(np.random.default_rng(1))
    assert "Learner cannot be made with {'pace': 3}" in failure.value.last_words


def test_a_host_speaks_first_and_only_json(tmp_path):
    from mensura.subjects.outside.program import Program

    (tmp_path / "mine.py").write_text("def respond(ask):\n    return 'hello'\n")
    words = [sys.executable, "-m", "mensura.subjects.outside.host", "mine.py:respond"]
    subject = Program(words, folder=tmp_path, confinement=Confinement(sandbox="off"))
    ready = subject(Ask("?", Text()))
    assert isinstance(ready, Unreadable)
    assert ready.text == '{"ready":{"recomputes":false}}'
    subject.close()


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked up in /proc")
@pytest.mark.parametrize("sandbox", ["auto", "off"])
def test_a_subject_that_hangs_does_not_outlive_a_driver_that_was_killed(tmp_path, sandbox):
    (tmp_path / "mine.py").write_text("def respond(ask):\n    while True: pass\n")
    driver = f"""
from mensura.dialogue import Ask, Probability
from mensura.subjects.sandbox.confinement import Confinement
from mensura.subjects.outside.hosted import Hosted
from mensura.subjects.source import Source
Hosted(Source.read("mine.py:respond"), confinement=Confinement(sandbox="{sandbox}"))(Ask("?", Probability()))
"""
    killed = subprocess.Popen([sys.executable, "-c", driver], cwd=tmp_path)
    assert wait_for(lambda: serving(tmp_path))
    killed.kill()
    killed.wait()
    assert wait_for(lambda: not serving(tmp_path))


def serving(folder):
    """List the processes that serve a file of a folder."""
    wanted = str(folder / "mine.py:respond").encode()
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += [place] if wanted in place.read_bytes() else []
        except OSError:
            continue
    return found


def wait_for(condition, seconds=120.0):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()
