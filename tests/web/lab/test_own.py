"""Pages that packages bring: shown to experimenters, asked by their scripts, refused in words."""

import json

import pytest

PATH = "/lab/pages/task-builder"


def test_a_page_is_linked_shown_and_answers(visitor):
    client = visitor("experimenter")
    assert PATH in client.get("/lab/tests").text
    assert 'class="builder"' in client.get(PATH).text
    task = client.get(f"{PATH}.json").json()["data"]["tasks"]["car-race"]
    assert client.submit(PATH, {"asked": json.dumps({"task": task})}).json()["roles"] == ["subject"]


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
