"""Reading by programs: the same facts as on the pages, in shapes that do not surprise."""

from typing import Any

import pytest

from mensura.dialogue import Address, Event
from mensura.store import SessionHead


def test_a_token_says_whose_it_is_and_what_it_may(served: Any) -> None:
    me = served.get("/me", role="analyst").json()
    assert (me["name"], me["role"]) == ("the analyst", "analyst")
    assert "see runs" in me["may"]
    assert "see identities" not in me["may"]


def test_a_request_without_a_token_or_with_a_wrong_one_is_told_what_to_do(served: Any) -> None:
    for headers in ({}, {"Authorization": "Bearer guess"}, {"Authorization": "Basic YTpi"}, {"Authorization": ""}):
        answer = served.client.get("/api/v1/runs", headers=headers)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"
        assert "Authorization: Bearer TOKEN" in answer.json()["error"]


def test_tests_are_listed_and_described(served: Any) -> None:
    listed = served.get("/tests").json()
    coin = served.get("/tests/coin").json()
    assert coin in listed
    assert coin["parameters"] == [{"name": "flips", "type": "int", "default": 20, "needed": False}]
    assert "chance" in coin["subjects"]
    assert served.get("/tests/./mine.py:dice").status_code in (404, 422)


def test_runs_are_listed_in_parts_and_described(served: Any) -> None:
    ids = [run["id"] for run in served.get("/runs?test=coin-v1&limit=1000").json()]
    assert ids[0] == served.people
    assert set(served.runs) <= set(ids)
    assert [run["id"] for run in served.get("/runs?limit=1&offset=1").json()] == [ids[1]]
    run = served.get(f"/runs/{served.runs[0]}").json()
    assert (run["seed"], run["sessions"], run["total"]) == ("3", {"finished": 4}, 4)
    people = served.get(f"/runs/{served.people}").json()
    assert (people["seed"], people["people"], people["done"]) == (None, True, 0)


def test_sessions_and_events_are_given_in_parts(served: Any) -> None:
    sessions = served.get(f"/runs/{served.runs[0]}/sessions?limit=2&offset=1").json()
    assert [one["address"] for one in sessions] == ["0.0.1", "0.0.2"]
    assert sessions[0]["answers"] == 3
    here = f"/runs/{served.runs[0]}/sessions/0.0.1"
    assert served.get(here).json() == sessions[0]
    events = served.get(f"{here}/events?limit=2").json()
    assert [event["kind"] for event in events] == ["ask", "answer"]
    assert events[0]["truth"] in (0, 1)
    assert served.get(f"{here}/events?after={events[-1]['number']}").json()[0]["kind"] == "ask"


def test_a_truth_is_not_told_to_programs_before_the_session_is_over(served: Any) -> None:
    store, session = served.store, f"{served.people}/0.0.1"
    content = {"prompt": "Heads?", "space": {"kind": "probability"}}
    store.append(session, [Event(1, "ask", "subject", "coin0", 0, "probability", content=content)], truths={"coin0": 1})
    here = f"/runs/{served.people}/sessions/0.0.1/events"
    assert [event["truth"] for event in served.get(here).json()] == [None]
    store.end_session(session, status="timed_out")
    assert [event["truth"] for event in served.get(here).json()] == [1]


def test_results_and_comparison_say_what_the_pages_say(served: Any) -> None:
    results = served.get(f"/runs/{served.runs[0]}/results").json()
    assert (results["scored"], results["excluded"]) == (4, 0)
    assert all(score["estimate"]["method"] for score in results["scores"])
    compared = served.get(f"/compare?first={served.runs[0]}&second={served.runs[1]}").json()
    assert compared["paired"]
    assert all(score["sentence"] for score in compared["scores"])
    same = served.get(f"/compare?first={served.runs[0]}&second={served.runs[0]}")
    assert same.status_code == 422
    assert "does not differ from itself" in same.json()["error"]


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/runs/nothing", 404, "There is no run called 'nothing'"),
        ("/runs?limit=0", 422, "query.limit is not right"),
        ("/runs?limit=x", 422, "query.limit is not right"),
        ("/runs/a%00b", 422, "path.run is not right"),
        ("/nothing", 404, "There is no page at this address"),
        ("/compare", 422, "query.first is not right: Field required. 1 more are listed in details."),
    ],
)
def test_what_is_not_there_or_not_right_is_refused_in_a_sentence(
    served: Any, path: str, status: int, words: str
) -> None:
    answer = served.get(path)
    assert answer.status_code == status
    assert words in answer.json()["error"]


def test_unknown_numbers_are_null(served: Any) -> None:
    store = served.store
    head = store.run(served.people)
    store.create_session(SessionHead(f"{head.id}/0.0.8", head.id, Address(session=8), {"subject": "human"}))
    session = served.get(f"/runs/{served.people}/sessions/0.0.8").json()
    assert (session["ended"], session["last"], session["excluded"]) == (None, None, None)
    assert served.get(f"/runs/{served.people}/results").json()["scores"] == []


def test_the_description_names_every_refusal_and_both_ways_in(served: Any) -> None:
    described = served.client.get("/api/openapi.json").json()
    assert set(described["components"]["securitySchemes"]) == {"HTTPBearer", "APIKeyCookie"}
    for path, operations in described["paths"].items():
        assert path.startswith("/api/v1/")
        for operation in operations.values():
            assert {"401", "403", "404", "409", "422"} <= set(operation["responses"])
            assert operation["security"]
