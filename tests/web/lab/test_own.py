"""Pages that packages bring: shown to experimenters, asked by their scripts, refused in words."""

import json

import pytest

from mensura.running.run import RunOptions, run

PATH = "/lab/pages/task-builder"


def test_a_page_is_linked_shown_and_answers(visitor):
    client = visitor("experimenter")
    assert PATH in client.get("/lab/tests").text
    assert 'class="builder"' in client.get(PATH).text
    task = client.get(f"{PATH}.json").json()["data"]["tasks"]["car-race"]
    assert client.submit(PATH, {"asked": json.dumps({"task": task})}).json()["roles"].keys() == {"subject"}


@pytest.mark.parametrize(
    ("asked", "words"), [("{", "not JSON"), ("[]", "Ask with a task"), ('"' + "a" * 200_000 + '"', "at most 200000")]
)
def test_what_a_page_refuses_is_said_in_words(visitor, asked, words):
    said = visitor("experimenter").submit(PATH, {"asked": asked})
    assert 400 <= said.status_code < 500
    assert words in said.json()["fault"]


def test_a_page_that_is_not_there_is_named(visitor):
    answer = visitor("experimenter").get("/lab/pages/task-bilder")
    assert answer.status_code == 404
    assert "task-builder" in answer.text


def test_a_page_that_shows_sessions_replays_one_to_those_who_may_read_it(visitor, store):
    given = {"problem": "queens:n=4"}
    taken = run("constraints", "abt", store=store, seed=1, parameters=given, options=RunOptions(trace="full"))
    path, session = "/lab/pages/constraints", f"{taken.head.id}/0.0.0"
    said = visitor("experimenter").submit(path, {"asked": json.dumps({"session": session})}).json()
    assert len(said["runs"][0]["acts"][0]["wakings"]) == 26
    again = visitor("experimenter").submit(path, {"asked": json.dumps({"session": session, "seen": said["seen"]})})
    assert again.json() == {"seen": said["seen"]}
    for wrong in (f"{taken.head.id}/0.0.9", "nothing", "coin-0/0.0.0"):
        refused = visitor("experimenter").submit(path, {"asked": json.dumps({"session": wrong})})
        assert refused.status_code == 404
        assert refused.json()["fault"]
    coin = next(head for head in store.runs.all() if head.test == "coin-v1")
    refused = visitor("experimenter").submit(path, {"asked": json.dumps({"session": f"{coin.id}/0.0.0"})})
    assert "constraints" in refused.json()["fault"]
    client = visitor("analyst")
    assert client.post(path, data={"csrf": client.token("/lab/me"), "asked": "{}"}).status_code == 403
