"""Every verb does what its help says: data on stdout, words on stderr, and the next sensible command at the end."""

import json
import re
import zipfile

import pytest

from mensura.cli.main import VERBS
from mensura.dialogue import Address, Seed
from mensura.running.plan import Plan, read_cast
from mensura.running.run import RunOptions, begin_run
from mensura.store import SessionHead, open_store

SHAPE = ["run", "test", "subject", "condition", "hash"]
COUNTS = {"finished", "crashed", "timed_out", "invalid"}
ESTIMATE = {"value", "low", "high", "n", "method", "population", "better", "declared", "outcomes", "answered"}


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_teaches_itself(mensura, verb):
    done = mensura(verb, "--help")
    assert done.status == 0
    assert done.out.startswith(f"Usage: mensura {verb}")


def test_help_names_every_verb_and_the_exit_statuses(mensura):
    done = mensura("--help")
    assert all(f"\n  {verb} " in done.out for verb in VERBS)
    assert "0 done, 1 your error, 2" in done.out


def test_a_run_prints_its_scores_what_they_speak_of_and_the_next_command_and_show_prints_the_rest(mensura):
    done = mensura("run", "coin", "--as", "chance", "--sessions", "5", "--seed", "1")
    assert done.status == 0
    assert "quadratic_score" in done.out
    assert "Generalises to other sessions: 5 sessions." in done.out
    data = mensura("score", "last", "--json").json
    rest = ("Seed", "Isolation", "Chain", "over 5 sessions", data["hash"], data["environment"])
    assert not any(words in done.out + done.err for words in rest)
    assert f"Next: mensura show {data['run']}" in done.err
    shown = mensura("show", data["run"])
    assert all(words in shown.out for words in rest)
    assert "public" in shown.out
    assert data["chain"] in shown.out


def test_what_a_run_of_puzzles_prints_fits_in_a_dozen_lines_and_its_tables_are_in_show(mensura):
    done = mensura("run", "puzzles", "--as", "chance")
    assert len((done.out + done.err).split("Next:")[0].strip().splitlines()) <= 12
    assert "Specialist" not in done.out
    assert "not calibrated" in done.err
    shown = mensura("show")
    assert "Specialist: accuracy by kind" in shown.out
    titles = [exhibit["title"] for exhibit in mensura("show", "--json").json["exhibits"]]
    assert "Specialist: accuracy by kind" in titles


@pytest.mark.parametrize(
    ("words", "test", "subject"),
    [
        (("coin", "--as", "chance", "--sessions", "3", "--seed", "1", "--flips", "4"), "coin-v1", "chance"),
        (("corridor", "--as", "optimal", "--sessions", "2", "--trace", "full"), "corridor-v1", "optimal"),
        (("inbox", "--as", "chance", "--trace", "summary"), "inbox-v1", "chance"),
        (
            ("dilemma", "--as", "first=tit-for-tat", "--as", "second=defect"),
            "dilemma-v1",
            {"first": "tit-for-tat", "second": "defect"},
        ),
        (("./dice.py:dice", "--as", "./dice.py:one", "--setting", "short"), "dice-v1", "./dice.py:one"),
        (("gym:CartPole-v1", "--as", "chance", "--trace", "none"), "gym:CartPole-v1", "chance"),
    ],
)
def test_the_json_of_every_run_has_one_shape(mensura, words, test, subject):
    done = mensura("run", *words, "--json")
    assert done.status == 0
    data = done.json
    assert list(data)[:5] == SHAPE
    assert (data["test"], data["subject"]) == (test, subject)
    assert set(data["sessions"]) == COUNTS
    assert data["scores"]
    assert all(set(estimate) >= ESTIMATE for estimate in data["scores"].values())
    assert "Next: " in done.err


def test_the_report_of_the_readme_has_scores_pictures_and_what_they_generalise_to(mensura, tmp_path):
    for subject in ("stated", "chance"):
        mensura("run", "coin", "--as", subject, "--sessions", "20", "--seed", "1")
    assert mensura("report", "last~1", "last", "-o", "report.html").status == 0
    page = (tmp_path / "report.html").read_text()
    assert page.count("<svg") == 2
    assert "quadratic score, larger is better" in page
    assert "over 20 sessions" in page
    assert "Generalises to other sessions: 20 sessions." in page
    assert "stated does better than chance" in page
    assert "all answered" in page


