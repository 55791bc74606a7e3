"""Files of a page that answers for people: signed, apart, and under a policy of their own."""

import re
from pathlib import Path

import pytest

EXAMPLE = f"{Path(__file__).parents[3] / 'examples' / 'flanker.py'}:flanker"


@pytest.fixture
def person(visit):
    return visit(EXAMPLE, trials=2)


@pytest.fixture
def site(person) -> str:
    """Give the address of the page in the frame."""
    found = re.search(r'data-src="(/sites/[^"]+)"', person.text)
    assert found
    return found[1]


def test_the_frame_has_no_origin_of_ours_and_the_page_around_it_keeps_its_policy(person, site) -> None:
    frame = re.search(r"<iframe[^>]*>", person.text)[0]
    assert 'sandbox="allow-scripts allow-forms"' in frame
    assert "allow-same-origin" not in person.text
    policy = person.page.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "frame-src 'self'" in policy
    assert "unsafe" not in policy


def test_its_files_are_served_under_a_policy_of_their_own(person, site) -> None:
    answer = person.client.get(site)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("sandbox allow-scripts allow-forms; default-src 'none'; script-src 'self';")
    assert "form-action 'none'" in policy, "forms are heard by the page's scripts and lead nowhere"
    assert "frame-ancestors 'self'" in policy
    assert "set-cookie" not in answer.headers
    assert person.client.get(site.replace("index.html", "flanker.js")).headers["content-type"].startswith("text/javas")


def test_no_other_file_is_served(person, site) -> None:
    folder = site.rpartition("/")[0]
    signature = folder.split("/")[2]
    for address in (
        f"{folder}/nothing.html",
        f"{folder}/..%2Fflanker.py",
        f"{folder}/%2e%2e/coin_study.yaml",
        f"{folder}/",
        site.replace(signature, "A" * len(signature)),
        site.replace(signature, "unsigned"),
    ):
        assert person.client.get(address).status_code == 404, address


def test_what_the_page_sends_is_checked_by_the_declared_shape(person, store) -> None:
    refused = person.answer('[{"trial_type": "flanker"}]')
    assert refused.status_code == 422
    assert "has no &#39;trial_index&#39;" in refused.text
    assert "must be JSON" in person.answer("<script>").text
    trial = '{"trial_type": "flanker", "trial_index": %d, "time_elapsed": 400, "rt": null, "response": "left"}'
    person.answer(f"[{trial % 0}, {trial % 1}]")
    assert person.kind in ("thanks", "over")
    session = store.sessions.of(store.runs.find("last").id)[0].id
    (given,) = (event.value for event in store.events.of(session) if event.kind == "answer")
    assert [one["response"] for one in given] == ["left", "left"]
