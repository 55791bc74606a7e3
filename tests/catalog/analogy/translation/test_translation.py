"""The translation test: orders stated beforehand, versions of the user's and ours, and what scores are made of."""

import json

import numpy as np
import pytest
from scipy.stats import spearmanr

from mensura.catalog.analogy.translation.corpus import UNCHANGED, made_versions, read_order, read_versions
from mensura.catalog.analogy.translation.dialogue import translation
from mensura.dialogue import Refused
from mensura.errors import BadFile, BadParameter
from mensura.exhibit import Group
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take


@pytest.fixture(scope="module")
def truths():
    return take(translation, lambda ask: 0.5, seed=1).truths


def scored(subject, **parameters):
    found = take(translation, subject, seed=1, parameters=parameters)
    scores = score_record(translation, found.record, found.truths).values
    return {name: items.values for name, items in scores.items()}, found


def follower(truths):
    return lambda ask: 0.9 if truths[ask.key]["tier"] is None else 0.9 - 0.2 * truths[ask.key]["tier"]


def test_who_follows_the_stated_order_has_a_trend_of_1_and_the_same_of_all_has_none(truths):
    best, _ = scored(follower(truths))
    flat, _ = scored(lambda ask: 0.5)
    assert len(best["trend"]) == len(best["split_loss"]) == 17
    assert set(best["trend"]) == {1.0}
    assert set(flat["trend"]) == {0.0}
    assert set(best["split_loss"]) == set(flat["split_loss"]) == {0.0}


def test_the_trend_is_scipys_spearman_of_each_text(truths):
    rng = np.random.default_rng(3)
    said = {key: rng.random() for key in sorted(truths)}
    found, _ = scored(lambda ask: said[ask.key])
    expected, losses = [], []
    for text in sorted({truth["text"] for truth in truths.values()}):
        known = {
            truth["language"]: (said[key], truth["tier"]) for key, truth in truths.items() if truth["text"] == text
        }
        pairs = [pair for pair in known.values() if pair[1] is not None]
        expected.append(spearmanr([value for value, _ in pairs], [-tier for _, tier in pairs]).statistic)
        losses.append(known[UNCHANGED][0] - (known["splits"][0] + known["joins"][0]) / 2)
    assert found["trend"] == pytest.approx(expected)
    assert found["split_loss"] == pytest.approx(losses)


@pytest.mark.parametrize("language", [UNCHANGED, "damage 2", "damage 4", "splits"])
def test_leaving_versions_out_never_pays(language, truths):
    full, _ = scored(follower(truths))
    told = follower(truths)
    left, _ = scored(lambda ask: Refused("no") if truths[ask.key]["language"] == language else told(ask))
    assert (left["trend"] <= full["trend"]).all()
    assert (np.abs(left["split_loss"]) >= np.abs(full["split_loss"])).all()
    assert (left["trend"] < full["trend"]).any() or (left["split_loss"] == 1.0).all()


def test_one_kind_of_damage_is_done_alone_and_harmless_changes_stay_beside_it():
    versions = made_versions("swapped arguments")
    assert len(versions) == 17 * 7
    for one in versions:
        if one.language.startswith("damage"):
            assert sorted(one.version.lower().split()) != []
            assert len(one.version) == len(one.original)
    with pytest.raises(BadParameter, match="--kind"):
        translation.fill({"kind": "typing"})


def written(tmp_path, *lines):
    (tmp_path / "corpus.jsonl").write_text("\n".join(one if isinstance(one, str) else json.dumps(one) for one in lines))
    return str(tmp_path)


def version(language, text="t1"):
    return {"text": text, "original": "The dam broke.", "version": f"The {language} dam broke.", "language": language}


def test_a_corpus_of_ones_own_has_a_trend_only_where_an_order_is_stated(tmp_path):
    data = written(tmp_path, version("French"), version("Irish"), version("Amharic"))
    found, taken = scored(lambda ask: 0.5, data=data)
    assert list(found) == []
    close = {"French": 0.9, "Irish": 0.5, "Amharic": 0.1}
    order = "French > Irish > Amharic"
    known = {key: truth["language"] for key, truth in taken.truths.items()}
    found, _ = scored(lambda ask: close[known[ask.key]], data=data, order=order)
    assert found["trend"].tolist() == [1.0]
    assert "split_loss" not in found


@pytest.mark.parametrize("order", ["French", "French > French", "French > ", "French, Irish"])
def test_an_order_that_is_none_is_refused(order, tmp_path):
    data = written(tmp_path, version("French"), version("Irish"))
    with pytest.raises(BadParameter, match="--order"):
        translation.fill({"data": data, "order": order})


def test_an_order_of_languages_that_are_not_there_is_refused():
    with pytest.raises(BadParameter, match="'Irish'"):
        read_order("damage 1 > Irish", made_versions(), made=True)


@pytest.mark.parametrize(
    ("line", "words"), [("{", "not JSON"), ({"text": "a"}, "original"), ({**version("x"), "version": " "}, "not empty")]
)
def test_a_broken_line_is_named(line, words, tmp_path):
    with pytest.raises(BadFile, match=f":2:.*{words}"):
        read_versions(written(tmp_path, version("French"), line))


def test_so_many_texts_are_asked_whole(truths):
    keys = []
    scored(lambda ask: keys.append(ask.key) or 0.5, texts=3)
    assert len(keys) == 21
    assert len({truths[key]["text"] for key in keys}) == 3


def test_the_report_shows_boxes_in_the_stated_order_with_word_counting_beside_and_says_simulated(truths):
    _, found = scored(follower(truths), texts=12)
    group = Group("me", "", found.record.parameters, [], records=[(found.record, found.truths)])
    [shown] = translation.exhibits([group])
    assert [row[0] for row in shown.rows][:2] == ["me", "(tfidf)"]
    assert "Simulated" in shown.notes[0]
    assert "me: unchanged 0.90, damage 1 0.70" in shown.figures[0].words
    assert "<svg" in shown.figures[0].svg