def test_a_population_can_be_asked_for_by_name(mensura):
    mensura("run", "coin", "--as", "chance", "--sessions", "3", "--generalise", "sessions")
    done = mensura("compare", "last", "last", "--generalise", "these-items", "--json")
    assert done.json["scores"]["quadratic_score"]["population"] == "these items"
    wrong = mensura("compare", "last", "last", "--generalise", "planets")
    assert wrong.status == 1
    assert "these-items" in wrong.err


def test_take_is_one_session_and_offers_more(mensura):
    done = mensura("take", "./dice.py:dice", "--as", "chance", "--rolls", "3", "--json")
    assert done.json["sessions"]["finished"] == 1
    assert "Next: mensura run ./dice.py:dice --as chance --sessions 20" in done.err
    quoted = mensura("take", "./dice.py:dice", "--as", "team:vote(./dice.py:one,chance)")
    assert "--as 'team:vote(./dice.py:one,chance)'" in quoted.err


def test_a_test_in_a_file_is_compared_exported_and_imported_elsewhere(mensura, tmp_path):
    for subject in ("chance", "./dice.py:one"):
        assert mensura("run", "./dice.py:dice", "--as", subject, "--sessions", "4", "--seed", "2").status == 0
    compared = mensura("compare", "last~1", "last")
    assert compared.out.count(" on accuracy (larger is better) ") == 1
    assert "on the same 4 sessions" in compared.out
    assert "-o comparison.html" in compared.err.partition("Next: mensura report ")[2]
    data = mensura("compare", "last~1", "last", "--json").json
    assert data["paired"] is True
    assert set(data["scores"]["accuracy"]) >= {"difference", "p", "sentence", "population", "better", "claim"}
    exported = mensura("export", "last", "--to", "dice.zip")
    assert "Next, on the other machine: mensura import dice.zip" in exported.err
    imported = mensura("import", "dice.zip", "--store", "other.db")
    assert imported.status == 0
    following = imported.err.split("Next: ")[1].split()
    (tmp_path / "dice.py").unlink()
    assert mensura(*following[1:], "--store", "other.db").status == 0
    assert (tmp_path / "report.html").exists()
    again = mensura("import", "dice.zip", "--store", "other.db")
    assert "nothing new" in again.err


@pytest.mark.parametrize("form", ["csv", "parquet", "jsonl"])
def test_tables_are_written_for_analysis(mensura, tmp_path, form):
    mensura("run", "coin", "--as", "chance", "--flips", "3")
    done = mensura("export", "last", "--to", "tables", "--format", form)
    assert done.status == 0
    assert (tmp_path / "tables" / f"answers.{form}").exists()
    assert done.err.strip().endswith("Next: ls tables")


def test_a_file_that_is_written_over_is_named_as_replaced(mensura):
    mensura("run", "coin", "--as", "chance", "--flips", "3")
    assert "Wrote out.csv: 3 answers." in mensura("export", "last", "--to", "out.csv").err
    again = mensura("export", "last", "--to", "out.csv")
    assert "Replaced out.csv: 3 answers." in again.err
    assert "Next:" not in again.err
    assert "Wrote r.md" in mensura("report", "last", "-o", "r.md").err
    assert "Replaced r.md" in mensura("report", "last", "-o", "r.md").err


def test_scores_that_lack_the_same_answers_are_said_in_one_line(mensura, tmp_path):
    (tmp_path / "shy.py").write_text(
        "from mensura.dialogue import Refused\n\ndef shy(ask):\n    return Refused() if ask.key == 'coin1' else 0.5\n"
    )
    done = mensura("run", "coin", "--as", "./shy.py:shy", "--seed", "1")
    assert [line for line in done.err.splitlines() if line.startswith("Asked:")] == ["Asked: 19 answered, 1 refused."]
    shown = mensura("show", "last").out
    assert shown.count("19 answered, 1 refused; over what was answered") == 2
    assert "Asked:" not in mensura("run", "coin", "--as", "half", "--seed", "1").err


def test_a_run_that_waits_for_a_person_is_named_where_it_cannot_be_compared(mensura):
    mensura("run", "coin", "--as", "chance")
    with open_store("mensura.db") as store:
        plan = Plan("coin-v1", read_cast("human", roles=("subject",)), {"flips": 4})
        head = begin_run(plan, store=store, seed=Seed.choose(1), options=RunOptions(trace="full"))
        store.sessions.add(SessionHead(f"{head.id}/0.0.0", head.id, Address(), {"subject": "human"}, created=1.0))
    done = mensura("compare", "last~1", "last")
    assert f"The run {head.id} has no score yet: 1 session is unfinished. To continue: mensura serve" in done.err


