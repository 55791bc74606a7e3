"""Reading by programs: the same facts as on the pages, in shapes that do not surprise."""

from pathlib import Path
from typing import Any

import pytest

from mensura.dialogue import Address, Event
from mensura.running.run import run
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
    (flips,) = coin["parameters"]
    assert (flips["name"], flips["type"], flips["default"], flips["needed"]) == ("flips", "int", 20, False)
    assert "chance" in coin["subjects"]
    assert served.get("/tests/./mine.py:dice").status_code in (404, 422)


def test_runs_are_listed_in_parts_and_described(served: Any) -> None:
    ids = [one["id"] for one in served.get("/runs?test=coin-v1&limit=1000").json()]
    assert ids[0] == served.people
    assert set(served.runs) <= set(ids)
    assert [one["id"] for one in served.get("/runs?limit=1&offset=1").json()] == [ids[1]]
    one = served.get(f"/runs/{served.runs[0]}").json()
    assert (one["seed"], one["sessions"], one["total"]) == ("3", {"finished": 4}, 4)
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
    store.events.append(
        session, [Event(1, "ask", "subject", "coin0", 0, "probability", content=content)], truths={"coin0": 1}
    )
    here = f"/runs/{served.people}/sessions/0.0.1/events"
    assert [event["truth"] for event in served.get(here).json()] == [None]
    store.sessions.end(session, status="timed_out")
    assert [event["truth"] for event in served.get(here).json()] == [1]


def test_results_and_comparison_say_what_the_pages_say(served: Any) -> None:
    results = served.get(f"/runs/{served.runs[0]}/results").json()
    assert (results["scored"], results["excluded"]) == (4, 0)
    assert all(score["estimate"]["method"] for score in results["scores"])
    for score in results["scores"]:
        assert score["better"] == "more"
        assert score["high"] > 0
        assert (score["population"], score["estimate"]["population"]) == ("sessions", "sessions")
        assert (score["outcomes"], score["with_lost"]) == ({"answered": 12}, None)
        assert score["generalises"] == "Generalises to other sessions: 4 sessions."
        assert score["answered"] == score["estimate"]
        assert "4 sessions are too few for a useful interval" in score["estimate"]["note"]
    compared = served.get(f"/compare?first={served.runs[0]}&second={served.runs[1]}").json()
    assert compared["paired"]
    assert all(score["sentence"] and score["paired"] and score["better"] == "more" for score in compared["scores"])
    assert all(score["real"] <= score["claim"] for score in compared["scores"])
    assert all(score["outcomes"] == [{"answered": 12}, {"answered": 12}] for score in compared["scores"])
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
    head = store.runs.find(served.people)
    store.sessions.add(SessionHead(f"{head.id}/0.0.8", head.id, Address(session=8), {"subject": "human"}))
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


def test_programs_are_told_what_is_declared_of_a_score_and_what_became_of_every_item(
    served: Any, tmp_path: Path
) -> None:
    (tmp_path / "stores.py").write_text(STORES)
    here = f"{tmp_path}/stores.py"
    name = run(f"{here}:stores", f"{here}:tired", store=served.store, sessions=2, seed=1).head.id
    waste, steps, slope = served.get(f"/runs/{name}/results").json()["scores"]
    assert (waste["better"], waste["low"], waste["high"], waste["unit"]) == ("less", 0, 10, "kg")
    assert (waste["label"], waste["direction"]) == ("Waste", "smaller is better")
    assert waste["outcomes"] == {"answered": 4, "crashed": 4}
    assert (waste["answered"]["value"], waste["estimate"]["value"]) == (2, 6)
    assert waste["estimate"]["high"] <= 10
    for score in (steps, slope):
        assert score["better"] is None
        assert score["direction"] not in ("larger is better", "smaller is better")
    assert (slope["best"], steps["best"]) == (1, None)
    described = served.client.get("/api/openapi.json").json()["components"]["schemas"]["ScoreOut"]["properties"]
    assert {"better", "best", "low", "high", "unit", "population", "outcomes", "with_lost"} <= set(described)
    assert "smaller_is_better" not in described


STORES = """
from mensura.dialogue import Ask, Items, Number, Score, test

SCORES = [Score("waste", better="less", low=0, high=10, unit="kg", label="Waste"), Score("steps", better=None),
          Score("slope", best=1)]

def score(record, truths):
    missed = [abs(a.value - truths[a.key]) if a.status == "answered" else float("nan") for a in record.answers]
    return {"waste": Items(missed, [a.key for a in record.answers]), "steps": 3.0, "slope": 1.0}

@test("stores-v1", scores=SCORES, score=score)
def stores(rng, *, days: int = 4):
    "Keep a store."
    for day in range(days):
        yield Ask(f"Day {day}?", Number(low=0, high=10), key=f"day{day}", truth=4)

def tired(ask):
    if ask.key in ("day2", "day3"):
        raise RuntimeError("tired")
    return 6
"""
