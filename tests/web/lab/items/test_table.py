"""Items in the laboratory: one table for people, models and programs, found by its address, telling nothing early."""

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

from mensura.dialogue import Seed
from mensura.running.plan import Plan, Selection, read_cast
from mensura.running.run import RunOptions, begin_run, run
from mensura.running.study import conduct, make_study
from mensura.store import Store, export_run
from mensura.web.lab.items import tables
from mensura.web.lab.pages import items
from mensura.web.lab.sessions.secrecy import over
from mensura.web.participant.invitation import Frame, invite
from tests.sums import model
from tests.web.lab.items.conftest import MANY, Taken


def address(ids: list[str], **wanted: str) -> str:
    said = "&".join([*(f"run={id}" for id in ids), *(f"{name}={value}" for name, value in wanted.items())])
    return f"/lab/items.json?{said}"


def table(client: Any, ids: list[str], **wanted: str) -> dict[str, Any]:
    answer = client.get(address(ids, **wanted))
    assert answer.status_code == 200, answer.text
    return dict(answer.json()["table"])


def test_people_models_and_programs_stand_in_one_table(erin: Any, ids: list[str]) -> None:
    found = table(erin, ids)
    assert found["total"] == MANY
    assert [one["label"] for one in found["subjects"]] == ["model", "program", "human"]
    assert [[cell["words"] for cell in one["cells"]] for one in found["items"][2:4]] == [
        ["2 of 2 right", "right", "1 of 3 right"],
        ["0 of 2 right", "right", "3 of 3 right"],
    ]
    assert found["items"][2]["over_subjects"]["value"] == pytest.approx(3 / 5), (
        "five subjects: three people and two more"
    )
    assert found["items"][2]["over_subjects"]["n"] == 5
    page = erin.get(address(ids).replace(".json", "")).text
    assert page.count('data-label="Items">12</td>') == 3
    people = found["subjects"][2]
    assert people["estimate"]["value"] == pytest.approx((3 * MANY - 3) / (3 * MANY))
    assert people["estimate"]["population"] == "people and items"


def test_the_counts_are_those_of_the_exported_records(erin: Any, ids: list[str], store: Store, tmp_path: Path) -> None:
    """Count by SQL over the answers and truths that are exported, without scores, ids or hashes of ours."""
    counted: dict[tuple[str, str], tuple[int, int, int]] = {}
    for id in ids:
        export_run(store, id, tmp_path / id, format="parquet")
        here = tmp_path / id
        rows = duckdb.sql(
            f"""SELECT json_extract_string(body, '$.prompt'), count(*), count(*) FILTER (answers.value = answers.truth),
                       count(*) FILTER (answers.status = 'refused')
                FROM '{here}/answers.parquet' AS answers
                JOIN '{here}/events.parquet' AS events USING (session, number)
                JOIN '{here}/contents.parquet' USING (content) GROUP BY 1"""
        ).fetchall()
        counted |= {(id, prompt): (asked, right, refused) for prompt, asked, right, refused in rows}
    assert len(counted) == 3 * MANY
    shown = {
        (cell["run"], one["prompt"]): (
            cell["asked"],
            round((cell["mean"] or 0) * cell["known"]),
            cell["outcomes"].get("refused", 0),
        )
        for one in table(erin, ids)["items"]
        for cell in one["cells"]
    }
    assert shown == counted


def test_the_address_holds_the_whole_view(erin: Any, anna: Any, ids: list[str]) -> None:
    def found(**wanted: str) -> list[str]:
        return [one["prompt"] for one in table(anna, ids, **wanted)["items"]]

    apart = [(7, 4), (10, 5), (22, 9), (31, 12), (34, 13)]
    assert found(differ="people") == [f"What is {first} + {second}?" for first, second in apart]
    assert found(outcome="refused", subject=ids[0]) == ["What is 22 + 9?"]
    assert found(tag="hard", sort="hardest")[0] == "What is 10 + 5?"
    assert found(text="31 %2B") == ["What is 31 + 12?"]
    page = erin.get(address(ids, tag="hard", text="10").replace(".json", "")).text
    assert 'value="10"' in page
    assert "<option selected>hard</option>" in page
    assert "1 of 12 items" in page
    assert erin.get(address(ids, sort="upwards")).status_code == 404