def test_list_shows_tests_one_test_and_runs(mensura):
    tests = mensura("list", "--json")
    assert {"coin-v1", "corridor-v1", "dilemma-v1", "inbox-v1"} <= set(tests.json)
    told = mensura("list").out
    systems, _, small = (
        told.partition("\n\nThese need more")[0].partition("\n\nFurther")[0].partition("\nSmall tests\n")
    )
    names = {line.split()[0] for line in f"{systems}\n{small}".splitlines() if line.startswith(tuple(tests.json))}
    assert names == set(tests.json)
    assert re.search(r"^coin-v1 +Give the probability of heads for coins of known bias\.$", small, re.M)
    assert re.search(r"^puzzles-v1 +Solve", systems, re.M)
    assert systems.startswith("Systems\n")
    assert "Compare documents beneath their words" not in told
    one = mensura("list", "coin", "--json")
    assert [(each["name"], each["default"]) for each in one.json["parameters"]] == [("flips", 20)]
    assert "stated" in one.json["subjects"]
    words = mensura("list", "coin")
    assert "--flips  How many coins are asked about, 1 or more." in words.out
    assert re.search(r"^  short +flips=5$", words.out, re.M)
    assert words.out.index("Subjects: chance, stated") < words.out.index("Settings:") < words.out.index("Parameters of")
    assert "Next: mensura run coin --as stated" in words.err
    assert "No runs are stored here yet" in mensura("list", "--runs").err
    mensura("run", "coin", "--as", "chance")
    runs = mensura("list", "--runs", "--json")
    assert runs.json[0]["test"] == "coin-v1"
    assert runs.json[0]["sessions"] == {"finished": 1}
    assert "Next: mensura show last" in runs.err
    assert runs.json[0]["run"] in mensura("list", "--runs").out
    assert mensura("list", "runs", "--json").json == runs.json
    assert mensura("list", "runs", "coin", "--json").json == runs.json
    assert mensura("list", "runs", "dilemma", "--json").json == []
    assert mensura("list", "tests").out == mensura("list").out


def test_list_shows_subjects_settings_and_studies(mensura):
    assert "stated" in mensura("list", "subjects", "coin", "--json").json["subjects"]
    assert "a person in the browser" in mensura("list", "subjects").out
    assert "short: flips=5" in mensura("list", "settings", "coin").out
    assert mensura("list", "settings", "coin", "--json").json == {
        "coin-v1": {"short": {"flips": 5}, "long": {"flips": 200}}
    }
    assert "No study has been registered" in mensura("list", "studies").err
    assert mensura("list", "coin", "runs").status == 1


def test_help_is_the_same_as_the_option_and_reaches_verbs_beneath_verbs(mensura):
    assert mensura("help").out == mensura("--help").out
    assert mensura("help", "run").out == mensura("run", "--help").out
    assert mensura("help", "run", "coin").out == mensura("run", "coin", "--help").out
    assert "Usage: mensura study invite" in mensura("help", "study", "invite").out
    wrong = mensura("help", "comprae")
    assert wrong.status == 2
    assert "Did you mean compare?" in wrong.err


def test_the_command_that_list_offers_for_a_gym_environment_works(mensura):
    offered = mensura("list", "gym:CartPole-v1").err.split("Next: ")[1].split()
    assert mensura(*offered[1:]).status == 0


def test_new_writes_a_test_that_keeps_the_contract_and_a_subject_that_beats_chance(mensura):
    done = mensura("new", "urn")
    assert done.status == 0
    offered = done.err.split("Next: ")[1].split()
    checked = mensura(*offered[1:], "--json")
    assert checked.status == 0
    assert checked.json["passed"] is True
    for subject in ("chance", "./urn.py:respond"):
        mensura("run", "./urn.py:urn", "--as", subject, "--sessions", "20", "--seed", "1")
    compared = mensura("compare", "last", "last~1", "--json").json
    assert compared["scores"]["accuracy"]["difference"]["low"] > 0


