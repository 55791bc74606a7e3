"""The panel of experts: who proposes what, that nobody can tell, how many items it needs, and what it recovers."""

import sys
from pathlib import Path

import numpy as np
import pytest
import yaml
from click.testing import CliRunner
from krippendorff import alpha as library_alpha

from mensura.catalog.analogy.experts.command import experts
from mensura.catalog.analogy.experts.panel_file import RUBRIC, panel_data, size_sentence
from mensura.catalog.analogy.experts.proposing import ARMS, propose
from mensura.catalog.analogy.experts.sizing import (
    alpha_of_share,
    items_needed,
    share_of_alpha,
    simulated_ratings,
)
from mensura.catalog.analogy.own.stories import own_stories
from mensura.dialogue import prompt_text
from mensura.errors import BadParameter
from mensura.running.panel import agreement_of, close, rate, results
from mensura.running.panel.reading import make_panel
from mensura.stats import krippendorff_alpha
from mensura.store import open_store

sys.path.insert(0, str(Path(__file__).parents[4]))

from benchmarks.analogy.panel import PANELS, covered

CORPUS = {f"{one.id}-{side}": getattr(one, side) for one in own_stories() for side in ("base", "analog")}


@pytest.fixture(scope="module")
def proposals():
    targets = {name: CORPUS[name] for name in ("dam-base", "wall-base", "frogs-base")}
    return propose(targets, CORPUS, rng=np.random.default_rng(1))


def test_every_target_has_four_sources_none_of_them_twice_or_itself(proposals):
    assert len(proposals) == 12
    for target in {one.target for one in proposals}:
        own = [one for one in proposals if one.target == target]
        assert {one.arm for one in own} == set(ARMS)
        assert len({one.source for one in own} | {target}) == 5


def test_the_engine_and_the_poor_choice_are_the_ends_of_the_unified_score(proposals):
    from mensura.catalog.analogy.subjects import Engine

    engine = Engine(score="unified")
    for target in {one.target for one in proposals}:
        unified = {name: engine.measure(CORPUS[target], text) for name, text in CORPUS.items() if name != target}
        chosen = {one.arm: one.source for one in proposals if one.target == target}
        assert unified[chosen["engine"]] == max(unified.values())
        # TF-IDF may have taken the poorest for itself.
        rest = {name: value for name, value in unified.items() if name != chosen["tfidf"]}
        assert unified[chosen["poor"]] == min(rest.values())


def test_what_experts_read_does_not_tell_who_proposed_it(proposals):
    for one in proposals:
        assert one.source not in one.words
        assert one.target not in one.words
        assert "# Target" in one.words
        assert "# What corresponds" in one.words
    heads = {tuple(line for line in one.words.splitlines() if line.startswith("# ")) for one in proposals}
    assert len(heads) == 1


def test_experts_see_which_concepts_and_which_statements_correspond(proposals):
    first = next(one for one in proposals if one.target == "dam-base" and one.source == "dam-analog")
    assert "| miller | director |" in first.words
    assert "| miller build dam | director buy battery |" in first.words


def test_headings_and_tables_in_a_text_stay_words():
    texts = {
        "t": "The mill feared the storm.",
        **{f"s{n}": f"# Title {n}\n\n| a | b |\n\nThe dam broke." for n in range(4)},
    }
    [first, *_] = propose({"t": texts["t"]}, texts, rng=np.random.default_rng(1))
    assert "\n# Title" not in first.words
    assert first.words.count("|---|---|") <= 1


def test_a_corpus_with_fewer_documents_than_arms_is_refused():
    few = dict(list(CORPUS.items())[:3])
    with pytest.raises(BadParameter, match="2 other documents"):
        propose(dict(list(few.items())[:1]), few, rng=np.random.default_rng(1))


def test_what_cannot_be_scored_is_never_planted_as_the_poor_one():
    foreign = "Der Hund ist nicht in dem Haus und die Katze ist auch nicht da, weil es sich auf den Weg zum See macht."
    bare = {"empty": "", "foreign": foreign, "list": "Blue green red yellow very much so indeed."}
    target = next(iter(CORPUS))
    found = propose({target: CORPUS[target]}, CORPUS | bare, rng=np.random.default_rng(1))
    assert not {one.source for one in found} & set(bare)


