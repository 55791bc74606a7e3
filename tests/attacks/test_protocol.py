"""Protocol: whatever a subject sends, it is answered with questions only, and its words stay its own."""

import sys

import pytest
from click.testing import CliRunner

from mensura.cli.main import cli
from mensura.running.course import Phase, run_courses
from mensura.running.run import run
from mensura.store.sealed.proof import audit_run
from mensura.subjects import SubjectSpec
from tests.attacks.fair import COINS, SOURCE
from tests.subjects.boxes import needs_bubblewrap

pytestmark = needs_bubblewrap
TALKER = """
import json, sys
heard = open("heard", "w")
sending = %r
for text in sys.stdin:
    message = json.loads(text)
    heard.write(text)
    heard.flush()
    if message["type"] == "ask":
        for reply in sending:
            print(reply.replace("NUMBER", str(message["number"])), flush=True)
        if any("zebra" in line or '"truth"' in line for line in [text]):
            raise SystemExit("it was told")
"""
HALF = '{"answer": 0.5}'
DEEP = "[" * 900 + "]" * 900
REPLIES = {
    "two answers": [HALF, '{"answer": 1.0}'],
    "an answer to another number": ['{"answer": 1.0, "number": 99}', HALF],
    "an answer to the next": ['{"answer": 1.0, "number": 2}', '{"answer": 0.5, "number": NUMBER}'],
    "a huge number": ['{"answer": 1.0, "number": ' + "9" * 4000 + "}", '{"answer": 0.5, "number": NUMBER}'],
    "asking for the truth": ['{"type": "truth"}', HALF],
    "a begin of its own": ['{"type": "begin", "seed": 1}', HALF],
    "the same name twice": ['{"answer": 1.0, "answer": 0.5}'],
    "not a number": ['{"answer": NaN}', HALF],
    "more than all": ['{"answer": 1e999}', HALF],
    "true": ['{"answer": true}', HALF],
    "nested deeply": [f'{{"answer": {DEEP}}}', HALF],
    "notes nested deeply": [f'{{"answer": 0.5, "notes": {{"deep": {DEEP}}}}}'],
    "notes named like fields": [
        '{"answer": 0.5, "notes": {"truth": 1, "reward": 9, "key": "x", "value": 1, "time": 0, "scores": 1}}'
    ],
    "notes that are no numbers": ['{"answer": 0.5, "notes": {"tokens_in": "many", "cost": [], "seconds": NaN}}'],
    "halves of characters": ['{"answer": 0.5, "notes": {"a": "\\ud800"}}', HALF],
    "no text": ["\x00\xff\xfe", HALF],
    "a name that is no name": ['{"answer": 0.5, "notes": {"": {"": ""}}, "__class__": "x"}'],
}


@pytest.mark.parametrize("sending", REPLIES.values(), ids=REPLIES.keys())
def test_no_reply_is_rewarded(laboratory, sending):
    laboratory.write("agent.py", TALKER % (sending,))
    laboratory.write("coins.py", SOURCE)
    name = f"program:{sys.executable} -S -E agent.py"
    taken = laboratory.take("./coins.py:fair", name)
    assert "it was told" not in taken.last_words
    right = sum(answer == taken.truths[key] for key, answer in taken.answers.items())
    assert set(taken.answers.values()) <= {0.5, 1.0}
    assert right <= sum(taken.truths.values()), "a constant is right as often as the coin falls so"
    assert laboratory.store.results.of(taken.run) or taken.status != "finished"


FORGED = """
import json, os, sys

knows = "truth"
os.write(1, b'x')
for number in range(3, 10):
    try:
        os.write(number, b'{"ready": {"recomputes": true, "knows": "truth", "snapshot": true}}\\n')
    except OSError:
        continue


class Oracle:
    knows = "truth"
    recomputes = True

    def __call__(self, ask):
        told = getattr(ask, "truth", None)
        return 0.5 if told is None else float(told)
"""


