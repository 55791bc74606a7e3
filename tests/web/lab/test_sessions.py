"""Transcript and playback: what was asked and answered, as it was, and harmless whatever it is."""

from typing import Any

import pytest

from mensura.dialogue import Event
from mensura.running.run import run
from mensura.store import Store

EVIL = "<script>alert(1)</script>"


@pytest.fixture
def dilemma(store: Store) -> str:
    """Take the dilemma once."""
    cast = {"first": "tit-for-tat", "second": "defect"}
    return run("dilemma", cast, store=store, sessions=1, seed=1, parameters={"rounds": 2}).head.id


def test_a_transcript_shows_prompts_answers_truths_and_times(erin: Any, runs: tuple[str, str]) -> None:
    view = erin.get(f"/lab/runs/{runs[1]}/sessions/0.0.0.json").json()
    assert view["counts"] == {"ask": 4, "answer": 4, "end": 1}
    ask, answer = view["lines"][:2]
    assert (ask["kind"], ask["key"], answer["kind"]) == ("ask", "coin0", "answer")
    assert ask["prompt"].startswith("This coin falls heads")
    assert ask["truth"] in (0, 1)
    assert answer["seconds"] >= 0
    page = erin.get(f"/lab/runs/{runs[1]}/sessions/0.0.0").text
    assert "What is your probability of heads?" in page
    assert view["scores"].keys() == {"quadratic_score", "logarithmic_score"}


def test_scores_stand_with_floor_and_ceiling_and_every_lost_point_is_explained(erin: Any, store: Store) -> None:
    parameters = {"package": "practice-1", "minutes": 20, "condition": "agent"}
    taken = run("crisis", "nothing", store=store, sessions=1, seed=1, parameters=parameters).head.id
    view = erin.get(f"/lab/runs/{taken}/sessions/0.0.0.json").json()
    made = view["explanation"]
    assert made["columns"]["floor"]["final"] == pytest.approx(view["scores"]["final"])
    assert made["columns"]["ceiling"]["final"] > view["scores"]["final"]
    assert made["tables"]["ledger"]["count"] == 16
    lost = made["tables"]["lost"]
    points = sum(row[lost["heads"].index("points")] for row in lost["rows"])
    assert points == pytest.approx(1 - view["scores"]["final"], abs=0.001)
    page = erin.get(f"/lab/runs/{taken}/sessions/0.0.0").text
    assert f"Lost ({lost['count']})" in page
    assert "Put a room&#39;s facts right" in page
    assert "<th>Floor</th><th>Ceiling</th>" in page


def test_invalid_answers_notes_and_lapses_are_shown(erin: Any, store: Store, runs: tuple[str, str]) -> None:
    session = f"{runs[0]}/0.0.0"
    last = store.events.last_number(session)
    added = [
        Event(last + 1, "ask", "subject", "late", 7, "probability", until=9, time=50.0),
        Event(last + 2, "invalid", "subject", "late", 7, 1.7, notes={"wrong": "Not above 1."}, time=51.5),
        Event(last + 3, "lapse", "subject", "late", 9, time=54.0),
    ]
    store.events.append(session, added)
    lines = erin.get(f"/lab/runs/{session.replace('/', '/sessions/')}.json").json()["lines"][-3:]
    assert [(line["words"], line["value"], line["seconds"], line["tick"]) for line in lines[1:]] == [
        ("invalid answer", 1.7, 1.5, 7),
        ("time ran out", None, 4.0, 9),
    ]
    page = erin.get(f"/lab/runs/{session.replace('/', '/sessions/')}").text
    assert "Not above 1." in page
    assert "until 9" in page


def test_what_would_be_a_script_is_shown_and_not_run(erin: Any, store: Store, runs: tuple[str, str]) -> None:
    session = f"{runs[0]}/0.0.0"
    last = store.events.last_number(session)
    content = {"prompt": EVIL, "space": {"kind": "text"}}
    added = [
        Event(last + 1, "ask", "subject", EVIL, 0, "text", content=content, time=1.0),
        Event(last + 2, "answer", "subject", EVIL, 0, EVIL, notes={EVIL: EVIL}, time=2.0),
    ]
    store.events.append(session, added)
    store.sessions.end(session, status="finished", last_words=EVIL)
    here = f"/lab/runs/{session.replace('/', '/sessions/')}"
    for path in (here, f"{here}/playback?at={last + 2}", f"/lab/runs/{runs[0]}"):
        page = erin.get(path).text
        assert EVIL not in page
        assert "&lt;script&gt;" in page


def test_a_long_transcript_is_read_in_pages(erin: Any, store: Store) -> None:
    head = run("coin", "chance", store=store, sessions=1, parameters={"flips": 120}).head
    here = f"/lab/runs/{head.id}/sessions/0.0.0.json"
    numbers: list[int] = []
    after: int | None = 0
    while after is not None:
        view = erin.get(f"{here}?after={after}").json()
        assert len(view["lines"]) <= 100
        numbers += [line["number"] for line in view["lines"]]
        after = view["next"]
    stored = [event.number for event in store.events.of(f"{head.id}/0.0.0") if event.kind not in ("digest", "save")]
    assert numbers == stored


def test_playback_goes_through_every_event_and_back(erin: Any, dilemma: str, store: Store) -> None:
    here = f"/lab/runs/{dilemma}/sessions/0.0.0/playback.json"
    moment = erin.get(here).json()["moment"]
    assert (moment["position"], moment["before"]) == (1, None)
    steps = [moment["number"]]
    while moment["after"] is not None:
        moment = erin.get(f"{here}?at={moment['after']}").json()["moment"]
        steps.append(moment["number"])
    assert steps == [e.number for e in store.events.of(f"{dilemma}/0.0.0") if e.kind not in ("digest", "save")]
    assert moment["position"] == moment["total"] == len(steps)
    assert erin.get(f"{here}?at={moment['before']}").json()["moment"]["number"] == steps[-2]
    assert erin.get(f"{here}?at=99999").json()["moment"]["number"] == steps[-1]


def test_playback_shows_each_role_what_it_had_before_it(erin: Any, dilemma: str, store: Store) -> None:
    events = store.events.of(f"{dilemma}/0.0.0")
    asked = [event.number for event in events if event.kind == "ask"]
    here = f"/lab/runs/{dilemma}/sessions/0.0.0/playback.json"
    screens = erin.get(f"{here}?at={asked[1]}").json()["moment"]["screens"]
    assert [screen["role"] for screen in screens] == ["first", "second"]
    assert all(screen["answered"] is None and len(screen["told"]) == 1 for screen in screens)
    after = next(event.number for event in events if event.kind == "answer" and event.role == "second")
    screens = erin.get(f"{here}?at={after}").json()["moment"]["screens"]
    assert screens[1]["answered"]["value"] == "defect"
    later = erin.get(f"{here}?at={asked[3]}").json()["moment"]["screens"]
    assert [screen["told"] for screen in later] == [[], []], "what was told before the first answer is gone"


def test_a_session_without_events_says_so(erin: Any, store: Store) -> None:
    head = run("corridor", "optimal", store=store, sessions=1, parameters={"episodes": 50}).head
    assert "taken as arrays" in erin.get(f"/lab/runs/{head.id}/sessions/0.0.0").text
    assert "no events to play back" in erin.get(f"/lab/runs/{head.id}/sessions/0.0.0/playback").text
    assert erin.get(f"/lab/runs/{head.id}/sessions/0.0.1").status_code == 404
