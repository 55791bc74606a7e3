"""Comparing, excluding, exporting: what counts, what is real, and what is taken away."""

import io
import zipfile
from typing import Any

import pytest

from mensura.running.results.compare import compare_runs
from mensura.running.results.summary import summarise_run
from mensura.running.run import run
from mensura.store import Store, import_archive, open_store


def exclude(client: Any, name: str, *addresses: str, **fields: str) -> Any:
    ticked = {f"session.{address}": "yes" for address in addresses}
    return client.submit(f"/lab/runs/{name}/exclusions", {"reason": "Fire alarm.", **ticked, **fields})


def test_the_page_says_in_words_whether_the_difference_is_real(erin: Any, runs: tuple[str, str], store: Store) -> None:
    view = erin.get(f"/lab/compare.json?run={runs[0]}&run={runs[1]}").json()["compared"]
    expected = compare_runs(*runs, store=store)
    assert view["paired"]
    for score in view["scores"]:
        finding = expected.findings[score["name"]]
        assert score["sentence"] == finding.sentence
        assert score["p"] == pytest.approx(finding.p)
        assert score["adjusted_p"] >= score["p"]
    page = erin.get(f"/lab/compare?run={runs[0]}&run={runs[1]}").text
    assert view["answer"] in page
    assert erin.get(view["scores"][0]["figure"]).text.startswith("<svg")


def test_a_real_difference_is_called_real_and_none_is_not_called_equal(erin: Any, store: Store) -> None:
    names = [run("coin", who, store=store, sessions=30, seed=5).head.id for who in ("chance", "stated")]
    names.append(run("coin", "chance", store=store, sessions=4, seed=6).head.id)
    ask = "/lab/compare.json?run={}&run={}"
    assert erin.get(ask.format(*names[:2])).json()["compared"]["answer"].startswith("Yes: the difference in ")
    none = erin.get(ask.format(names[0], names[2])).json()["compared"]
    assert none["answer"].startswith("Too little data to call any difference real. That is not evidence that the two ")
    assert not none["paired"]
    assert {score["verdict"] for score in none["scores"]} == {"too little data to say"}


def test_the_interval_that_is_printed_decides_and_the_permutation_test_stands_beside_it(
    erin: Any, store: Store, runs: tuple[str, str]
) -> None:
    names = [run("coin", who, store=store, sessions=8, seed=5).head.id for who in ("chance", "stated")]
    view = erin.get(f"/lab/compare.json?run={names[0]}&run={names[1]}").json()["compared"]
    page = erin.get(f"/lab/compare?run={names[0]}&run={names[1]}").text
    for score in view["scores"]:
        low, high = score["difference"]["low"], score["difference"]["high"]
        assert score["claim"] == (not low <= 0 <= high) == (score["p"] <= 0.05)
        assert score["real"] <= score["claim"]
        assert 0 < score["p_permutation"] <= 1
        assert score["paired"]
        assert score["generalises"] in page
        assert "both met the same sessions" in score["pairing"]
    assert "by permutation" in page
    few = erin.get(f"/lab/compare.json?run={runs[0]}&run={names[1]}").json()["compared"]
    assert not any(score["paired"] for score in few["scores"]), "another seed drew other coins"


def test_runs_of_different_tests_have_nothing_to_compare_and_one_run_is_not_two(
    erin: Any, runs: tuple[str, str], store: Store
) -> None:
    other = run("dilemma", "chance", store=store, sessions=2, parameters={"rounds": 2}).head.id
    view = erin.get(f"/lab/compare.json?run={runs[0]}&run={other}").json()["compared"]
    assert view["answer"].startswith("Nothing can be compared")
    assert any("different tests" in words for words in view["warnings"])
    same = erin.get(f"/lab/compare.json?run={runs[0]}&run={runs[0]}").json()
    assert (same["compared"], same["note"]) == (None, "Choose two different runs.")
    assert erin.get(f"/lab/compare?run={runs[0]}&run=nothing").status_code == 404
    assert erin.get("/lab/compare").status_code == 200


