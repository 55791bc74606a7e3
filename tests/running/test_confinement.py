"""Runs under a sandbox: what is hidden where a session is taken, what the record says, and how a run goes on."""

from textwrap import dedent

import pytest

from mensura.errors import BadParameter
from mensura.running.executors import Processes
from mensura.running.run import RunOptions, resume_run, run
from mensura.subjects.sandbox import sandbox
from mensura.subjects.sandbox.confinement import BUBBLEWRAP, NOT_ISOLATED, Confinement
from tests.subjects.boxes import needs_bubblewrap

THIEF = """
    import glob, os, sqlite3

    def respond(ask):
        own = os.path.dirname(os.path.abspath(__file__))
        places = [os.path.join(own, name) for name in {names}] + {places}
        found = [place for place in places if os.path.exists(place)]
        if found:
            raise RuntimeError(f"found {{found}}")
        return 0.5
"""
BANK = '{"prompt": "2 + 2?", "options": ["3", "4"], "answer": "4", "id": "sum"}\n'


@pytest.fixture
def thief(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def write(*names, places=(), answer="0.5"):
        source = dedent(THIEF).format(names=list(names), places=[str(place) for place in places])
        (tmp_path / "thief.py").write_text(source.replace("return 0.5", f"return {answer}"))
        return "./thief.py:respond"

    return write


@needs_bubblewrap
@pytest.mark.parametrize("on", [None, Processes(2)])
def test_the_store_its_key_and_other_runs_are_not_found(thief, store, tmp_path, on):
    earlier = run("coin", "chance", store=store, parameters={"flips": 1}).head.id
    (tmp_path / f"{earlier}.html").write_text("a report")
    (tmp_path / "state" / "mensura").mkdir(parents=True, exist_ok=True)
    (tmp_path / "state" / "mensura" / "any.key").write_text("k")
    name = thief("mensura.db", "mensura.db-wal", "mensura.db-shm", f"{earlier}.html", "state/mensura/any.key")
    options = RunOptions() if on is None else RunOptions(on)
    result = run("coin", name, store=store, parameters={"flips": 3}, sessions=2, options=options)
    assert result.counts["finished"] == 2, result.last_words
    assert result.isolation == "in a sandbox (bubblewrap)"
    assert result.head.details["isolation"] == {"subject": {"kind": "bubblewrap"}}


@needs_bubblewrap
def test_bank_and_test_files_are_not_found(thief, store, tmp_path):
    (tmp_path / "items.jsonl").write_text(BANK)
    name = thief("items.jsonl", answer="'4'")
    result = run("./items.jsonl", name, store=store)
    assert result.counts["finished"] == 1, result.last_words
    (tmp_path / "dice.py").write_text(
        "from mensura.dialogue import Ask, Probability, test\n\n\n@test('dice-v1')\ndef dice(rng):\n"
        "    yield Ask('Six?', Probability(), key='six', truth=0)\n"
    )
    result = run("./dice.py:dice", thief("dice.py"), store=store)
    assert result.counts["finished"] == 1, result.last_words


@needs_bubblewrap
def test_data_of_others_that_a_bank_is_read_from_are_not_found(thief, store, tmp_path):
    (tmp_path / "sums.csv").write_text("question,right\n2 + 2?,4\n")
    result = run("./sums.csv#prompt=question#answer=right", thief("sums.csv", answer="4"), store=store)
    assert result.counts["finished"] == 1, result.last_words
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "train.jsonl").write_text('{"q": "1 + 1?", "a": "2"}')
    (tmp_path / "elsewhere" / "test.jsonl").write_text('{"q": "2 + 2?", "a": "4"}')
    folder = "./elsewhere#split=test#prompt=q#answer=a"
    result = run(folder, thief("elsewhere/test.jsonl", "elsewhere/train.jsonl", answer="'4'"), store=store)
    assert result.counts["finished"] == 1, result.last_words
    (tmp_path / "task.yaml").write_text(
        "dataset_path: json\ndataset_kwargs: {data_files: {test: elsewhere/test.jsonl}}\ntest_split: test\n"
        "doc_to_text: q\ndoc_to_target: a\n"
    )
    result = run("lm-eval:./task.yaml", thief("task.yaml", "elsewhere/test.jsonl", answer="'4'"), store=store)
    assert result.counts["finished"] == 1, result.last_words


@needs_bubblewrap
def test_what_is_opened_is_in_the_record_and_the_run_goes_on_with_it(thief, store, tmp_path, tmp_path_factory):
    data = tmp_path_factory.mktemp("data") / "data.csv"
    data.write_text("x")
    (tmp_path / "mine.py").write_text(f"def respond(ask):\n    return float(bool(open({str(data)!r}).read()))\n")
    options = RunOptions(confinement=Confinement(allow=(str(data),)))
    result = run("coin", "./mine.py:respond", store=store, parameters={"flips": 1}, options=options)
    assert result.counts["finished"] == 1, result.last_words
    assert result.head.details["isolation"] == {"subject": {"kind": "bubblewrap", "allow": [str(data)]}}
    assert Confinement.read(result.head.details) == Confinement(allow=(str(data),), means=BUBBLEWRAP)
    session = store.sessions.of(result.head.id)[0]
    store.sessions.end(session.id, status="open")
    assert resume_run(result.head.id, store=store).counts["finished"] == 1


@needs_bubblewrap
def test_a_run_that_began_in_a_sandbox_does_not_go_on_without(thief, store, monkeypatch):
    result = run("coin", thief(), store=store, parameters={"flips": 1})
    store.sessions.end(store.sessions.of(result.head.id)[0].id, status="lost")
    monkeypatch.setattr(sandbox, "_works", lambda means: means == NOT_ISOLATED)
    with pytest.raises(BadParameter, match="kept apart by bubblewrap, which does not work here"):
        resume_run(result.head.id, store=store)


def test_a_live_function_is_trusted_and_refused_where_a_sandbox_is_demanded(store):
    result = run("coin", lambda ask: 0.5, store=store, parameters={"flips": 1})
    assert result.isolation == "trusted: shares our memory"
    assert result.as_json()["isolation"] == {"subject": {"kind": "trusted"}}
    before = len(store.runs.all())
    options = RunOptions(confinement=Confinement(sandbox="on"))
    with pytest.raises(BadParameter, match="no sandbox can hold it"):
        run("coin", lambda ask: 0.5, store=store, options=options)
    assert len(store.runs.all()) == before


def test_in_no_sandbox_it_says_so(store, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("def respond(ask):\n    return 0.5\n")
    options = RunOptions(confinement=Confinement(sandbox="off"))
    result = run("coin", "./mine.py:respond", store=store, parameters={"flips": 1}, options=options)
    assert result.isolation == "not isolated"
