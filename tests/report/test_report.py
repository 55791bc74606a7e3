"""Reports: one file that loads nothing, runs nothing that strangers wrote, and says what may be concluded."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import altair
import pytest

from mensura.dialogue import Noted, Refused, Score
from mensura.errors import BadFile, BadParameter, MensuraError
from mensura.exhibit import Exhibit, Figure
from mensura.exhibit.score_table import ScoreRow, ScoreTable
from mensura.report import write_report
from mensura.report.content import COST, LOSSES, Section
from mensura.report.markdown import markdown_page
from mensura.report.page import html_page
from mensura.report.paper import find_browser
from mensura.report.runs import build_report
from mensura.report.study import study_report
from mensura.running.run import run
from mensura.running.study import analyse, conduct, make_study
from mensura.running.study.analysis.cell import LeftOut
from mensura.stats import Estimate
from mensura.store import open_store
from mensura.subjects import SubjectSpec

EVIL = '<script>alert("x")</script><img src=http://evil.example/x onerror=alert(1)>'


@pytest.fixture
def store(tmp_path):
    with open_store(tmp_path / "mensura.db") as opened:
        yield opened


@pytest.fixture
def runs(store):
    return [run("coin", name, store=store, sessions=6, seed=1).head.id for name in ("stated", "chance")]


class Elements(HTMLParser):
    """Collects the elements of a page with their attributes."""

    def __init__(self, html):
        super().__init__()
        self.found = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def test_a_report_names_what_runs_differ_in(store):
    runs = [run("coin", "chance", store=store, sessions=5, seed=1, parameters={"flips": n}).head.id for n in (3, 4)]
    assert "The runs differ in flips: a difference" in markdown_page(build_report(runs, store=store))


def test_a_page_stands_alone(store, runs):
    html = html_page(build_report(runs, store=store))
    elements = Elements(html).found
    assert not {tag for tag, _ in elements} & {"script", "link", "iframe", "object", "embed", "base"}
    loading = ("src", "srcset", "href", "xlink:href", "action", "data", "poster")
    addresses = [attrs[name] for _, attrs in elements for name in loading if attrs.get(name)]
    assert all(address.startswith(("#", "data:")) for address in addresses)
    assert not re.search(r"url\(\s*['\"]?\s*(?!#|data:)|@import", html)
    assert not [name for _, attrs in elements for name in attrs if name.startswith("on")]


def test_names_that_strangers_chose_are_shown_not_run(store):
    def rude(ask):
        raise ValueError(EVIL)

    def calm(ask):
        return 0.5

    spoken = [run("coin", SubjectSpec(EVIL, given=given), store=store, sessions=2, seed=1) for given in (calm, rude)]
    report = build_report([one.head.id for one in spoken], store=store, title=EVIL, question=EVIL)
    html = html_page(report)
    elements = Elements(html).found
    assert not {tag for tag, _ in elements} & {"script", "img"}
    assert not [name for _, attrs in elements for name in attrs if name.startswith("on")]
    assert "&lt;script&gt;" in html


def test_a_report_has_scores_with_intervals_hashes_and_what_may_be_concluded(store, runs):
    head = build_report(runs[:1], store=store).sections[0].sources.rows[0]
    instance, environment = head[7:9]
    for page in (html_page(build_report(runs, store=store)), markdown_page(build_report(runs, store=store))):
        assert instance in page
        assert environment in page
        assert "over 6 sessions" in page
        assert "What you can conclude" in page
        assert "What you cannot conclude" in page
        assert "stated does best on logarithmic score, better than chance" in page
        assert "Nothing: all 12 sessions finished, and every question was answered." in page
        assert re.search(r"12 sessions in [\d.]+ s, from the first to the last of each run", page)
        assert "stated does better than chance on logarithmic score and quadratic score (larger is better)." in page
        assert "on the same 6 sessions" in page


def test_pictures_have_words_for_those_who_do_not_see_them(store, runs):
    html = html_page(build_report(runs, store=store))
    described = [attrs["aria-label"] for _, attrs in Elements(html).found if attrs.get("role") == "img"]
    assert html.count("<svg") >= 2
    assert any("chance" in words and "stated" in words for words in described)


def test_secret_seeds_stay_secret_and_public_ones_are_said(store):
    secret = run("coin", "chance", store=store, sessions=2).head
    public = run("coin", "chance", store=store, sessions=2, seed=424242).head
    for lay_out in (html_page, markdown_page):
        page = lay_out(build_report([secret.id, public.id], store=store))
        assert str(secret.seed) not in page
        assert "secret" in page
        assert "424242" in page


def test_failures_are_counted_apart_and_keep_their_last_words(store):
    def lost(ask):
        if ask.key != "coin0":
            raise ValueError("I am | lost")
        return 0.5

    failed = run("coin", lost, store=store, sessions=2)
    finished = run("coin", "chance", store=store, sessions=2, seed=1)
    report = build_report([failed.head.id, finished.head.id], store=store)
    assert "Sessions that did not finish" in markdown_page(report)
    assert ": of 2 sessions 2 crashed." in report.beside[LOSSES][0]
    assert "I am | lost" in html_page(report)
    assert "I am \\| lost" in markdown_page(report)


def test_many_comparisons_are_adjusted_and_equal_subjects_are_not_told_apart(store):
    runs = [run("coin", "chance", store=store, sessions=6, seed=seed).head.id for seed in range(4)]
    page = markdown_page(build_report(runs, store=store))
    assert "Nobody can be told from another yet" in page
    assert "too little data to say that any two subjects differ" in page
    assert "This does not show that they are equal" in page
    assert re.search(r"\d+ of 12 comparisons do not show who is ahead, and are not listed", page)
    assert not [line for line in page.splitlines() if "does better than" in line and line.endswith("| yes |")]


def test_runs_of_one_subject_are_told_apart_by_condition_or_id(store):
    runs = [run("coin", "chance", store=store, seed=1, setting=setting).head for setting in ("short", "long")]
    runs += [run("coin", "half", store=store, seed=1).head for _ in range(2)]
    labels = [row[1] for row in build_report([head.id for head in runs], store=store).sections[0].exhibits[0].rows]
    assert labels[:4] == ["chance, short", "chance, long", f"half ({runs[2].id})", f"half ({runs[3].id})"]


def test_the_command_that_reproduces_a_run_can_be_pasted_into_a_shell(store):
    head = run("coin", "team:mean(stated,chance)", store=store, sessions=2, seed=1).head
    html = html_page(build_report([head.id], store=store))
    assert "--as &#39;team:mean(stated,chance)&#39; --sessions 2 --flips 20 --seed 1" in html


def test_the_name_of_the_file_says_the_form(store, runs, tmp_path):
    report = build_report(runs, store=store, title="Coins")
    assert write_report(report, tmp_path / "a.html").read_text().startswith("<!doctype html>")
    assert write_report(report, tmp_path / "a.md").read_text().startswith("# Coins\n")
    with pytest.raises(BadParameter, match=r"\.html, \.md or \.pdf"):
        write_report(report, tmp_path / "a.docx")


def test_without_a_browser_a_pdf_is_refused_with_what_to_do(store, runs, tmp_path, monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(MensuraError, match=r"write a \.html file and print"):
        write_report(build_report(runs, store=store), tmp_path / "a.pdf")


@pytest.mark.browser
@pytest.mark.skipif(find_browser() is None, reason="Chromium prints PDFs, and is not installed here")
def test_a_pdf_is_printed(store, runs, tmp_path):
    path = write_report(build_report(runs, store=store), tmp_path / "a.pdf")
    assert path.read_bytes().startswith(b"%PDF")
    assert path.stat().st_size > 10_000


def test_the_runs_of_a_study_are_named_as_its_cells(store):
    plan = {"name": "two", "test": "coin", "casts": {"calm": "stated"}, "sessions": 3, "seed": 1}
    study = make_study({**plan, "conditions": {"few": {"flips": 3}, "many": {"flips": 6}}})
    conduct(study, store=store)
    report = study_report(analyse(study, store=store), store=store)
    (scores,) = [one for section in report.sections for one in section.exhibits if one.title == "Scores"]
    assert {row[1] for row in scores.rows} == {"calm in few", "calm in many"}


def test_a_picture_says_the_direction_that_is_declared():
    rows = [ScoreRow("a", Estimate(1, 0, 2, 9, "t"), [1.0])]
    declared = (
        Score("steps", better=None),
        Score("tragedy", better="less"),
        Score("final", better="more", unit="points"),
        Score("realism_slope", best=1),
    )
    none, loss, score, slope = (ScoreTable(one, rows).figures[0].words for one in declared)
    assert "neither more nor less is better" in none
    assert "smaller is better" in loss
    assert "final (points), larger is better" in score
    assert "best at 1" in slope


def test_pictures_and_tables_of_exhibits_stay_within_a_phone(store, runs, tmp_path, chromium):
    report = build_report(runs, store=store)
    numbers = altair.Chart(altair.InlineData([{"x": 1, "y": 2}])).mark_bar().encode(x="x:Q", y="y:Q")
    chart = numbers.properties(width=520, height=100)
    wide = Exhibit("Wide", "Words.", "abcdefgh", [("a long cell in here",) * 8], [Figure(chart, "Numbers.")])
    report = replace(report, sections=[*report.sections, Section("Wide", exhibits=[wide])])
    path = write_report(report, tmp_path / "report.html")
    page = chromium.new_page(viewport={"width": 390, "height": 844})
    try:
        page.goto(f"file://{path}")
        page.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
        assert page.locator("figure svg").count() > 1
        assert page.evaluate("document.documentElement.scrollWidth") == 390
    finally:
        page.close()


def test_sessions_that_the_plan_leaves_out_are_in_no_score_of_the_report(store):
    plan = {"name": "some", "test": "coin", "casts": {"half": "half"}, "sessions": 4, "seed": 1}
    study = make_study(plan)
    conduct(study, store=store)
    analysis = analyse(study, store=store)
    run = analysis.progress.cells[0].runs[0]
    analysis.left_out.append(LeftOut(store.sessions.of(run.id)[0].id, "half", "a slip", True, "a slip"))
    report = study_report(analysis, store=store)
    (scores,) = [one for section in report.sections for one in section.exhibits if one.title == "Scores"]
    assert {row[4] for row in scores.rows} == {3}
    assert scores.figures[0].svg.count("mark-symbol") >= 1
    assert f"- a slip: {store.sessions.of(run.id)[0].id}" in markdown_page(report)
    assert report.beside[LOSSES][0] == "1 session excluded, with the reasons given below."


@pytest.mark.parametrize("name", ["report.html", "report.md"])
def test_a_place_that_cannot_be_written_is_said_in_a_sentence(store, runs, tmp_path, name):
    with pytest.raises(BadFile, match=r"cannot be written .*give another place"):
        write_report(build_report(runs, store=store), tmp_path / "missing" / name)


def test_several_tests_stand_in_one_table_and_fold_below_it(store, runs):
    others = [run("corridor", name, store=store, sessions=5, seed=1).head.id for name in ("optimal", "chance")]
    html = html_page(build_report([*runs, *others], store=store))
    answer, _, rest = html.partition("All tests")
    assert "stated does best on logarithmic score" in answer
    assert "The table below shows 1 other test;" in answer
    table, _, details = rest.partition("<nav")
    assert all(name in table for name in ("coin-v1", "corridor-v1", "stated", "optimal", "chance", "Told apart"))
    links = [attrs["href"] for tag, attrs in Elements(html).found if tag == "a"]
    assert links == ["#part-1", "#part-2"]
    folds = [attrs for tag, attrs in Elements(details).found if tag == "details" and attrs.get("class") == "part"]
    assert len(folds) == 2
    assert not any("open" in attrs for attrs in folds)


def test_a_subject_that_knows_the_truth_is_not_called_the_best(store):
    found = [run("inbox", name, store=store, sessions=3, seed=1).head.id for name in ("clerk", "chance")]
    said = build_report(found, store=store).answer[0]
    assert said.startswith("chance ")
    assert "(knows the truth)" in markdown_page(build_report(found, store=store))


def test_what_was_not_answered_and_what_was_spent_stand_on_top(store):
    class Silent:
        """Declines everything, and notes what that cost."""

        def __call__(self, ask):
            return Noted(Refused("No."), {"tokens_in": 10, "cost": 0.5})

    report = build_report([run("coin", Silent(), store=store, sessions=2, seed=1).head.id], store=store)
    assert any("of 40 asks 40 refused." in words for words in report.beside[LOSSES])
    assert "Spent: tokens in 400, cost 20." in report.beside[COST]


def test_printing_opens_the_folds(store, runs, tmp_path, chromium):
    others = [run("corridor", "chance", store=store, sessions=2, seed=1).head.id]
    path = write_report(build_report([*runs, *others], store=store), tmp_path / "report.html")
    page = chromium.new_page()
    try:
        page.goto(f"file://{path}")
        hidden = page.get_by_text("What you can conclude").first
        assert not hidden.is_visible()
        page.emulate_media(media="print")
        assert hidden.is_visible()
        page.emulate_media(media="screen")
        page.get_by_role("navigation").get_by_role("link", name="corridor-v1").click()
        assert page.locator("#part-2").is_visible()
    finally:
        page.close()
