"""Programs as subjects: good ones, and hostile ones that must end as a counted failure and leave nothing behind."""

import os
import shutil
import sys
import time
from pathlib import Path
from textwrap import dedent

import numpy as np
import pytest

from mensura.dialogue import Ask, Noted, Outcome, Probability, Refused, Text, Wait
from mensura.errors import BadParameter, SubjectCrashed, SubjectFlooded, SubjectTimedOut, UnknownName
from mensura.subjects.outside.bounds import Bounds
from mensura.subjects.outside.program import Program
from mensura.subjects.outside.protocol import Unreadable
from mensura.subjects.sandbox.confinement import Confinement

QUICK = Bounds(answer_seconds=60, start_seconds=60, memory_bytes=1 << 30, output_bytes=100_000)
HASTY = Bounds(answer_seconds=2, start_seconds=2)
HEADS = Ask("Heads?", Probability(), key="heads")
IN_SIGHT = Confinement(sandbox="off")
"""In no sandbox a program has the process numbers that are seen from here."""
ECHO = """
    import json, sys
    for text in sys.stdin:
        message = json.loads(text)
        if message["type"] == "ask":
            print(json.dumps({"answer": 0.5, "notes": {"message": message}}), flush=True)
"""


@pytest.fixture
def program(tmp_path):
    """Write a Python program, start it as a subject, and close it at the end."""
    made = []

    def make(source, *, bounds=QUICK, confinement=Confinement()):
        path = tmp_path / f"agent{len(made)}.py"
        path.write_text(dedent(source))
        # Without site packages Python starts in a few milliseconds.
        words = [sys.executable, "-S", "-E", str(path)]
        made.append(Program(words, bounds=bounds, confinement=confinement, test="coin-v1"))
        made[-1].begin(np.random.default_rng(1))
        return made[-1]

    yield make
    for subject in made:
        subject.close()


def alive(number):
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_for(condition, seconds=60.0):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()


def test_a_program_is_asked_in_json_and_its_notes_are_kept(program):
    reply = program(ECHO)(HEADS)
    assert isinstance(reply, Noted)
    assert reply.value == 0.5
    message = reply.notes["message"]
    assert message["number"] == 1
    assert message["key"] == "heads"
    assert message["text"] == message["prompt"] == "Heads?"
    assert message["schema"] == Probability().schema()
    assert message["space"] == {"kind": "probability"}
    assert message["until"] is None
    assert message["reward"] is None
    assert "truth" not in message


def test_a_program_refuses_waits_and_hears_what_is_told(program):
    subject = program("""
        import json, sys
        told = []
        for text in sys.stdin:
            message = json.loads(text)
            if message["type"] != "ask":
                told.append(message)
            elif message["key"] == "refuse":
                print(json.dumps({"refuse": "no"}), flush=True)
            elif message["key"] == "wait":
                print(json.dumps({"wait": True}), flush=True)
            else:
                print(json.dumps({"answer": told}), flush=True)
    """)
    assert subject(Ask("?", Text(), key="refuse")) == Refused("no")
    assert subject(Ask("?", Text(), key="wait")) == Wait()
    subject.feedback(Ask("Well done.", reward=1.0))
    subject.end(Outcome("Over.", reward=2.0))
    begin, tell, end = subject(Ask("What were you told?", Text()))
    assert (begin["type"], begin["test"], begin["protocol"]) == ("begin", "coin-v1", 1)
    assert begin["seed"] == int(np.random.default_rng(1).integers(2**53))
    assert (tell["type"], tell["text"], tell["reward"]) == ("tell", "Well done.", 1.0)
    assert (end["type"], end["text"], end["reward"], end["truncated"]) == ("end", "Over.", 2.0, False)


