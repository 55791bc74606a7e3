"""The guard: stops what hangs in this process, and leaves everything else alone."""

import signal
import threading
import time
from contextlib import suppress

import pytest

from mensura.errors import SubjectCrashed, SubjectTimedOut
from mensura.subjects.guard import failure, guarded
from mensura.subjects.lane import OwnLimits


def spin():
    while True:
        pass


def spin_stubbornly():
    while True:
        with suppress(Exception):
            spin()


@pytest.mark.parametrize("hang", [spin, spin_stubbornly, lambda: time.sleep(30), lambda: threading.Event().wait(30)])
def test_a_subject_that_hangs_is_stopped_with_the_place_it_hung_at(hang):
    def ask():
        with guarded(0.1) as guard:
            guard.tick()
            hang()

    start = time.monotonic()
    with pytest.raises(SubjectTimedOut, match=r"within 0\.1 s") as stopped:
        ask()
    assert 0.1 <= time.monotonic() - start < 20
    assert "test_guard.py" in stopped.value.last_words


def test_answers_that_keep_coming_are_never_stopped():
    with guarded(2.0) as guard:
        for _ in range(12):
            guard.tick()
            time.sleep(0.25)


def test_the_alarm_is_as_before_afterwards():
    def handler(number, frame):
        raise AssertionError

    before = signal.signal(signal.SIGALRM, handler)
    try:
        with guarded(60) as guard:
            guard.tick()
        assert signal.getsignal(signal.SIGALRM) is handler
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_nothing_is_watched_without_a_limit_or_in_another_thread():
    with guarded(None) as guard:
        guard.tick()
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    seen = []

    def elsewhere():
        with guarded(0.01) as guard:
            guard.tick()
            time.sleep(0.1)
            seen.append("done")

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert seen == ["done"]


def test_a_subject_that_watches_its_own_time_is_left_to_it():
    with guarded(0.5) as guard:
        guard.tick()
        with OwnLimits():
            time.sleep(1.0)


def test_time_spent_in_the_test_is_not_the_subjects():
    code = compile("import time\ntime.sleep(1.0)", "session.py", "exec")
    with guarded(0.5) as guard:
        guard.tick()
        exec(code, {"__name__": "mensura.dialogue.session.session"})


def test_what_a_subject_raises_becomes_its_last_words():
    try:
        raise ValueError("wrong turn")
    except ValueError as error:
        crashed = failure(error)
    assert isinstance(crashed, SubjectCrashed)
    assert str(crashed) == "The subject raised ValueError while answering: wrong turn"
    assert crashed.last_words.endswith("ValueError: wrong turn\n")
    assert failure(crashed) is crashed


def test_writing_down_where_a_subject_hung_is_not_stopped_itself(monkeypatch):
    from mensura.subjects import guard as module

    def slow(error):
        spin_for(0.2)
        return "slowly written"

    def spin_for(seconds):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            pass

    monkeypatch.setattr(module, "last_words", slow)

    def ask():
        with guarded(0.05) as guard:
            guard.tick()
            time.sleep(30)

    with pytest.raises(SubjectTimedOut) as stopped:
        ask()
    assert stopped.value.last_words == "slowly written"


@pytest.mark.parametrize("hang", [spin, lambda: time.sleep(30)])
def test_a_call_that_hangs_in_another_thread_is_left_behind(hang):
    said = []

    def elsewhere():
        with guarded(0.1) as guard:
            try:
                guard.call(hang)
            except SubjectTimedOut as late:
                said.append(str(late))
            said.append(guard.call(lambda: "still here"))

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join(20)
    assert said == ["No answer came within 0.1 s.", "still here"]


def test_who_watches_its_own_time_is_left_to_it_in_another_thread_too():
    def patient():
        with OwnLimits():
            time.sleep(1.0)
        return "done"

    said = []

    def elsewhere():
        with guarded(0.5) as guard:
            said.append(guard.call(patient))

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join(20)
    assert said == ["done"]
