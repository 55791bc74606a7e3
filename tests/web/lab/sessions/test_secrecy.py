"""Truths and secret seeds do not leave early: not in a page, not in its twin, not in an export."""

import io
import json
import zipfile
from typing import Any

import pytest

from mensura.dialogue import Address, Event, Seed
from mensura.running.plan import Plan, read_cast
from mensura.running.run import RunOptions, begin_run, run
from mensura.store import SessionHead, Store
from mensura.web.lab.sessions.secrecy import is_over, open_items

SAID = "a truth that nobody may know yet"


def open_session(store: Store, *, seed: Seed, number: int = 0) -> str:
    """Put someone in front of a coin whose truth is known to the store."""
    plan = Plan("coin-v1", read_cast("human", roles=("subject",)), {"flips": 4})
    head = begin_run(plan, store=store, seed=seed, options=RunOptions(trace="full"))
    session = f"{head.id}/0.0.{number}"
    store.sessions.add(SessionHead(session, head.id, Address(session=number), {"subject": "human"}, created=1.0))
    content = {"prompt": "Heads?", "space": {"kind": "probability"}}
    ask = Event(1, "ask", "subject", "coin0", 0, "probability", content=content, time=2.0)
    store.events.append(session, [ask], truths={"coin0": SAID})
    return session


def seen(client: Any, session: str) -> str:
    """Give all that the pages of a session and their twins say."""
    run, _, address = session.rpartition("/")
    here = f"/lab/runs/{run}/sessions/{address}"
    paths = (here, f"{here}.json", f"{here}/playback", f"{here}/playback.json", f"{here}/playback/part")
    return "".join(client.get(path).text for path in paths)


@pytest.mark.parametrize("role", ["experimenter", "analyst"])
def test_a_truth_is_told_when_the_session_is_over_and_not_before(role: str, visitor: Any, store: Store) -> None:
    client = visitor(role)
    session = open_session(store, seed=Seed.choose())
    assert SAID not in seen(client, session)
    assert "Truths and scores are shown once" in seen(client, session)
    store.events.append(session, [Event(2, "answer", "subject", "coin0", 0, 0.5, time=3.0)], status="finished")
    assert SAID in seen(client, session)


def test_the_truths_of_a_session_are_kept_while_another_meets_the_same_items(
    erin: Any, store: Store, runs: tuple[str, str]
) -> None:
    before = seen(erin, f"{runs[0]}/0.0.0")
    assert "True:" in before
    other = open_session(store, seed=Seed(7, public=True))
    assert open_items(store, store.runs.find(runs[0])) == {Address(0, 0, 0)}
    assert "True:" not in seen(erin, f"{runs[0]}/0.0.0")
    assert "True:" in seen(erin, f"{runs[0]}/0.0.1")
    store.sessions.end(other, status="timed_out")
    assert seen(erin, f"{runs[0]}/0.0.0") == before


def test_a_session_that_was_lost_can_go_on_and_tells_nothing_until_it_has(store: Store) -> None:
    session = open_session(store, seed=Seed.choose())
    head = store.runs.find(session.rpartition("/")[0])
    store.sessions.end(session, status="lost", last_words="The network was down.")
    assert not is_over(store, head, store.sessions.find(session))
    ended = {"status": "lost", "outcome": {"prompt": "", "reward": None, "truncated": True}, "last_words": ""}
    store.events.append(session, [Event(2, "end", value=ended, time=3.0)])
    assert is_over(store, head, store.sessions.find(session)), "its log has an end, so nobody goes on with it"


