"""What the user gets wrong is said in a sentence, with the exit status that the help promises."""

import os
import signal
import sqlite3
import subprocess
import sys

import pytest

from tests.waiting import PATIENCE_SECONDS, until


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("run", "coyn", "--as", "chance"), "no test called 'coyn'. Did you mean coin?"),
        (("run", "coin", "--as", "chanse"), "no subject called 'chanse'. Did you mean chance?"),
        (("run", "coin", "--as", "chanse", "--dry-run"), "no subject called 'chanse'. Did you mean chance?"),
        (
            ("run", "coin", "--as", "chance", "--flps", "3"),
            "coin has no parameter --flps, and `mensura run` no such option. Did you mean --flips?",
        ),
        (("run", "coin", "--as", "chance", "--flips", "many"), "--flips takes a whole number; got 'many'."),
        (("run", "coin", "--as", "chance", "--flips"), "--flips needs a value."),
        (("run", "coin", "--as", "chance", "5"), "'5' is not understood"),
        (("run", "coin", "--as", "chance", "--setting", "shrt"), "no setting called 'shrt'. Did you mean short?"),
        (("run", "coin", "--as", "chance", "--on", "proceses:2"), "Did you mean processes:2"),
        (("run", "coin", "--as", "chance", "--seed", "-5"), "A seed is a whole number of at least 0; got -5."),
        (("run", "coin", "--as", "chance", "--answer-seconds", "-5"), "A limit is a number above 0; got -5"),
        (("run", "coin"), "Say who takes the test: --as chance"),
        (("run", "coin", "--as", "chance", "--as", "half"), "coin has one role. Run each subject by itself"),
        (("run", "coin", "--as", "subject=chance", "--as", "subject=half"), "then `mensura report last~1 last`."),
        (
            ("run", "dilemma", "--as", "first=chance", "--as", "first=defect"),
            "The role first is given to both chance and defect; name it once.",
        ),
        (("run", "dilemma", "--as", "chance", "--as", "defect"), "--as ROLE=SUBJECT. The roles are first and second."),
        (
            ("run", "coin", "--as", "human", "--sessions", "2"),
            "browser: mensura take coin --as human. For many",
        ),
        (("take", "coin", "--as", "nobody"), "There are human, stated, half, overconfident, chance"),
        (("run", "coin", "--as", "chance", "--flips", "0"), "--flips is at least 1; got 0."),
        (("run", "coin", "--as", "chance", "--flips", "-3"), "--flips is at least 1; got -3."),
        (("run", "dilemma", "--as", "chance", "--rounds", "0"), "--rounds is at least 1; got 0."),
        (("run", "dilemma", "--as", "chance", "--temptation", "0"), "A dilemma needs temptation > reward"),
        (("run", "corridor", "--as", "chance", "--length", "2"), "A corridor has at least 3 cells; got --length 2."),
        (("run", "inbox", "--as", "chance", "--messages", "0"), "--messages is at least 1; got 0."),
        (("run", "inbox", "--as", "chance", "--phase-ticks", "9"), "do not fit into a phase of 9 ticks"),
        (("run", "bargain", "--as", "chance", "--points", "0"), "--points is at least 1; got 0."),
        (("run", "coin", "--as", "a=chance"), "There is no role called 'a'. Roles are subject."),
        (("run", "dilemma", "--as", "thrd=chance"), "There is no role called 'thrd'. Roles are first, second."),
        (("run", "coin", "--as", "chance", "--session-seconds", "0"), "A limit is a number above 0; got 0"),
        (
            ("run", "coin", "--as", "chance", "--store", "mysql://x"),
            "SQLite or PostgreSQL, not in 'mysql'",
        ),
        (("run", "coin", "--as", "team:mean("), "A team is named team:RULE(member,member,...)"),
        (("power", "--difference", "1e-12", "--sd", "1"), "too small to plan for"),
        (("power", "--difference", "0.1", "--sd", "1", "--picture", "p.png"), "written as .svg; got 'p.png'"),
        (("study", "run", "absent.yaml"), "There is no file absent.yaml."),
        (("study", "run", "dice.py"), "must define `study = Study(...)`"),
        (("panel", "create", "dice.py"), "this is not YAML"),
        (("panel", "invite", "nosuch"), "There is no panel called 'nosuch'."),
        (("panel", "rate", "nosuch"), "There is no panel called 'nosuch'."),
        (("audit", "last"), "no store"),
        (("run", "dilemma", "--as", "first=chance"), "The role second has no subject"),
        (("run", "./none.py:x", "--as", "chance"), "./none.py cannot be read: No such file"),
        (("run", "./dice.py:dyce", "--as", "chance"), "It holds dice."),
        (("run", "./dice.py:dice", "--as", "./dice.py:two"), "'two'"),
        (("run", "./dice.py:dice", "--as", "./dice.py"), "Say which function or class"),
        (("run", "coin", "--as", "program:nosuchprogram"), "no program 'nosuchprogram'"),
        (("run", "coin", "--as", "recorded:nofile"), "nofile cannot be read"),
        (("list", "coyn"), "Did you mean coin?"),
        (("check", "coyn"), "Did you mean coin?"),
        (("compare", "last", "last"), "no run"),
        (("resume", "last"), "no run"),
        (("score", "last"), "no run"),
        (("export", "last", "--to", "x.zip"), "no run"),
        (("report", "last", "-o", "x.html"), "no run"),
        (("import", "nothere.zip"), "There is no file nothere.zip."),
        (("import", "dice.py"), "not a zip file"),
        (("generate", "nothing"), "There is no test called 'nothing'."),
        (("generate", "forecasting", "--to", "dice.py"), "dice.py: File exists. Check the path, or give another."),
        (("generate", "sensemaking", "--seed", "1", "--out", "dice.py/exam"), "dice.py/exam: Not a directory."),
        (("puzzles", "difficulty", "absent.json", "absent.csv"), "absent.json cannot be read: No such file"),
        (("calibrate", "absent.csv"), "absent.csv cannot be read: No such file or directory. Check the path."),
        (("new", "Dice"), "in lower case letters"),
        (("new", "dice"), "dice.py already exists"),
    ],
)
def test_the_users_errors_are_one_sentence_and_status_1(mensura, words, sentence):
    done = mensura(*words)
    assert done.status == 1
    assert done.out == ""
    assert done.err.startswith("mensura: ")
    assert sentence in done.err
    assert "Traceback" not in done.err
    assert not mensura("list", "runs").out


