"""Runs: started from a form, watched while they are taken, looked at afterwards."""

from typing import Any

import pytest

from mensura.catalog.coin.dialogue import coin
from mensura.dialogue import Address
from mensura.errors import NotInstalled
from mensura.store import SessionHead, Store
from mensura.store.log.events import Events
from mensura.store.log.records import Records
from mensura.store.log.results import Results
from mensura.web.lab.runs import background
from mensura.web.lab.runs.background import Background


def start(client: Any, **fields: str) -> Any:
    return client.submit("/lab/runs", {"test": "coin-v1", "subject": "chance", "sessions": "5", **fields})


def test_a_run_is_started_from_the_form_and_taken_in_the_background(erin: Any, wait_until: Any, store: Store) -> None:
    answer = start(erin, **{"parameter.flips": "3", "nonce": "n1"})
    address = answer.headers["location"]
    run = address.rpartition("/")[2]
    facts = wait_until(lambda: (f := erin.get(f"{address}.json").json()["run"])["done"] == 5 and f)
    assert facts["sessions"] == {"finished": 5}
    assert facts["parameters"] == {"flips": 3}
    assert (facts["seed"], facts["seed_public"]) == (None, False)
    assert ("Erin", "started a run", run) in [(line.who, line.did, line.what) for line in store.trail.lines()]
    page = erin.get(address).text
    assert "5 of 5" in page
    assert str(store.runs.find(run).seed) not in page


def test_progress_asks_again_only_while_something_is_open(erin: Any, runs: tuple[str, str], store: Store) -> None:
    assert "hx-trigger" not in erin.get(f"/lab/runs/{runs[0]}/progress").text
    store.sessions.add(SessionHead(f"{runs[0]}/0.0.9", runs[0], Address(session=9), {"subject": "chance"}))
    part = erin.get(f"/lab/runs/{runs[0]}/progress").text
    assert "6 of 7" in part
    assert 'hx-trigger="every 2s"' in part
    assert "Resume them here" in part


def test_a_form_that_is_sent_twice_starts_one_run(erin: Any, store: Store) -> None:
    first, second = start(erin, nonce="same"), start(erin, nonce="same")
    assert first.headers["location"] == second.headers["location"]
    assert len(store.runs.all()) == 3


@pytest.mark.parametrize(
    ("fields", "status", "words"),
    [
        ({"test": "coyn-v1"}, 404, "There is no test called"),
        ({"test": "./mine.py:dice"}, 404, "There is no test called"),
        ({"test": "os:system"}, 404, "There is no test called"),
        ({"subject": "program:rm -rf /"}, 400, "There is no program for this test"),
        ({"subject": "./mine.py:respond"}, 400, "others are started from the command line"),
        ({"subject": "human"}, 400, "invite them"),
        ({"sessions": "0"}, 400, "1 to 1000 sessions"),
        ({"sessions": "1001"}, 400, "1 to 1000 sessions"),
        ({"sessions": "many"}, 400, "must be a whole number"),
        ({"parameter.flips": "x"}, 400, "takes a whole number"),
        ({"parameter.flops": "3"}, 404, "Did you mean flips"),
        ({"setting": "nowhere"}, 404, "no setting called"),
        ({"seed": "-1"}, 400, "A seed is a whole number"),
        ({"same_items_as": "coin-nowhere"}, 404, "There is no run called"),
    ],
)
def test_a_run_that_cannot_be_started_says_why_and_changes_nothing(
    fields: dict[str, str], status: int, words: str, erin: Any, store: Store
) -> None:
    answer = start(erin, **fields)
    assert answer.status_code == status
    assert words in answer.text
    assert len(store.runs.all()) == 2


def test_what_was_filled_in_is_kept_where_it_was_wrong(erin: Any) -> None:
    page = start(erin, sessions="0", **{"parameter.flips": "17"}).text
    assert 'value="17"' in page
    assert 'role="alert"' in page


def test_the_same_items_are_met_without_their_seed_being_told(erin: Any, store: Store, wait_until: Any) -> None:
    start(erin, nonce="a", **{"parameter.flips": "3"})
    secret = store.runs.all()[-1]
    answer = start(erin, nonce="b", subject="stated", same_items_as=secret.id)
    again = store.runs.find(answer.headers["location"].rpartition("/")[2])
    assert (again.seed, again.parameters, again.seed_public) == (secret.seed, secret.parameters, False)
    both = "Give either a seed or a run"
    assert both in start(erin, nonce="c", seed="1", same_items_as=secret.id).text
    assert "leave them and the setting out" in start(erin, same_items_as=secret.id, **{"parameter.flips": "4"}).text
    wait_until(lambda: store.sessions.count(again.id) == {"finished": 5})


def test_roles_are_cast_one_by_one(erin: Any, store: Store, wait_until: Any) -> None:
    fields = {"role.first": "tit-for-tat", "role.second": "defect", "parameter.rounds": "2"}
    answer = start(erin, test="dilemma-v1", sessions="1", **fields)
    run = store.runs.find(answer.headers["location"].rpartition("/")[2])
    assert run.cast == {"first": "tit-for-tat", "second": "defect"}
    wait_until(lambda: store.sessions.count(run.id) == {"finished": 1})


def test_a_run_that_its_server_left_is_gone_on_with(erin: Any, store: Store, wait_until: Any) -> None:
    left = Background(store)
    left.close()
    head = left.start("coin-v1", {"subject": "chance"}, sessions=3)
    assert store.sessions.count(head.id) == {"open": 3}
    assert erin.submit(f"/lab/runs/{head.id}/resume").status_code == 303
    wait_until(lambda: store.sessions.count(head.id) == {"finished": 3})