def test_a_program_in_another_language_answers(tmp_path):
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    (tmp_path / "agent.js").write_text("""
        require("readline").createInterface({ input: process.stdin }).on("line", (text) => {
          const message = JSON.parse(text);
          if (message.type === "ask") console.log(JSON.stringify({ answer: message.schema.maximum / 4 }));
        });
    """)
    subject = Program("node agent.js", folder=tmp_path, bounds=QUICK)
    try:
        assert [subject(HEADS) for _ in range(3)] == [0.25] * 3
    finally:
        subject.close()


def test_numbers_that_are_not_finite_reach_a_program_as_null(program):
    reply = program(ECHO)(Ask("?", Probability(), reward=float("nan")))
    assert reply.notes["message"]["reward"] is None


def test_a_crash_at_the_start_keeps_status_and_last_words(program):
    with pytest.raises(SubjectCrashed, match="exit status 3") as failure:
        program("import sys; print('no model found', file=sys.stderr); sys.exit(3)")(HEADS)
    assert failure.value.last_words == "no model found"


def test_a_crash_midway_ends_the_session_and_the_next_one_starts_anew(program):
    subject = program("""
        import json, sys
        answered = 0
        for text in sys.stdin:
            if json.loads(text)["type"] == "ask":
                print(json.dumps({"answer": 1 / (2 - answered)}), flush=True)
                answered += 1
    """)
    assert [subject(HEADS), subject(HEADS)] == [0.5, 1.0]
    with pytest.raises(SubjectCrashed, match="exit status 1") as failure:
        subject(HEADS)
    assert "ZeroDivisionError" in failure.value.last_words
    subject.end(Outcome())
    subject.begin(np.random.default_rng(2))
    assert subject(HEADS) == 0.5


def test_a_signal_is_named(program):
    with pytest.raises(SubjectCrashed, match="killed by SIGSEGV"):
        program("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")(HEADS)


def test_a_program_that_hangs_is_stopped_in_time(program):
    subject = program("import sys, time; print('thinking', file=sys.stderr, flush=True); time.sleep(60)", bounds=HASTY)
    start = time.monotonic()
    with pytest.raises(SubjectTimedOut, match="gave no answer within") as failure:
        subject(HEADS)
    assert time.monotonic() - start < 30
    assert failure.value.last_words == "thinking"


def test_the_start_is_granted_once(program):
    source = ECHO.replace("import json, sys", "import json, sys, time; time.sleep(0.4)")
    subject = program(source, bounds=Bounds(answer_seconds=0.3, start_seconds=60))
    assert subject(HEADS).value == 0.5
    assert subject._patience() == 0.3


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_flood_without_a_line_end_is_stopped(program, stream):
    subject = program(f"import sys\nwhile True: sys.{stream}.write('x' * 1000)")
    with pytest.raises(SubjectFlooded, match="more than 100000 bytes") as failure:
        subject(HEADS)
    assert set(failure.value.last_words) == {"x"}
    assert len(failure.value.last_words) <= 4000


def test_a_flood_of_lines_does_not_stop_answers_from_being_found(program):
    subject = program("""
        import json, sys
        for text in sys.stdin:
            if json.loads(text)["type"] == "ask":
                sys.stderr.write("chatter\\n" * 5000)
                print(json.dumps({"answer": 0.5}), flush=True)
    """)
    assert [subject(HEADS) for _ in range(5)] == [0.5] * 5


def test_large_messages_both_ways_do_not_block_each_other(program):
    subject = program(ECHO, bounds=Bounds(answer_seconds=20, output_bytes=20_000_000))
    words = "y" * 1_000_000
    for _ in range(3):
        subject.feedback(Ask(words))
    assert subject(Ask(words, Text(), key="long")).notes["message"]["text"] == words


def test_a_program_that_reads_nothing_is_stopped_in_time(program):
    subject = program("import time; time.sleep(60)", bounds=HASTY)
    subject.feedback(Ask("z" * 2_000_000))
    with pytest.raises(SubjectTimedOut):
        subject(HEADS)


def test_closing_stdout_is_a_crash(program):
    with pytest.raises(SubjectCrashed, match="closed its output"):
        program("import os, time; os.close(1); time.sleep(60)", confinement=IN_SIGHT)(HEADS)