def test_an_excluded_session_leaves_results_comparison_and_summary(
    erin: Any, runs: tuple[str, str], store: Store
) -> None:
    before = erin.get(f"/lab/runs/{runs[0]}/results.json").json()["results"]
    assert exclude(erin, runs[0], "0.0.1", "0.0.3").headers["location"] == f"/lab/runs/{runs[0]}"
    after = erin.get(f"/lab/runs/{runs[0]}/results.json").json()["results"]
    assert (before["scored"], after["scored"], after["excluded"]) == (6, 4, 2)
    assert after["scores"][0]["estimate"] != before["scores"][0]["estimate"]
    assert summarise_run(store.runs.find(runs[0]), store=store).scores["quadratic_score"].n == 4
    compared = erin.get(f"/lab/compare.json?run={runs[0]}&run={runs[1]}").json()["compared"]
    assert compared["scores"][0]["difference"]["n"] == 4
    exclude(erin, runs[0], "0.0.1", "0.0.3", decision="include", reason="It was a drill.")
    assert erin.get(f"/lab/runs/{runs[0]}/results.json").json()["results"] == before


def test_every_decision_is_kept_with_who_why_and_whether_it_was_planned(
    erin: Any, anna: Any, runs: tuple[str, str], store: Store
) -> None:
    refused = exclude(erin, runs[0], "0.0.1", rule="fast")
    assert (refused.status_code, "has no rule" in refused.text) == (400, True)
    assert 'name="rule"' not in erin.get(f"/lab/runs/{runs[0]}").text
    exclude(erin, runs[0], "0.0.1")
    answer = exclude(anna, runs[0], "0.0.1", decision="include", reason="A drill.", back="session")
    assert answer.headers["location"] == f"/lab/runs/{runs[0]}/sessions/0.0.1"
    ledger = erin.get("/lab/exclusions.json").json()
    assert ledger["out_now"] == 0
    assert [(one["who"], one["excluded"], one["planned"], one["reason"]) for one in ledger["ledger"]] == [
        ("Anna", False, False, "A drill."),
        ("Erin", True, False, "Fire alarm."),
    ]
    assert "Fire alarm." in erin.get("/lab/exclusions.csv").text
    assert "excluded a session" in [line.did for line in store.trail.lines()]


def test_a_decision_without_reason_or_session_changes_nothing(erin: Any, runs: tuple[str, str], store: Store) -> None:
    assert exclude(erin, runs[0], "0.0.1", reason=" ").status_code == 400
    assert exclude(erin, runs[0]).status_code == 400
    assert exclude(erin, runs[0], "0.0.1", "0.0.99").status_code == 404
    assert exclude(erin, runs[0], "0.0.1", reason="x" * 2001).status_code == 400
    assert store.exclusions.ledger() == []


@pytest.mark.parametrize("format", ["csv", "parquet", "jsonl"])
def test_tables_are_exported_with_the_ledger_and_without_identities(
    format: str, anna: Any, erin: Any, runs: tuple[str, str], store: Store
) -> None:
    exclude(erin, runs[0], "0.0.1")
    answer = anna.get(f"/lab/runs/{runs[0]}/export?format={format}")
    assert answer.headers["content-disposition"] == f'attachment; filename="{runs[0]}-{format}.zip"'
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        names = {name.removeprefix(f"{runs[0]}/") for name in archive.namelist()}
        assert "Fire alarm." in archive.read(f"{runs[0]}/exclusions.csv").decode()
    assert {f"answers.{format}", f"truths.{format}", "exclusions.csv"} <= names
    assert not any("identit" in name for name in names)
    assert ("Anna", "exported a run") in [(line.who, line.did) for line in store.trail.lines()]