def test_an_item_shows_every_answer_with_its_transcript_and_the_truth(erin: Any, ids: list[str]) -> None:
    name = table(erin, ids, text="What is 10 ")["items"][0]["item"]
    here = f"/lab/items/{name}?" + "&".join(f"run={id}" for id in ids)
    view = erin.get(here.replace("?", ".json?")).json()
    assert view["truth"] == "15"
    assert [one["label"] for one in view["answers"]] == [
        "model, epoch 1",
        "model, epoch 2",
        "program",
        *(f"human, person {number}" for number in (1, 2, 3)),
    ]
    assert [one["verdict"] for one in view["answers"]] == ["wrong", "wrong", "right", "right", "right", "right"]
    page = erin.get(here).text
    for words in ("10 plus 5 is 16.", "What is it?", "20 tokens", "cost 0.001", "True: <strong>15</strong>"):
        assert words in page
    two = view["answers"][0]["session"], view["answers"][2]["session"]
    pieces = erin.get(f"{here.replace('?', '.json?')}&diff={two[0]}&diff={two[1]}").json()["difference"]["pieces"]
    assert {piece["of"] for piece in pieces} == {"first", "second"}
    assert "".join(piece["text"] for piece in pieces if piece["of"] != "second") == "10 plus 5 is 16."
    assert "".join(piece["text"] for piece in pieces if piece["of"] != "first") == "15"
    assert erin.get("/lab/items/0000?" + here.partition("?")[2]).status_code == 404


def verdicts(view: dict[str, Any]) -> set[str]:
    return {cell["verdict"] for one in view["items"] for cell in one["cells"]}


def test_nothing_tells_who_was_right_while_someone_can_still_be_asked(
    erin: Any, ids: list[str], store: Store, taken: Taken
) -> None:
    before = table(erin, ids)
    name = before["items"][0]["item"]
    one = f"/lab/items/{name}.json?" + "&".join(f"run={id}" for id in ids)
    assert erin.get(one).json()["truth"] == "3"
    # Someone is invited to the whole bank.
    _, links = invite(taken.bank, store=store, frame=Frame())
    found = table(erin, ids)
    assert verdicts(found) <= {"withheld", "refused"}
    assert found["withheld"] == MANY
    assert {row["over_subjects"]["value"] for row in found["items"]} == {None}
    assert {row["estimate"]["value"] for row in found["subjects"]} == {None}
    hidden = erin.get(one).json()
    assert hidden["truth"] is None
    assert {answer["verdict"] for answer in hidden["answers"]} == {"answered"}
    assert "True:" not in erin.get(one.replace(".json", "")).text
    store.sessions.end(links[0].session, status="timed_out")
    assert table(erin, ids)["items"] == before["items"]
    # A model is asked single items again: only those are kept back.
    again = run(taken.bank, model, store=store, seed=9).head.id
    store.sessions.end(f"{again}/0.0.0.{name}", status="lost")
    found = table(erin, ids)
    assert [row["item"] for row in found["items"] if row["cells"][0]["verdict"] == "withheld"] == [name]
    store.sessions.end(f"{again}/0.0.0.{name}", status="finished")
    assert table(erin, ids)["withheld"] == 0


def test_sessions_that_are_planned_and_not_begun_keep_back_their_items_too(
    erin: Any, ids: list[str], store: Store, taken: Taken
) -> None:
    plan = Plan(taken.bank, read_cast("chance", roles=("subject",)), {})
    options = RunOptions(details={"sessions": 1}, selection=Selection(limit=2))
    begin_run(plan, store=store, seed=Seed.choose(), options=options)
    found = table(erin, ids)
    assert [row["cells"][1]["verdict"] == "withheld" for row in found["items"]] == [True, True] + [False] * (MANY - 2)