def test_items_of_a_bank_are_the_same_items_whatever_the_seed(store: Store, tmp_path: Any) -> None:
    lines = [{"prompt": f"{number} + 1?", "answer": number + 1} for number in range(2)]
    (tmp_path / "sums.jsonl").write_text("\n".join(map(json.dumps, lines)))
    bank = str(tmp_path / "sums.jsonl")
    head = run(bank, "chance", store=store, sessions=1, seed=1).head
    sessions = store.sessions.of(head.id)
    assert all(is_over(store, head, session) for session in sessions)
    other = run(bank, "chance", store=store, sessions=1, seed=2).head
    store.sessions.end(store.sessions.of(other.id)[0].id, status="lost")
    assert [is_over(store, head, session) for session in sessions] == [False, True]
    people = begin_run(
        Plan(bank, read_cast("human", roles=("subject",)), {}), store=store, seed=Seed.choose(), options=RunOptions()
    )
    place = Address(session=0)
    store.sessions.add(SessionHead(f"{people.id}/{place.place}", people.id, place, {"subject": "human"}))
    assert not any(is_over(store, head, session) for session in sessions)


def test_an_imported_run_without_seed_still_hides_its_open_sessions(store: Store) -> None:
    session = open_session(store, seed=Seed.choose())
    head = store.runs.find(session.rpartition("/")[0])
    bare = type(head)(**{**vars(head), "seed": None})
    assert not is_over(store, bare, store.sessions.find(session))


def test_a_secret_seed_is_on_no_page(erin: Any, store: Store) -> None:
    result = run("coin", "chance", store=store, sessions=2, parameters={"flips": 2})
    seed, name = str(result.head.seed), result.head.id
    paths = [
        *("/lab", "/lab/runs", f"/lab/runs/{name}", f"/lab/runs/{name}/results", "/lab/audit", "/lab/compare"),
        *(f"/lab/runs/{name}/sessions/0.0.0", f"/lab/runs/{name}/sessions/0.0.0/playback", "/lab/tests/coin-v1"),
    ]
    for path in paths:
        assert seed not in erin.get(path).text
        assert seed not in erin.get(f"{path}.json").text


def test_the_state_of_chance_in_a_save_is_on_no_page(erin: Any, store: Store) -> None:
    result = run("inbox", "clerk", store=store, sessions=1, setting="short")
    session = f"{result.head.id}/0.0.0"
    saves = [event for event in store.events.of(session) if event.kind == "save"]
    assert saves
    state = str(saves[0].value["rng"]["state"]["state"])
    assert state not in seen(erin, session)


def unzipped(answer: Any) -> dict[str, str]:
    assert answer.status_code == 200, answer.text
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        return {name.rpartition("/")[2]: archive.read(name).decode() for name in archive.namelist()}


def test_tables_hold_only_what_is_over(erin: Any, store: Store, runs: tuple[str, str]) -> None:
    open_session(store, seed=Seed(7, public=True), number=2)
    tables = unzipped(erin.get(f"/lab/runs/{runs[0]}/export?format=jsonl"))
    for table in ("sessions", "answers", "events", "truths", "results"):
        named = {json.loads(line)["session"] for line in tables[f"{table}.jsonl"].splitlines()}
        assert named == {f"{runs[0]}/0.0.{number}" for number in (0, 1, 3, 4, 5)}, table


def test_a_run_of_people_who_are_still_answering_exports_no_truth(erin: Any, store: Store) -> None:
    session = open_session(store, seed=Seed.choose())
    name = session.rpartition("/")[0]
    tables = unzipped(erin.get(f"/lab/runs/{name}/export?format=csv"))
    assert SAID not in "".join(tables.values())
    archive = erin.get(f"/lab/runs/{name}/export?format=zip")
    assert archive.status_code == 409
    assert "are still open" in archive.text
    assert erin.get(f"/lab/runs/{name}/export?format=csv&seeds=true").status_code == 409


def test_a_seed_is_exported_by_experimenters_only_and_when_all_is_over(erin: Any, anna: Any, store: Store) -> None:
    head = run("coin", "chance", store=store, sessions=1, parameters={"flips": 2}).head
    address = f"/lab/runs/{head.id}/export?format=zip"
    seed = str(head.seed)
    assert seed not in unzipped(erin.get(address))["runs.jsonl"]
    assert anna.get(f"{address}&seeds=true").status_code == 403
    assert seed in unzipped(erin.get(f"{address}&seeds=true"))["runs.jsonl"]