def test_a_run_that_another_server_takes_is_left_to_it(erin: Any, store: Store) -> None:
    left = Background(store)
    left.close()
    head = left.start("coin-v1", {"subject": "chance"}, sessions=2)
    assert store.presence.take(f"run {head.id}", holder="another", patience=60)
    answer = erin.submit(f"/lab/runs/{head.id}/resume")
    assert answer.status_code == 409
    assert "being taken at this moment" in answer.text
    assert "<h1>Not possible now</h1>" in answer.text
    assert "Too late" not in answer.text
    assert erin.get(f"/lab/runs/{head.id}.json").json()["run"]["state"] == "under way"


def test_a_run_that_fails_says_so_on_its_page(
    erin: Any, store: Store, wait_until: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*arguments: Any, **more: Any) -> None:
        raise RuntimeError("secret details")

    monkeypatch.setattr(background, "carry_out", failing)
    address = start(erin).headers["location"]
    state = wait_until(lambda: (s := erin.get(f"{address}.json").json()["run"]["state"]) != "under way" and s)
    assert state == "The run stopped with an error of the program (RuntimeError)."
    assert "secret details" not in erin.get(address).text


def test_runs_are_listed_newest_first_and_by_test(erin: Any, runs: tuple[str, str]) -> None:
    rows = erin.get("/lab/runs.json").json()["runs"]
    assert [row["id"] for row in rows] == list(reversed(runs))
    assert erin.get("/lab/runs.json?test=inbox-v1").json()["runs"] == []
    assert "There are no runs of this test yet" in erin.get("/lab/runs?test=inbox-v1").text


def test_an_address_means_one_run_for_ever(erin: Any, runs: tuple[str, str]) -> None:
    for name in ("last", runs[0][:-1], "nothing"):
        answer = erin.get(f"/lab/runs/{name}")
        assert answer.status_code == 404
    assert f"Did you mean {runs[0]}?" in erin.get(f"/lab/runs/{runs[0][:-1]}.json").json()["error"]


def test_results_come_with_interval_n_method_and_chance(erin: Any, runs: tuple[str, str]) -> None:
    view = erin.get(f"/lab/runs/{runs[0]}/results.json").json()["results"]
    score = next(one for one in view["scores"] if one["name"] == "quadratic_score")
    assert set(score["estimate"]) == {"value", "low", "high", "n", "method", "population", "note"}
    assert score["estimate"]["population"] == "sessions"
    assert score["generalises"] == "Generalises to other sessions: 6 sessions."
    assert score["outcomes"] == {"answered": 24}
    assert score["estimate"]["n"] == 6
    assert score["chance"] == pytest.approx(-1 / 12)
    part = erin.get(f"/lab/runs/{runs[0]}/results/part").text
    assert "<html" not in part
    assert score["words"].split(" ")[0] in part
    for words in ("24 answered", score["generalises"], score["direction"], score["estimate"]["note"]):
        assert words in part
    picture = erin.get(score["figure"])
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.text.startswith("<svg")
    assert erin.get(f"/lab/runs/{runs[0]}/figures/nothing.svg").status_code == 404


def test_the_page_waits_for_no_results_and_has_them_once_they_are_reckoned(erin: Any, runs: tuple[str, str]) -> None:
    assert 'hx-trigger="load"' in erin.get(f"/lab/runs/{runs[0]}").text
    erin.get(f"/lab/runs/{runs[0]}/results/part")
    assert 'hx-trigger="load"' not in erin.get(f"/lab/runs/{runs[0]}").text


def test_the_page_of_a_run_reads_neither_events_nor_results(
    erin: Any, runs: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*arguments: Any, **more: Any) -> None:
        raise AssertionError("A large run would be read as a whole.")

    for room, names in (
        (Events, ("of", "since_save")),
        (Records, ("of", "with_truths")),
        (Results, ("of", "latest")),
    ):
        for name in names:
            monkeypatch.setattr(room, name, never)
    assert erin.get(f"/lab/runs/{runs[0]}").status_code == 200


def test_sessions_are_shown_in_pages_and_by_how_they_stand(erin: Any, store: Store, runs: tuple[str, str]) -> None:
    store.sessions.add_many(
        SessionHead(f"{runs[0]}/0.0.{number}", runs[0], Address(session=number), {"subject": "chance"})
        for number in range(10, 70)
    )
    view = erin.get(f"/lab/runs/{runs[0]}.json").json()
    assert (len(view["rows"]), view["pages"]) == (50, 2)
    assert len(erin.get(f"/lab/runs/{runs[0]}.json?page=2").json()["rows"]) == 16
    assert len(erin.get(f"/lab/runs/{runs[0]}.json?status=finished").json()["rows"]) == 6


def test_what_this_machine_lacks_is_named_on_the_page_of_a_run(
    erin: Any, runs: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def lacking(groups: Any) -> Any:
        raise NotInstalled("Bricks are not installed.", install="pip install bricks")

    monkeypatch.setitem(vars(coin), "exhibits", lacking)
    answer = erin.get(f"/lab/runs/{runs[0]}/results")
    assert answer.status_code == 200
    assert "is left out. Bricks are not installed. Install it with: pip install bricks" in answer.text
    assert "quadratic score" in answer.text


def test_a_run_that_needs_what_is_not_installed_says_so_on_its_page(
    erin: Any, wait_until: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lacking() -> Any:
        raise NotInstalled("Bricks are not installed.", install="pip install bricks")

    monkeypatch.setitem(coin.subjects, "half", lacking)
    address = start(erin, subject="half").headers["location"]
    said = "This run is left out. Bricks are not installed. Install it with: pip install bricks"
    assert wait_until(lambda: said in erin.get(address).text)
    other = start(erin).headers["location"]
    assert wait_until(lambda: "5 of 5" in erin.get(other).text)