def test_a_fault_in_a_users_test_is_said_with_file_and_line(mensura, tmp_path):
    (tmp_path / "faulty.py").write_text(
        "from mensura.dialogue import Ask, Number, test\n\n@test('faulty-v1')\ndef faulty(rng):\n"
        "    'Divide.'\n    answer = yield Ask('?', Number())\n    yield Ask(str(1 / (answer - answer)), Number())\n"
    )
    done = mensura("run", "./faulty.py", "--as", "chance", "--seed", "1")
    assert done.status == 3
    assert "faulty-v1 raised ZeroDivisionError in faulty.py, line 7: float division by zero." in done.err
    assert "Traceback" not in done.err


def test_a_run_name_that_is_nearly_right_is_offered(mensura):
    run = mensura("run", "coin", "--as", "chance", "--json").json["run"]
    done = mensura("score", f"{run[:-1]}z")
    assert done.status == 1
    assert f"Did you mean {run}?" in done.err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("ruun", "coin"), "There is no verb 'ruun'. Did you mean run?"),
        (("xyz",), "`mensura help` shows all of them."),
        (("run",), "Missing argument 'TEST'"),
        (("export", "last"), "Missing option '--to'"),
        (("run", "coin", "--as", "chance", "--sessions", "0"), "0 is not in the range x>=1"),
        (("run", "coin", "--as", "chance", "--trace", "some"), "'some' is not one of"),
        (("export", "last"), "that ends in .csv, .parquet, .xlsx, .jsonl, .zip, .json, .eval"),
        (("compare", "last"), "Missing argument 'SECOND'"),
        (("compare", "a", "b", "c"), "`mensura compare` takes two runs. For more: mensura report a b c"),
    ],
)
def test_wrong_usage_is_status_2(mensura, words, sentence):
    done = mensura(*words)
    assert done.status == 2
    assert sentence in done.err


@pytest.mark.parametrize("verb", ["run", "take"])
def test_failed_sessions_are_status_3_with_their_last_words_and_what_they_lost(mensura, verb):
    done = mensura(verb, "./dice.py:dice", "--as", "./dice.py:lost", "--json")
    assert done.status == 3
    assert done.json["sessions"] == {"finished": 0, "crashed": 1, "timed_out": 0, "invalid": 0}
    found = done.json["scores"]["accuracy"]
    assert found["value"] is None
    assert "nothing was answered in 1 session (1 crashed)" in done.json["unanswered"]
    assert set(found["outcomes"]) == {"crashed"}
    assert found["answered"]["n"] == 0
    assert "I am lost" in done.err


