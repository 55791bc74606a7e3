"""Pages of what was compared: what they hold, and how they work in a real browser at both widths."""

import json
import re

import pytest

from mensura.catalog.analogy.comparison import compare
from mensura.catalog.analogy.graph.skeleton import ConceptNode, RelationNode, SkeletonGraph
from mensura.catalog.analogy.own.stories import own_stories
from mensura.catalog.analogy.retrieval.ranking import find_analogies
from mensura.catalog.analogy.showing.corpus_page import corpus_page
from mensura.catalog.analogy.showing.pair_page import pair_page
from mensura.catalog.analogy.showing.picture import draw_graph
from mensura.store import open_store
from mensura.web.local import served
from mensura.web.participant.invitation import Frame, invite
from mensura.web.settings import WebSettings
from tests.web import axe

WIDTHS = [{"width": 1280, "height": 900}, {"width": 390, "height": 780}]
DAM = own_stories()[0]


@pytest.fixture(scope="module")
def compared():
    return compare(DAM.base, DAM.analog)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("papers")
    lines = []
    for place, one in enumerate(own_stories()[:6]):
        (folder / f"{one.id}.txt").write_text(one.base)
        lines.append({"file": f"{one.id}.txt", "year": 2000 + place, "topics": [("mesh", "light")[place % 2]]})
    # Of one nobody knows the topic: it is neither near nor far.
    (folder / "bare.txt").write_text(own_stories()[7].base)
    lines.append({"file": "bare.txt"})
    (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return folder


def test_mapped_words_of_both_texts_bear_the_number_and_colour_of_their_pair(compared):
    page = pair_page(compared, titles=("mill", "clinic"))
    marks = re.findall(r'data-pair="(\d+)" style="--c:(#\w+)" tabindex="0">([\w-]+)<sup>(\d+)</sup>', page)
    by_pair = {}
    for number, colour, word, shown in marks:
        assert number == shown
        by_pair.setdefault(int(number), set()).add((colour, word.lower()))
    for number, pair in enumerate(compared.pairs, start=1):
        if pair.type == "noun":
            written = {word for _, word in by_pair[number]}
            assert {pair.first, pair.second} <= {
                word.removesuffix("s") if len(word) > 3 else word for word in written
            } | written
            assert len({colour for colour, _ in by_pair[number]}) == 1


def test_the_page_says_scores_generic_space_what_did_not_map_and_what_follows(compared):
    page = pair_page(compared, titles=("mill", "clinic"))
    assert f"{compared.scores['unified']:.3f}" in page
    assert f"{compared.scores['tfidf']:.3f}" in page
    assert all(str(pair.generic()[0] or "unknown to WordNet") in page for pair in compared.pairs)
    assert "river, water, brother" in page
    assert "miller borrow money" in page


def test_what_stands_in_texts_and_titles_is_never_read_as_html():
    text = DAM.base.replace("small river", "<b>small</b> river")
    page = pair_page(compare(text, DAM.analog), titles=("<i>a", "b"))
    assert "<b>small" not in page
    assert "<i>a" not in page
    found = corpus_page_of_evil()
    assert "</script><b>" not in found


def corpus_page_of_evil():
    from dataclasses import replace
    from pathlib import Path

    from mensura.catalog.analogy.retrieval.corpus import CorpusEntry
    from mensura.catalog.analogy.retrieval.ranking import Found, Ranked

    made = compare(DAM.base, DAM.analog)
    entry = CorpusEntry(Path("a"), "</script><b>x", 2000, frozenset({"</script><b>"}))
    return corpus_page(Found(replace(entry, name="t"), "unified", (Ranked(entry, made),), (), 0, None))


def test_a_pair_that_is_not_scored_shows_both_texts_and_why():
    found = compare("Rain.", DAM.analog)
    assert not found.scored
    page = pair_page(found, titles=("a", "b"), texts=("Rain.", DAM.analog))
    assert "not scored" in page
    assert "Rain." in page
    assert "face to face" not in page


def test_no_word_of_a_drawn_graph_stands_on_another():
    ends = [(0, 1), (0, 1), (0, None), (None, 0), (0, None), (1, 0), (1, 1)]
    graph = SkeletonGraph(
        tuple(ConceptNode(one) for one in ("dog", "cat", "king", "war")),
        tuple(RelationNode(f"see{at}", *pair) for at, pair in enumerate(ends)),
    )
    svg = draw_graph(graph).svg
    places = re.findall(r'<text text-anchor="middle" transform="translate\(([\d.]+),([\d.]+)\)"[^>]*>(\w+)</text>', svg)
    words = [(float(x), float(y)) for x, y, _ in places]
    assert len(words) == 11
    assert all(abs(x - a) > 20 or abs(y - b) > 6 for at, (x, y) in enumerate(words) for a, b in words[:at])


def opened(chromium, path, viewport):
    page = chromium.new_context(viewport=viewport).new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(path.as_uri())
    page.wait_for_selector("body[data-ready]")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert axe.faults_of(page) == []
    assert errors == []
    return page


@pytest.mark.browser
@pytest.mark.parametrize("viewport", WIDTHS, ids=["desktop", "phone"])
def test_pairs_are_linked_and_a_chosen_one_is_lit_in_both_texts(viewport, compared, chromium, tmp_path):
    (tmp_path / "pair.html").write_text(pair_page(compared, titles=("mill", "clinic")))
    page = opened(chromium, tmp_path / "pair.html", viewport)
    lines = page.locator("svg.links path").count()
    seen = [
        {mark.get_attribute("data-pair") for mark in page.locator(f"article[data-side='{side}'] mark.m").all()}
        for side in (0, 1)
    ]
    # Two relations of one verb share its word, so that a pair may have none of its own.
    assert len(seen[0] & seen[1]) >= len(compared.pairs) - 1
    assert lines == (len(seen[0] & seen[1]) if viewport["width"] > 700 else 0)
    page.locator("article[data-side='0'] mark.m").first.focus()
    lit = page.locator("mark.lit")
    assert len({mark.get_attribute("data-pair") for mark in lit.all()}) == 1
    assert page.locator("article[data-side='1'] mark.lit").count() >= 1


@pytest.mark.browser
@pytest.mark.parametrize("viewport", WIDTHS, ids=["desktop", "phone"])
def test_filters_choose_documents_and_the_distribution_follows(viewport, corpus, chromium, tmp_path):
    found = find_analogies(corpus / "dam.txt", corpus)
    (tmp_path / "corpus.html").write_text(corpus_page(found))
    page = opened(chromium, tmp_path / "corpus.html", viewport)
    assert page.inner_text("#count") == "6 of 6 documents"
    assert page.locator("#rows tr").first.inner_text().split()[1] == found.ranked[0].entry.name
    page.select_option("#distance", "far")
    assert page.inner_text("#count") == "3 of 6 documents"
    assert page.get_attribute("#bars", "aria-label").startswith("3 scores")
    page.fill("#years", "4")
    assert page.inner_text("#count") == "1 of 6 documents"
    page.fill("#name", "no such")
    assert page.inner_text("#count") == "0 of 6 documents"
    page.fill("#name", "")
    page.fill("#years", "0")
    page.select_option("#distance", "")
    page.select_option("#by", "tfidf")
    best = max(found.ranked, key=lambda one: one.comparison.scores["tfidf"])
    assert page.locator("#rows tr").first.inner_text().split()[1] == best.entry.name


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("viewport", WIDTHS, ids=["desktop", "phone"])
def test_a_person_takes_the_story_test_in_the_browser(viewport, chromium, tmp_path):
    place = str(tmp_path / "mensura.db")
    with served(WebSettings(store=place)) as address, open_store(place) as store:
        head, [link] = invite("analogy-story", "human", store=store, seed=1, frame=Frame())
        page = chromium.new_context(viewport=viewport, base_url=address).new_page()
        page.goto(address + link.path)
        page.wait_for_selector("main[data-ready]")
        for number in range(12):
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
            assert page.locator(".an-document").count() == 3
            if number == 0:
                assert axe.faults_of(page) == []
            before = page.locator("[data-ask]").first.get_attribute("data-ask")
            page.locator("label.card").nth(number % 3).click()
            page.get_by_role("button", name="Answer").click()
            page.wait_for_selector(f'main[data-ready]:not(:has([data-ask="{before}"]))')
        assert store.sessions.count(head.id) == {"finished": 1}


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("viewport", WIDTHS, ids=["desktop", "phone"])
def test_words_that_are_chosen_from_are_never_broken(viewport, chromium, tmp_path):
    place = str(tmp_path / "mensura.db")
    with served(WebSettings(store=place)) as address, open_store(place) as store:
        _, [link] = invite("analogy-mapping", "human", store=store, seed=1, frame=Frame())
        page = chromium.new_context(viewport=viewport, base_url=address).new_page()
        page.goto(address + link.path)
        page.wait_for_selector("main[data-ready]")
        place = ".matrix thead th" if viewport["width"] > 700 else ".matrix td .card > span"
        # The shorter side of a word on one line is the height of its letters, whichever way it is turned.
        short = page.eval_on_selector_all(
            place,
            """all => all.map(one => { const range = document.createRange(); range.selectNodeContents(one);
            const box = range.getBoundingClientRect(); return Math.min(box.width, box.height); })""",
        )
        assert short
        assert max(short) < 24
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("viewport", WIDTHS, ids=["desktop", "phone"])
def test_an_expert_rates_an_analogy_in_the_browser(viewport, chromium, tmp_path):
    import numpy as np

    from mensura.catalog.analogy.experts.panel_file import panel_data
    from mensura.catalog.analogy.experts.proposing import propose
    from mensura.running.panel import invite_raters, progress_of
    from mensura.running.panel.reading import make_panel

    texts = {one.id: one.base for one in own_stories()[:6]}
    proposals = propose({"dam": texts["dam"]}, texts, rng=np.random.default_rng(1))
    place = str(tmp_path / "mensura.db")
    with served(WebSettings(store=place)) as address, open_store(place) as store:
        data = panel_data("experts", proposals, raters=["ann", "bob"], overlap=2)
        make_panel(data, folder=tmp_path, name="experts").carry_out(store=store)
        [link, *_] = invite_raters("experts", store=store)
        page = chromium.new_context(viewport=viewport, base_url=address).new_page()
        page.goto(f"{address}/p/{link.token}")
        page.wait_for_selector("main[data-ready]")
        seen, first = "", True
        while (state := progress_of("experts", store=store).raters[0]).status != "finished":
            if page.locator("[data-ask]").count() == 0:
                turned(page, "Continue")
                continue
            if first:
                first = False
                seen = page.inner_text("main")
                assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
                assert axe.faults_of(page) == []
                page.screenshot(path=str(tmp_path / "rating.png"), full_page=True)
            names = page.eval_on_selector_all("main input[type=radio]", "all => [...new Set(all.map(one => one.name))]")
            for name in names:
                page.check(f"input[type=radio][name='{name}'][value='4']", force=True)
            for field in page.locator("main textarea").all():
                field.fill("A wall that gives way first.")
            turned(page, "Answer")
        assert "Proposed source" in seen
        assert "What corresponds" in seen
        assert not re.search(r"\b(engine|tfidf)\b", seen)
        assert (state.rated, state.artefacts) == (4, 4)


def turned(page, button):
    """Press a button and wait for what comes next."""
    before = page.inner_text("main")
    page.get_by_role("button", name=button).click()
    page.wait_for_function(
        "before => document.querySelector('main[data-ready]')?.innerText.trim() !== before.trim()", arg=before
    )
    page.wait_for_selector("main[data-ready]")