def test_garbage_is_an_answer_outside_every_space_and_answers_stay_in_step(program):
    subject = program("""
        import json, sys
        print("Welcome to my agent!", flush=True)
        count = 0
        for text in sys.stdin:
            if json.loads(text)["type"] == "ask":
                count += 1
                print(json.dumps({"answer": count}), flush=True)
    """)
    first = subject(HEADS)
    assert isinstance(first, Unreadable)
    assert "Welcome" in repr(first)
    # The reply to the first ask is left aside with the garbage before it.
    assert [subject(HEADS), subject(HEADS)] == [2, 3]


def test_what_is_said_without_being_asked_is_left_aside(program):
    subject = program("""
        import json, sys
        for text in sys.stdin:
            if json.loads(text)["type"] == "ask":
                print(json.dumps({"answer": 0.5}))
                print("By the way:", flush=True)
                print("thank you", file=sys.stderr, flush=True)
    """)
    for _ in range(3):
        assert subject(HEADS) == 0.5
        # The next ask comes when the aside has surely arrived.
        time.sleep(0.1)


@pytest.mark.parametrize(
    "reply", ["what?", "[1, 2]", "{}", '{"wait": 1}', "[" * 50_000, '{"answer": "\\ud800"}', "9" * 9000]
)
def test_nonsense_is_refused_by_every_space(program, reply):
    subject = program(f"import sys\nprint({reply!r}, flush=True)\nsys.stdin.read()")
    assert isinstance(subject(HEADS), Unreadable)


def test_a_reply_to_another_number_is_left_aside(program):
    subject = program("""
        import json, sys
        for text in sys.stdin:
            message = json.loads(text)
            if message["type"] == "ask":
                print(json.dumps({"answer": 0.1, "number": message["number"] - 1}))
                print(json.dumps({"answer": 0.9, "number": message["number"]}), flush=True)
    """)
    assert [subject(HEADS), subject(HEADS)] == [0.9, 0.9]


def test_memory_is_limited(program):
    with pytest.raises(SubjectCrashed) as failure:
        program("held = bytearray(2 << 30)", bounds=Bounds(answer_seconds=10, memory_bytes=1 << 28))(HEADS)
    assert "MemoryError" in failure.value.last_words


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="processes are looked up in /proc")
@pytest.mark.parametrize("leave", ["", "os.setsid()"])
def test_children_are_killed_with_the_program(program, leave):
    subject = program(
        f"""
        import json, os, sys, time
        child = os.fork()
        if child == 0:
            {leave or "pass"}
            time.sleep(60)
        for text in sys.stdin:
            if json.loads(text)["type"] == "ask":
                print(json.dumps({{"answer": [os.getpid(), child]}}), flush=True)
    """,
        confinement=IN_SIGHT,
    )
    family = subject(HEADS)
    assert all(alive(number) for number in family)
    subject.close()
    assert wait_for(lambda: not any(alive(number) for number in family))


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="processes are looked up in /proc")
def test_a_forgotten_program_is_killed(program):
    subject = Program(
        [sys.executable, "-S", "-c", "import os, time; print('[%d]' % os.getpid(), flush=True); time.sleep(60)"],
        confinement=IN_SIGHT,
    )
    number = int(subject(HEADS).text.strip("[]"))
    assert alive(number)
    del subject
    assert wait_for(lambda: not alive(number))


def test_a_program_that_is_not_there_is_said_so():
    with pytest.raises(UnknownName, match="no program 'nonesuch'"):
        Program("nonesuch --fast").check()
    with pytest.raises(SubjectCrashed, match="exit status 127"):
        Program("nonesuch --fast")(HEADS)
    with pytest.raises(BadParameter, match="needs a command"):
        Program("")
    with pytest.raises(BadParameter, match="cannot be split"):
        Program("node 'agent.js")


def test_closing_twice_and_before_the_start_is_harmless():
    subject = Program("true")
    subject.close()
    subject.end(Outcome())
    subject.close()