def test_check_names_what_is_wrong_and_fails(mensura, tmp_path):
    (tmp_path / "leaky.py").write_text(
        "from mensura.dialogue import Ask, Number, test\n"
        "@test('leaky-v1')\n"
        "def leaky(rng):\n"
        "    for i in range(12):\n"
        "        truth = float(rng.random())\n"
        "        yield Ask(f'The truth is {truth}. What is it?', Number(), key=f'k{i}', truth=truth)\n"
    )
    done = mensura("check", "./leaky.py:leaky", "--sessions", "5")
    assert done.status == 1
    assert "FAILED  truth hidden: word 4 from the end of the prompt of every ask holds its right answer" in done.out
    assert "Next: correct it, then mensura check ./leaky.py:leaky" in done.err


def test_golden_transcripts_are_written_and_then_compared(mensura, tmp_path):
    written = mensura("check", "./dice.py:dice", "--golden", "golden", "--update-golden")
    assert "Next: mensura check ./dice.py:dice --golden golden" in written.err
    assert (tmp_path / "golden" / "dice-v1.jsonl").exists()
    done = mensura("check", "./dice.py:dice", "--golden", "golden")
    assert "ok      golden transcript" in done.out


def test_a_dry_run_runs_nothing(mensura, tmp_path):
    done = mensura("run", "coin", "--as", "llm:m@http://localhost:1/v1", "--sessions", "50", "--dry-run", "--json")
    assert done.status == 0
    assert done.json["sessions"] == 50
    assert done.json["asks"] == 1000
    assert done.json["tokens_in"]["value"] > 1000
    assert (
        "50 sessions, about 1000 asks" in mensura("run", "coin", "--as", "chance", "--sessions", "50", "--dry-run").out
    )
    assert not (tmp_path / "mensura.db").exists()


def test_resume_of_a_finished_run_shows_it(mensura):
    first = mensura("run", "coin", "--as", "chance", "--seed", "1", "--json").json
    done = mensura("resume", "last", "--json")
    assert done.status == 0
    assert done.json == first


def test_score_scores_again_with_the_same_result(mensura):
    first = mensura("run", "coin", "--as", "chance", "--seed", "1", "--sessions", "2", "--json").json
    done = mensura("score", "last", "--json")
    # The new results hang on the chain, so its head is another one.
    assert done.json["chain"] != first["chain"]
    assert {**done.json, "chain": ""} == {**first, "chain": ""}
    assert f"Next: mensura show {first['run']}" in done.err


def test_report_says_what_it_wrote(mensura, tmp_path):
    mensura("run", "coin", "--as", "chance", "--seed", "1", "--sessions", "3")
    done = mensura("report", "last", "-o", "out.md", "--question", "How good is chance?", "--title", "Coins")
    assert done.status == 0
    assert (tmp_path / "out.md").read_text().startswith("# Coins\n\nHow good is chance?")
    assert "Next: open out.md" in done.err


def test_a_secret_seed_is_printed_and_exported_by_no_verb(mensura, tmp_path):
    from mensura.store import open_store

    said = [mensura("run", "coin", "--as", "chance", "--sessions", "2", "--json")]
    said += [mensura(*words) for words in (("list", "--runs", "--json"), ("score", "last"), ("resume", "last"))]
    said += [mensura("show")]
    said += [mensura("export", "last", "--to", "coin.zip"), mensura("export", "last", "--to", "t", "--format", "csv")]
    said += [mensura("report", "last", "-o", "report.html")]
    with open_store("mensura.db") as store:
        seed = store.runs.find("last").seed
    assert seed.bit_length() > 100
    texts = [done.out + done.err for done in said]
    texts += [path.read_text() for path in (tmp_path / "t").glob("*.csv")] + [(tmp_path / "report.html").read_text()]
    with zipfile.ZipFile("coin.zip") as archive:
        texts += [archive.read(name).decode() for name in archive.namelist()]
    assert not any(str(seed) in text or f"{seed:x}" in text for text in texts)
    with_seed = mensura("export", "last", "--to", "seed.zip", "--with-seeds")
    assert "anyone who has this file can compute every question" in with_seed.err


def test_numbers_that_are_not_finite_are_null_in_json(mensura):
    data = mensura("take", "coin", "--as", "chance", "--flips", "1", "--json")
    assert "NaN" not in data.out
    assert json.loads(data.out)["scores"]["quadratic_score"]["low"] is None