def test_a_question_that_another_bank_still_asks_is_kept_back_and_the_others_are_not(
    erin: Any, ids: list[str], store: Store, taken: Taken, tmp_path: Path
) -> None:
    lines = Path(taken.bank).read_text().splitlines()
    other = tmp_path / "others.jsonl"
    # The third of the sums, under another id and among other questions.
    shared = {**json.loads(lines[2]), "id": "elsewhere"}
    other.write_text("\n".join(json.dumps(one) for one in (shared, {"prompt": "Is it?", "answer": "yes"})))
    before = table(erin, ids)
    name = before["items"][2]["item"]
    one = f"/lab/items/{name}.json?" + "&".join(f"run={id}" for id in ids)
    _, links = invite(str(other), store=store, frame=Frame())
    found = table(erin, ids)
    assert [row["item"] for row in found["items"] if row["cells"][0]["verdict"] == "withheld"] == [name]
    assert erin.get(one).json()["truth"] is None
    assert "True:" not in erin.get(one.replace(".json", "")).text
    # Neither do transcripts of sessions, nor an archive, tell it.
    head = store.runs.find(ids[0])
    told = {session.address.item for session in over(store, head, store.sessions.of(head.id))}
    assert name not in told
    assert len(told) == MANY - 1
    whole = store.runs.find(ids[1])
    assert over(store, whole, store.sessions.of(whole.id)) == []
    store.sessions.end(links[0].session, status="timed_out")
    assert table(erin, ids)["items"] == before["items"]


def test_participants_raters_and_strangers_see_no_items(visitor: Any, ids: list[str], store: Store) -> None:
    here = address(ids).replace(".json", "")
    assert visitor("nobody").get(here).status_code == 303
    assert visitor("rater").get(here).status_code == 403
    assert visitor("nobody").get(f"/lab/items/0000?run={ids[0]}").status_code == 303


def test_nothing_tells_of_a_study_that_belongs_to_others(
    erin: Any, visitor: Any, ids: list[str], store: Store, taken: Taken
) -> None:
    study = make_study({"name": "hidden", "test": taken.bank, "casts": {"guesser": "chance"}, "sessions": 1})
    conduct(study, store=store)
    secret = next(head.id for head in store.runs.all() if head.details.get("study") == "hidden")
    store.members.put("hidden", store.accounts.find("Mia"), role="owner", added_by="Erin")
    anna, mia = visitor("analyst"), visitor("member")
    assert anna.get(address([secret])).status_code == 404
    assert anna.get(address([*ids, secret])).json() == anna.get(address([*ids, "no-such-run"])).json()
    offered = anna.get(address(ids, choose="true").replace(".json", "")).text
    assert ids[0] in offered
    assert secret not in offered
    assert table(mia, [secret])["total"] == MANY
    assert mia.get(address([secret, ids[0]])).status_code in (403, 404), "runs outside are not a member's"


def test_a_large_table_comes_after_its_page_and_by_pages(
    erin: Any, ids: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "QUICK", 0)
    monkeypatch.setattr(items, "PAGE", 5)
    here = address(ids).replace(".json", "")
    assert 'hx-trigger="load"' in erin.get(here).text
    part = erin.get(here, headers={"HX-Request": "true"}).text
    assert "page 1 of 3" in part
    assert "page 1 of 3" in erin.get(here).text, "it is at hand now"
    assert len(table(erin, ids, page="3")["items"]) == 2
    assert len(table(erin, ids, page="99")["items"]) == 2, "beyond the last is the last"


def test_runs_are_chosen_on_the_page_and_a_runs_page_leads_there(erin: Any, ids: list[str]) -> None:
    assert f'value="{ids[0]}"' in erin.get("/lab/items").text
    assert f"/lab/items?run={ids[0]}" in erin.get(f"/lab/runs/{ids[0]}").text
    assert json.loads(erin.get("/lab/items.json").text)["table"] is None