def test_an_archive_is_read_by_another_installation(erin: Any, runs: tuple[str, str], tmp_path: Any) -> None:
    (tmp_path / "run.zip").write_bytes(erin.get(f"/lab/runs/{runs[0]}/export?format=zip").content)
    with open_store(tmp_path / "other.db") as other:
        import_archive(other, tmp_path / "run.zip")
        assert other.sessions.count(runs[0]) == {"finished": 6}
    assert erin.get(f"/lab/runs/{runs[0]}/export?format=exe").status_code == 400


def test_the_files_of_an_export_are_gone_afterwards(
    erin: Any, runs: tuple[str, str], tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert erin.get(f"/lab/runs/{runs[0]}/export?format=csv").status_code == 200
    assert erin.get(f"/lab/runs/{runs[0]}/export?format=exe").status_code == 400
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("mensura-export")] == []


def test_runs_and_comparisons_show_what_the_tests_own_literature_shows(erin: Any, store: Store) -> None:
    names = [run("forecasting", who, store=store, sessions=3, seed=5).head.id for who in ("chance", "realistic")]
    alone = erin.get(f"/lab/runs/{names[0]}/results.json").json()["results"]["exhibits"]
    both = erin.get(f"/lab/compare.json?run={names[0]}&run={names[1]}").json()["compared"]["exhibits"]
    assert alone
    assert both
    pages = [
        erin.get(f"/lab/runs/{names[0]}/results").text,
        erin.get(f"/lab/compare?run={names[0]}&run={names[1]}").text,
    ]
    for exhibits, page in zip((alone, both), pages, strict=True):
        assert all(exhibit["title"] in page for exhibit in exhibits)
        assert 'src="data:image/svg+xml;base64,' in page


def test_pages_of_one_run_say_when_each_session_was_taken_and_agree_on_what_was_administered(
    erin: Any, store: Store
) -> None:
    name = run("coin", "chance", store=store, sessions=6, seed=5).head.id
    # The hash comes with the results, which the page of a run shows as soon as they are at hand.
    assert erin.get(f"/lab/runs/{name}/results").status_code == 200
    page = erin.get(f"/lab/runs/{name}.json").json()
    taken = [(one["created"], one["ended"]) for one in page["rows"]]
    assert all(before[1] <= after[0] for before, after in zip(sorted(taken), sorted(taken)[1:], strict=False))
    assert page["run"]["instance"] == summarise_run(store.runs.find(name), store=store).head.instance_hash


def test_what_a_test_in_a_file_would_show_is_said_to_be_elsewhere(erin: Any, store: Store, tmp_path: Any) -> None:
    (tmp_path / "mine.py").write_text(
        "from mensura.dialogue import Ask, Probability, test\nHALF = Probability()\n@test('mine-v1')\n"
        "def mine(rng):\n    '''Mine.'''\n    yield Ask('q', HALF, key='k', truth=1)\n"
    )
    name = run(f"{tmp_path}/mine.py:mine", "chance", store=store).head.id
    assert f"mensura report {name} shows what it brings" in erin.get(f"/lab/runs/{name}/results").text


def test_a_score_of_minus_infinity_is_shown_without_a_picture(erin: Any, store: Store) -> None:
    names = [
        run("coin", answer, store=store, sessions=3, seed=1, parameters={"flips": 4}).head.id
        for answer in (lambda ask: 0.0, lambda ask: 1.0)
    ]
    for name in names:
        page = erin.get(f"/lab/runs/{name}/results").text
        assert "<strong>-∞</strong>" in page
        assert "figures/quadratic_score.svg" in page
        assert "figures/logarithmic_score.svg" not in page
        refused = erin.get(f"/lab/runs/{name}/figures/logarithmic_score.svg")
        assert (refused.status_code, "-∞" in refused.text) == (404, True)
    compared = erin.get(f"/lab/compare?run={names[0]}&run={names[1]}")
    assert compared.status_code == 200
    assert "logarithmic_score cannot be compared: some items scored without bound." in compared.text
    address = f"/lab/compare/figure.svg?first={names[0]}&second={names[1]}&score="
    assert erin.get(address + "logarithmic_score").status_code == 404
    assert erin.get(address + "quadratic_score").text.startswith("<svg")
