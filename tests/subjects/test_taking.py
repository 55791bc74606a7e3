"""Subjects of every kind take a test; hostile ones end as what they did, with their last words, and never score."""

import sys
from textwrap import dedent

import pytest

from mensura.dialogue import Ask, Limits, Probability, test
from mensura.running.take import take
from mensura.subjects import SubjectSpec

LIMITS = Limits(answer_seconds=1)


@test("even-v1", subjects={"half": lambda ask: 0.5})
def even(rng, *, flips: int = 5):
    """Say the chance of heads."""
    for flip in range(flips):
        yield Ask("Heads?", Probability(), key=f"flip{flip}", truth=int(rng.random() < 0.5))


MINE = """
    import os, sys, time

    def fine(ask):
        assert ask.truth is None
        return 0.5

    def crashing(ask):
        raise RuntimeError("lost my way")

    def hanging(ask):
        print("thinking", flush=True)
        while True:
            pass

    def flooding(ask):
        while True:
            print("x" * 1000)

    def nonsense(ask):
        return {"banana": [1, 2]}

    def leaving(ask):
        os._exit(7)

    def hungry(ask):
        return bytearray(3 << 30)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(dedent(MINE))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def taken(name, **options):
    subject = SubjectSpec(name, {"memory_bytes": 1 << 30, "output_bytes": 1_000_000, **options}).make(
        even, limits=LIMITS
    )
    try:
        return take(even, subject, seed=1, limits=LIMITS)
    finally:
        getattr(subject, "close", lambda: None)()


@pytest.mark.parametrize(
    ("name", "status", "words"),
    [
        ("fine", "finished", ""),
        ("crashing", "crashed", "RuntimeError: lost my way"),
        ("hanging", "timed_out", "thinking"),
        ("flooding", "crashed", "said more than 1000000 bytes"),
        ("nonsense", "invalid", "3 invalid answers in a row"),
        ("leaving", "crashed", "exit status 7"),
        ("hungry", "crashed", "MemoryError"),
    ],
)
def test_a_subject_from_a_file_ends_as_what_it_did(folder, name, status, words):
    result = taken(f"./mine.py:{name}")
    assert result.record.status == status
    assert words in result.session.last_words
    assert len(result.record.given()) == (5 if status == "finished" else 0)


@pytest.mark.parametrize(
    ("name", "status"),
    [("crashing", "crashed"), ("hanging", "timed_out"), ("nonsense", "invalid"), ("fine", "finished")],
)
def test_a_subject_in_this_process_does_too(folder, name, status):
    assert taken(f"./mine.py:{name}", in_process=True).record.status == status


def test_a_program_that_prints_garbage_is_invalid_and_is_told_why(folder):
    (folder / "agent.py").write_text(
        dedent("""
        import json, sys
        for text in sys.stdin:
            message = json.loads(text)
            if message["type"] == "tell":
                print(message["text"], file=sys.stderr)
            if message["type"] == "ask":
                print("banana", flush=True)
        """)
    )
    result = taken(f"program:{sys.executable} -S agent.py")
    assert result.record.status == "invalid"
    assert result.record.answers[0].invalid == 3


def test_the_same_seed_gives_the_same_answers_in_any_process(folder):
    (folder / "drawn.py").write_text(
        "class Drawn:\n"
        "    recomputes = True\n"
        "    def begin(self, rng): self.rng = rng\n"
        "    def __call__(self, ask): return ask.space.draw(self.rng)\n"
    )
    first, second = taken("./drawn.py:Drawn"), taken("./drawn.py:Drawn")
    assert first.record.given() == second.record.given()
    assert len(set(first.record.given().values())) == 5


def test_a_team_of_everything_takes_a_test(folder):
    result = taken("team:mean(half,chance,./mine.py:fine,assisted:half+chance)")
    assert result.record.status == "finished"
    notes = result.record.answers[0].notes
    assert [entry["status"] for entry in notes["members"]] == ["answered"] * 4
    assert notes["members"][3]["notes"]["followed"] is False