def test_a_panel_is_ready_to_run_and_its_report_says_alpha_means_time_and_suggestions(proposals, tmp_path):
    """A panel with simulated raters, from its file to its results."""
    known = {one.words: {"engine": 4, "tfidf": 3, "random": 2, "poor": 1}[one.arm] for one in proposals}

    def rater(shift):
        def respond(ask):
            text = next(words for words in known if words in prompt_text(ask.prompt))
            return {
                key: f"an idea of {shift}" if key == "comment" else int(min(5, known[text] + shift))
                for key in ask.space.questions
            }

        return respond

    data = panel_data("experts", proposals, raters=["ann", "bob"], overlap=2)
    plan = make_panel(yaml.safe_load(yaml.safe_dump(data)), folder=tmp_path, name="experts")
    with open_store(str(tmp_path / "panel.db")) as store:
        from dataclasses import replace

        from mensura.running.panel import Rater

        subjects = {"ann": rater(0), "bob": rater(1)}
        replace(plan, raters=tuple(Rater(name, subject) for name, subject in subjects.items())).carry_out(store=store)
        rate("experts", store=store, subjects=subjects)
        found = agreement_of("experts", store=store)
        assert [one.item for one in found.items] == ["novelty", "usefulness", "challenge", "score"]
        table = [[value + shift for one in proposals for value in [known[one.words]]] for shift in (0, 1)]
        expected = library_alpha(np.minimum(5, np.array(table, dtype=float)), level_of_measurement="interval")
        assert found["novelty"].alpha.coefficient.value == pytest.approx(expected)
        assert found["novelty"].alpha.coefficient.has_interval
        close("experts", store=store)
        closed = results("experts", store=store)
        estimates = closed.estimates()
        assert [estimates[arm]["novelty"].value for arm in ARMS] == [4.5, 3.5, 2.5, 1.5]
        assert all(estimates[arm]["novelty"].has_interval for arm in ARMS)
        assert closed.differences("novelty") is not None
        assert {one.comments for one in closed.artefacts} == {("an idea of 0", "an idea of 1")}
        assert all(one.seconds >= 0 for one in closed.artefacts)
        assert closed.as_json()["seconds"]["engine"]["n"] == 3
        from mensura.report.panel import panel_report

        titles = [one.title for one in panel_report(closed).sections[0].exhibits]
        assert {"Time spent", "What raters added"} <= set(titles)


def test_the_rubric_is_three_scales_from_1_to_5_and_a_question_in_words():
    assert [item["key"] for item in RUBRIC["items"]] == ["novelty", "usefulness", "challenge"]
    assert {item["scale"]["points"] for item in RUBRIC["items"]} == {5}
    assert "suggest" in RUBRIC["comments"]


def test_one_rater_or_more_overlap_than_raters_is_refused(proposals):
    for overlap, words in ((1, "two experts"), (3, "2 are named")):
        with pytest.raises(BadParameter, match=words):
            panel_data("a", proposals, raters=["ann", "bob"], overlap=overlap)


def test_alpha_of_made_ratings_is_that_of_the_library():
    table = simulated_ratings(np.random.default_rng(5), items=20_000, raters=3, share=0.6)
    assert alpha_of_share(0.6) == pytest.approx(library_alpha(table, level_of_measurement="interval"), abs=0.012)
    assert alpha_of_share(share_of_alpha(0.4)) == pytest.approx(0.4, abs=0.005)


def test_more_items_are_needed_for_a_narrower_interval_and_it_is_said_before_the_study(monkeypatch):
    few, many = (items_needed(raters=4, alpha=0.4, width=width) for width in (0.9, 0.6))
    assert 10 <= few < many
    monkeypatch.setattr("mensura.catalog.analogy.experts.sizing.GRID", (10,))
    assert items_needed(raters=4, alpha=0.4, width=0.05) is None
    assert "fewer than 10" in size_sentence(9, 40, alpha=0.4, width=0.5)
    assert "too few" in size_sentence(12, 40, alpha=0.4, width=0.5)
    assert "enough" in size_sentence(40, 40, alpha=0.4, width=0.5)
    for wrong in ({"raters": 1}, {"alpha": 1.2}, {"width": 0}):
        with pytest.raises(BadParameter):
            items_needed(**{"raters": 3, "alpha": 0.4, "width": 0.5, **wrong})


def test_made_panels_recover_a_known_alpha():
    share, mean, truth = covered(studies=100, items=30, raters=4, alpha=0.4, seed=1, resamples=299)
    # 100 studies of a 95 % interval: fewer than 88 of them would come by chance once in 400 times.
    assert share >= 0.88
    assert mean == pytest.approx(truth, abs=0.04)


@pytest.mark.proof
@pytest.mark.parametrize(("items", "raters", "alpha"), PANELS)
def test_intervals_of_made_panels_cover_a_known_alpha_at_their_nominal_rate(items, raters, alpha):
    share, _, _ = covered(studies=1000, items=items, raters=raters, alpha=alpha, seed=2, resamples=999)
    assert 0.93 <= share <= 0.97


def test_ten_items_have_an_interval_and_nine_have_none():
    for items, has in ((9, False), (10, True)):
        table = simulated_ratings(np.random.default_rng(4), items=items, raters=4, share=0.7)
        found = krippendorff_alpha(table, scale="interval", rng=np.random.default_rng(1)).coefficient
        assert found.has_interval == has


def test_the_command_writes_the_panel_and_says_how_many_proposals_it_needs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "papers").mkdir()
    for name in list(CORPUS)[:8]:
        (tmp_path / "papers" / f"{name}.txt").write_text(CORPUS[name])
    target = next(iter(CORPUS))
    arguments = [
        f"papers/{target}.txt",
        "--corpus",
        "papers",
        "--rater",
        "ann",
        "--rater",
        "bob=chance",
        "--overlap",
        "2",
    ]
    done = CliRunner().invoke(experts, [*arguments, "--seed", "1", "--width", "1.2"], catch_exceptions=False)
    assert "4 proposals: fewer than 10" in done.stdout
    written = yaml.safe_load((tmp_path / "experts.yaml").read_text())
    assert written["raters"] == ["ann", {"name": "bob", "as": "chance"}]
    assert sorted(one["condition"] for one in written["artefacts"]) == sorted(ARMS)