def test_a_report_in_no_known_form_is_refused(mensura):
    mensura("run", "coin", "--as", "chance")
    done = mensura("report", "last", "-o", "report.doc")
    assert done.status == 1
    assert ".html, .md or .pdf" in done.err


def test_a_damaged_database_is_refused_and_left_as_it_is(mensura, tmp_path):
    path = tmp_path / "damaged.db"
    path.write_bytes(os.urandom(20_000))
    before = path.read_bytes()
    for words in (("list", "--runs"), ("run", "coin", "--as", "chance"), ("resume", "last")):
        done = mensura(*words, "--store", "damaged.db")
        assert done.status == 1
        assert "is damaged" in done.err
        assert "Nothing was changed" in done.err
    assert path.read_bytes() == before


def test_a_newer_database_is_refused_and_left_as_it_is(mensura, tmp_path):
    mensura("run", "coin", "--as", "chance")
    with sqlite3.connect(tmp_path / "mensura.db") as connection:
        connection.execute("UPDATE meta SET value = '9999' WHERE name = 'schema'")
    connection.close()
    done = mensura("run", "coin", "--as", "chance")
    assert done.status == 1
    assert "newer" in done.err
    with sqlite3.connect(tmp_path / "mensura.db") as connection:
        assert connection.execute("SELECT count(*) FROM runs").fetchone() == (1,)
    connection.close()


def test_a_run_that_scores_nothing_says_so(mensura):
    done = mensura("run", "./dice.py:dice", "--as", "chance", "--rolls", "0")
    assert done.status == 0
    assert "Nothing was scored" in done.err


def test_runs_without_a_common_score_are_not_compared(mensura):
    mensura("run", "coin", "--as", "chance")
    mensura("run", "corridor", "--as", "chance")
    done = mensura("compare", "last~1", "last")
    assert done.out == ""
    assert "different tests" in done.err
    assert "no score in common" in done.err


HALTING = """
import time

class Halting:
    answered = 0

    def __call__(self, ask):
        self.answered += 1
        if self.answered > 3:
            time.sleep(3600)
        return "1"
"""


def test_control_c_says_that_nothing_is_lost_and_how_to_go_on(mensura, tmp_path):
    (tmp_path / "halting.py").write_text(HALTING)
    command = [sys.executable, "-m", "mensura.cli.main", "run", "./dice.py:dice", "--as", "./halting.py:Halting"]
    going = subprocess.Popen(
        [*command, "--rolls", "1000", "--seed", "1", "--answer-seconds", "3600"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        # A shell that runs these tests in the background may ignore the signal, and a child would inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    # The fourth answer never comes: however slow the machine is, the signal finds the run waiting for it.
    try:
        until(lambda: answered(tmp_path) >= 3 or going.poll() is not None)
        going.send_signal(signal.SIGINT)
        _, words = going.communicate(timeout=PATIENCE_SECONDS)
    finally:
        going.kill()
        going.wait()
    assert going.returncode == 1
    assert "Everything answered so far is stored" in words
    assert "Next: mensura resume last" in words
    assert "Traceback" not in words


def answered(folder):
    from mensura.errors import MensuraError
    from mensura.store import open_store

    if not (folder / "mensura.db").exists():
        return 0
    try:
        with open_store(folder / "mensura.db") as store:
            run = store.runs.find("last")
            return sum(
                event.kind == "answer" for head in store.sessions.of(run.id) for event in store.events.of(head.id)
            )
    except MensuraError:
        return 0


def test_a_fault_of_a_subject_names_its_file_and_line(mensura, tmp_path):
    (tmp_path / "mine.py").write_text("def respond(ask):\n    return {}['x']\n\n\ndef word(ask):\n    return 'seven'\n")
    fault = mensura("take", "coin", "--as", "./mine.py:respond").err
    assert "mine.py\", line 2 ... KeyError: 'x'" in fault
    assert "in a row from subject. The last one: A probability" in mensura("take", "coin", "--as", "./mine.py:word").err


def test_a_report_into_a_folder_says_what_a_name_must_end_in(mensura):
    mensura("run", "coin", "--as", "chance", "--seed", "1")
    assert "written as .html, .md or .pdf; got '.'" in mensura("report", "last", "-o", ".").err
