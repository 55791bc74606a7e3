"""Taking a test in the browser of this computer, and the verbs that serve the laboratory."""

import json
import re
from threading import Thread

import httpx
import pytest
from click.testing import CliRunner

from mensura.cli.main import cli
from mensura.errors import BadParameter, UnknownName
from mensura.store import open_store
from mensura.web.local import served, take_in_browser
from mensura.web.settings import WebSettings


def answer_all(address, answer):
    """Answer whatever is asked at a link until there is nothing more."""
    with httpx.Client(follow_redirects=True, timeout=120) as client:
        page = client.get(address)
        while 'data-kind="thanks"' not in page.text:
            form = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', page.text))
            act = re.search(r'action="[^"]*/([a-z-]+)"', page.text)
            if act is None:
                page = client.get(address)
                continue
            page = client.post(f"{address}/{act[1]}", data={**form, "answer": answer})


@pytest.fixture
def store(tmp_path):
    with open_store(tmp_path / "mensura.db") as opened:
        yield opened


def person(answer):
    """Give what opens a link: someone who answers there, in a thread of their own."""
    return lambda address: Thread(target=answer_all, args=(address, answer), daemon=True).start()


def test_a_person_takes_a_test_here_and_the_result_comes_back(store):
    result = take_in_browser("coin", store=store, seed=3, parameters={"flips": 3}, show=person("50%"))
    assert result.counts["finished"] == 1
    assert result.head.cast == {"subject": "human"}
    assert result.scores["quadratic_score"].value == pytest.approx(0.0)


def test_two_people_have_a_window_each(store):
    result = take_in_browser("dilemma", store=store, parameters={"rounds": 2}, show=person("cooperate"))
    assert result.counts["finished"] == 1


def test_a_person_plays_here_with_a_program(store):
    cast = {"first": "human", "second": "defect"}
    result = take_in_browser("dilemma", cast, store=store, parameters={"rounds": 2}, show=person("cooperate"))
    assert result.counts["finished"] == 1
    assert result.head.cast == cast


def test_a_cast_without_people_or_with_a_misspelt_program_is_told_before_anything_is_written(store):
    with pytest.raises(BadParameter, match="Nobody in this cast is a person"):
        take_in_browser("coin", "chance", store=store)
    with pytest.raises(UnknownName, match="Did you mean"):
        take_in_browser("dilemma", {"first": "human", "second": "tit-for-tatt"}, store=store)
    with pytest.raises(BadParameter, match="has no subject"):
        take_in_browser("dilemma", {"first": "human"}, store=store)
    assert store.runs.all() == []


def test_the_server_is_gone_when_it_is_left(tmp_path):
    with served(WebSettings(store=str(tmp_path / "m.db"))) as home:
        assert httpx.get(f"{home}/health").json() == {"ok": True}
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{home}/health")


def test_accounts_are_made_listed_and_disabled_from_the_command_line(tmp_path):
    place = ["--store", str(tmp_path / "m.db")]
    run = CliRunner().invoke
    made = run(cli, ["account", "add", "ada", "--password", "correct horse", *place])
    assert made.exit_code == 0, made.output
    assert "ada can log in as experimenter" in made.output
    assert run(cli, ["account", "disable", "ada", *place]).exit_code == 0
    listed = run(cli, ["account", "list", "--json", *place])
    assert json.loads(listed.stdout) == [{"name": "ada", "role": "experimenter", "disabled": True}]
    with open_store(tmp_path / "m.db") as store:
        assert store.accounts.check("ada", password="correct horse") is None
    assert run(cli, ["account", "disable", "ada", "--again", *place]).exit_code == 0
    with open_store(tmp_path / "m.db") as store:
        assert store.accounts.check("ada", password="correct horse") is not None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["add", "ada", "--password", "short"], "A password has 10 to"),
        (["add", "ada", "--role", "king", "--password", "correct horse"], "no role called 'king'"),
        (["disable", "nobody"], "no account called 'nobody'"),
    ],
)
def test_mistakes_with_accounts_are_told_in_a_sentence(tmp_path, arguments, words):
    done = CliRunner().invoke(cli, ["account", *arguments, "--store", str(tmp_path / "m.db")])
    assert words in str(done.exception)