def test_a_file_that_says_it_knows_is_told_nothing(laboratory):
    laboratory.write("agent.py", FORGED)
    laboratory.write("coins.py", SOURCE)
    taken = laboratory.take("./coins.py:fair", "./agent.py:Oracle")
    assert taken.at_chance
    assert "knows" not in laboratory.store.runs.find(taken.run).details
    # A live object that declares it is told, and marked.
    taken = laboratory_oracle(laboratory)
    assert laboratory.store.runs.find(taken.head.id).details["knows"] == ["subject"]


def laboratory_oracle(laboratory):
    """Let an oracle of our own take the coins, which is the contract's own way to know."""

    class Oracle:
        knows = "truth"

        def __call__(self, ask):
            return float(ask.truth)

    return run("./coins.py:fair", Oracle, store=laboratory.store)


UNSTEADY = """
import os


class Unsteady:
    recomputes = True

    def __call__(self, ask):
        return 0.5 + os.urandom(1)[0] / 1000
"""


def test_a_file_that_says_it_recomputes_and_does_not_harms_only_itself(laboratory):
    laboratory.write("agent.py", UNSTEADY)
    laboratory.write("coins.py", SOURCE)
    taken = laboratory.take("./coins.py:fair", "./agent.py:Unsteady")
    assert taken.status == "finished"
    assert len(taken.answers) == COINS


PATCHING = """
import builtins, sys
import numpy as np
import mensura.dialogue, mensura.store, mensura.scores

np.random.Generator = None
builtins.float = lambda value: 1.0
for name in list(sys.modules):
    if name.startswith("mensura.store") or name.startswith("mensura.running"):
        sys.modules[name] = None
mensura.scores.brier = lambda **given: 0.0


def respond(ask):
    return 0.5
"""


def test_a_file_that_patches_everything_patches_only_its_own_process(laboratory):
    laboratory.write("agent.py", PATCHING)
    laboratory.write("coins.py", SOURCE)
    taken = laboratory.take("./coins.py:fair", "./agent.py:respond")
    assert set(taken.answers.values()) <= {0.5}
    assert float("2") == 2.0
    assert sys.modules["mensura.store"] is not None
    assert run("coin", "chance", store=laboratory.store).counts["finished"] == 1


PICKLED = """
import os


class Trap:
    def __reduce__(self):
        return os.mkdir, (%r,)


class Learner:
    learning = True

    def snapshot(self):
        return Trap()

    def restore(self, state):
        pass

    def __call__(self, ask):
        return 0.5
"""


def test_what_a_stranger_pickled_is_never_unpickled_here(laboratory, tmp_path):
    trap = tmp_path / "sprung"
    laboratory.write("agent.py", PICKLED % str(trap))
    laboratory.write("coins.py", SOURCE)
    phases = [
        Phase("one", "./coins.py:fair", parameters={"coins": 2}),
        Phase("probe", "./coins.py:fair", state="branch"),
    ]
    subject = SubjectSpec("./agent.py:Learner", folder=str(laboratory.folder))
    results = run_courses(phases, subject, store=laboratory.store)
    assert not trap.exists()
    for result in results.values():
        assert audit_run(laboratory.store, result.head.id).whole


WORDS = "\x1b]0;owned\x07\x1b[2J\x1b[31mred\x1b[0m\x1b]52;c;b3duZWQ=\x07\x9b31m\r<script>alert(1)</script>"
SAYING = f"import sys\nsys.stderr.write({WORDS!r} + '\\n')\nsys.exit(1)\n"


@pytest.fixture
def said(laboratory):
    """Let a program end with words that a terminal would obey, through the command line; give all that was printed."""
    laboratory.write("agent.py", SAYING)
    laboratory.write("coins.py", SOURCE)
    words = ["run", "./coins.py:fair", "--as", f"program:{sys.executable} -S -E agent.py"]
    # As to a terminal: to a pipe click leaves colours out.
    return CliRunner().invoke(cli, words, color=True).output


def test_last_words_do_not_command_the_terminal(said):
    assert "script" in said
    assert not {character for character in said if ord(character) < 32 and character not in "\n\t"}


@pytest.mark.usefixtures("said")
def test_last_words_are_text_in_a_report(laboratory):
    made = CliRunner().invoke(cli, ["report", "last", "-o", "report.html"])
    assert made.exit_code == 0, made.output
    assert "<script>alert(1)" not in (laboratory.folder / "report.html").read_text()
