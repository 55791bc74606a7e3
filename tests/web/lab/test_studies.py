"""The page of a study: its plan, what it found and what its test exhibits, by the same words as its report."""

from html import unescape
from typing import Any

from mensura.report.page import html_page
from mensura.report.study import study_report
from mensura.running.study import Study, analyse, conduct, make_study
from mensura.store import Store


def words_of(page: Any) -> str:
    """Give the text of a page."""
    return unescape(page.text)


def test_the_page_says_what_the_report_says(erin: Any, study: Study, store: Store) -> None:
    page = words_of(erin.get("/lab/studies/coins"))
    report = study_report(analyse(study, store=store), store=store)
    assert report.answer[0].startswith("H1 is supported: ")
    said = [report.question, *report.answer, *(words for part in report.sections for words in part.points.get("", ()))]
    for section in report.sections:
        said += [section.title, *(cell for exhibit in section.exhibits for line in exhibit.lines for cell in line)]
    assert [words for words in said if words not in page] == []
    assert f"Plan {study.hash}" in page
    whole = unescape(html_page(report))
    assert [words for words in said if words not in whole] == []


def test_the_twin_gives_the_analysis_with_n_interval_method_and_population(
    erin: Any, study: Study, store: Store
) -> None:
    view = erin.get("/lab/studies/coins.json").json()
    planned = view["analysis"]["planned"][0]
    assert (planned["verdict"], planned["population"]) == ("supported", "sessions")
    assert {"value", "low", "high", "n", "method"} <= set(planned["difference"])
    assert [cell["cell"] for cell in view["progress"]["cells"]] == [cell.name for cell in study.cells()]


def test_a_test_shows_its_exhibits_of_the_cells(erin: Any, store: Store) -> None:
    plan = {
        "name": "urns",
        "test": "forecasting",
        "casts": {"guesser": "chance", "realist": "realistic"},
        "sessions": 3,
    }
    conduct(make_study(plan), store=store)
    page = words_of(erin.get("/lab/studies/urns"))
    assert "No hypothesis was written down" in page
    exhibits = analyse(make_study(plan), store=store).exhibits
    assert exhibits
    assert [one.title for one in exhibits if one.title not in page] == []
    assert 'src="data:image/svg+xml;base64,' in page, "pages forbid styles inside, so pictures are images"


def test_what_is_excluded_afterwards_changes_the_page(erin: Any, study: Study, store: Store) -> None:
    first = erin.get("/lab/studies/coins.json").json()["analysis"]
    run = next(head for head in store.runs.all() if head.details.get("study") == "coins")
    ticked = {"session.0.0.1": "yes", "reason": "Fire alarm."}
    erin.submit(f"/lab/runs/{run.id}/exclusions", ticked)
    after = erin.get("/lab/studies/coins.json").json()["analysis"]
    assert (len(first["left_out"]), len(after["left_out"])) == (0, 1)
    assert "47 of 48 sessions count; 1 excluded: Fire alarm. (decided after the data) × 1" in words_of(
        erin.get("/lab/studies/coins")
    )


def test_a_study_without_data_says_so_and_shows_how_far_it_is(erin: Any, store: Store) -> None:
    plan = {
        "name": "people",
        "test": "coin",
        "casts": {"person": "human", "guesser": "chance"},
        "hypotheses": [{"score": "quadratic_score", "compare": ["person", "guesser"]}],
        "sessions": 2,
    }
    conduct(make_study(plan), store=store)
    page = words_of(erin.get("/lab/studies/people"))
    assert "H1 is not tested: person has no session that counts; opened: 0." in page
    assert "How far it is" in page
    analysis = erin.get("/lab/studies/people.json").json()["analysis"]
    assert [(one["verdict"], one["p"]) for one in analysis["planned"]] == [("not tested", None)]


def test_studies_are_listed_and_found_from_their_runs(erin: Any, study: Study, store: Store) -> None:
    listed = erin.get("/lab/studies.json").json()["studies"]
    assert [(one["name"], one["sessions"]["finished"]) for one in listed] == [("coins", 48)]
    run = next(head for head in store.runs.all() if head.details.get("study") == "coins")
    assert 'href="/lab/studies/coins"' in erin.get(f"/lab/runs/{run.id}").text
    assert erin.get("/lab/studies/coin").status_code == 404
    assert "Did you mean coins?" in erin.get("/lab/studies/coin").text


def test_an_exclusion_is_planned_only_by_a_rule_of_the_registered_plan(erin: Any, store: Store) -> None:
    plan = {"name": "ruled", "test": "coin", "casts": {"told": "stated"}, "sessions": 3}
    conduct(make_study({**plan, "exclude": [{"name": "fast", "when": "invalid > 3"}]}), store=store)
    run = store.runs.all()[-1].id
    assert "<option>fast</option>" in erin.get(f"/lab/runs/{run}").text
    assert "<option>fast</option>" in erin.get(f"/lab/runs/{run}/sessions/0.0.0").text
    for address, rule in (("0.0.0", "fast"), ("0.0.1", ""), ("0.0.2", "slow")):
        fields = {f"session.{address}": "yes", "reason": "Fire alarm.", "rule": rule, "planned": "yes"}
        erin.submit(f"/lab/runs/{run}/exclusions", fields)
    assert [(one.reason, one.planned) for one in store.exclusions.ledger(run)] == [
        ("fast: Fire alarm.", True),
        ("Fire alarm.", False),
    ]


def test_the_report_is_one_click_away_and_who_took_it_is_noted(erin: Any, study: Study, store: Store) -> None:
    assert "/lab/studies/coins/export" in erin.get("/lab/studies/coins").text
    file = erin.get("/lab/studies/coins/export")
    assert file.headers["content-disposition"] == 'attachment; filename="coins-report.html"'
    assert "H1 is supported: " in unescape(file.text)
    run = next(head.id for head in store.runs.all() if head.details.get("study") == study.name)
    taken = [line for line in store.trail.lines() if line.did == "wrote a report"]
    assert [(line.who, run in line.what) for line in taken] == [("Erin", True)]
