"""The plagiarism test: what is asked, what never reaches a subject, and scores computed by other means."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.metrics import roc_auc_score

from mensura.catalog.analogy.plagiarism.corpus import LEVELS, made_corpus, read_corpus
from mensura.catalog.analogy.plagiarism.dialogue import plagiarism
from mensura.catalog.analogy.plagiarism.scoring import score
from mensura.catalog.analogy.ranking import Rated
from mensura.dialogue import Abstained, prompt_text
from mensura.errors import BadFile, BadParameter
from mensura.running.take import take

DATA = Path(__file__).parents[5] / "shared" / "data" / "analogy" / "clough_stevenson"
needs_data = pytest.mark.skipif(not DATA.exists(), reason="the plagiarism corpus is not part of the package")


def by_level(truths):
    return lambda ask: 1 - LEVELS.index(truths[ask.key]["level"]) / 3


def taken(subject, **parameters):
    return take(plagiarism, subject, seed=1, parameters=parameters)


def scored(found):
    return score(found.record, found.truths)


@pytest.fixture(scope="module")
def truths():
    return taken(lambda ask: 0.5).truths


def test_who_knows_the_levels_scores_1_and_who_says_the_same_of_all_scores_chance(truths):
    best, flat = scored(taken(by_level(truths))).values, scored(taken(lambda ask: 0.5)).values
    assert {name: best[name] for name in best} == dict.fromkeys(best, pytest.approx(1.0))
    assert [flat["auc"], flat["auc_heavy"], flat["auc_adjacent"]] == [0.5, 0.5, 0.5]


def test_a_difference_of_areas_is_that_of_both_and_pairs_the_writers():
    rng = np.random.default_rng(3)
    unit = [f"p{at // 4:02}" for at in range(80)]
    level, task = [at % 4 for at in range(80)], ["a"] * 80
    luck = np.repeat(rng.normal(size=20), 4) + rng.normal(size=80)
    one, other = (
        Rated.of((-weight * np.array(level) + luck).tolist(), level=level, task=task, unit=unit)
        for weight in (1.0, 0.9)
    )
    found = one.area_difference(other, (0, 1, 2), [3])
    areas = [each.area((0, 1, 2), [3]) for each in (one, other)]
    assert found.value == pytest.approx(areas[0].value - areas[1].value)
    # What is luck of the writers moves both, so that the difference is known better than either.
    assert found.high - found.low < min(each.high - each.low for each in areas)
    assert one.area_difference(one, (0, 1, 2), [3]).value == 0
    with pytest.raises(ValueError, match="same answers"):
        one.area_difference(Rated.of([0.5], level=[0], task=["a"], unit=["p"]), (0,), [3])


def test_nothing_that_is_shown_tells_level_or_writer(truths):
    seen = []
    taken(lambda ask: seen.append((ask.key, prompt_text(ask.prompt), ask.truth)) or 0.5)
    assert len({key for key, *_ in seen}) == 60
    for key, words, truth in seen:
        assert truth is None
        assert truths[key]["participant"] not in key + words
        assert all(level not in key for level in LEVELS)


def test_the_order_of_questions_does_not_tell_the_level(truths):
    keys = []
    taken(lambda ask: keys.append(ask.key) or 0.5)
    places = [LEVELS.index(truths[key]["level"]) for key in keys]
    assert abs(np.corrcoef(range(len(places)), places)[0, 1]) < 0.3


@pytest.mark.parametrize("gone", ["cut", "light", "heavy", "non"])
def test_leaving_a_level_out_never_pays(gone, truths):
    full = scored(taken(by_level(truths))).values
    told = by_level(truths)
    left = scored(taken(lambda ask: Abstained() if truths[ask.key]["level"] == gone else told(ask))).values
    assert all(left[name] <= full[name] for name in full)
    assert left["spearman_within"] < full["spearman_within"]


def test_the_made_corpus_crosses_level_and_participant_and_says_that_it_is_simulated():
    corpus = made_corpus()
    assert corpus.simulated
    assert len(corpus.answers) == 60
    assert len(corpus.participants) == 12
    assert {level: sum(one.level == level for one in corpus.answers) for level in LEVELS} == dict.fromkeys(LEVELS, 15)
    assert made_corpus() is corpus


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("File,Task\n", "columns"),
        ("File,Task,Category\na.txt,a,copied\n", "line 2"),
        ("File,Task,Category\nmissing.txt,a,non\n", "cannot be read"),
        ("File,Task,Category\na.txt,a,non\n", "no source"),
        ("File,Task,Category\na.txt,a,orig\n", "no answers"),
        ("File,Task,Category\nempty.txt,a,non\n", "empty"),
    ],
)
def test_a_broken_corpus_is_explained(table, words, tmp_path):
    (tmp_path / "file_information.csv").write_text(table)
    (tmp_path / "a.txt").write_text("Some words.")
    (tmp_path / "empty.txt").write_text(" \n")
    with pytest.raises(BadFile, match=words):
        read_corpus(str(tmp_path))


def test_a_corpus_is_named_by_its_folder_or_by_its_table_and_may_hold_windows_quotes(tmp_path):
    (tmp_path / "file_information.csv").write_text(
        "File,Task,Category\np1_a.txt,a,non\norig_a.txt,a,orig\n", encoding="utf-8"
    )
    (tmp_path / "p1_a.txt").write_bytes(b"Bayes\x92 theorem.")
    (tmp_path / "orig_a.txt").write_text("The theorem of Bayes.")
    for place in (tmp_path, tmp_path / "file_information.csv"):
        [answer] = read_corpus(str(place)).answers
        assert answer.text == "Bayes\u2019 theorem."
        assert answer.participant == "p1"


def test_a_task_that_is_not_there_and_a_negative_count_are_refused():
    with pytest.raises(BadParameter, match="tasks a, b, c, d, e"):
        plagiarism.fill({"tasks": "f"})
    with pytest.raises(BadParameter, match="--count"):
        plagiarism.fill({"count": -1})


def test_so_many_answers_of_so_many_tasks_are_asked(truths):
    seen = []
    taken(lambda ask: seen.append(ask.key) or 0.5, tasks="a,c", count=7)
    assert len(seen) == 7
    assert {truths[key]["task"] for key in seen} <= {"a", "c"}
    assert plagiarism.count_questions({"data": "", "tasks": "a,c", "count": 7}) == 7


@needs_data
@pytest.mark.parametrize("name", ["tfidf", "containment", "lcs", "lsa"])
def test_scores_of_the_real_corpus_are_those_of_other_libraries(name):
    found = taken(plagiarism.subjects[name](), data=str(DATA))
    answers = found.record.given()
    keys = sorted(found.truths)
    close = np.array([answers[key] for key in keys])
    level = np.array([LEVELS.index(found.truths[key]["level"]) for key in keys])
    task = np.array([found.truths[key]["task"] for key in keys])
    scores = scored(found).values
    assert scores["auc"] == pytest.approx(roc_auc_score(level < 3, close))
    two = level >= 2
    assert scores["auc_heavy"] == pytest.approx(roc_auc_score(level[two] == 2, close[two]))
    within = [spearmanr(close[task == one], -level[task == one]).statistic for one in "abcde"]
    assert scores["spearman_within"] == pytest.approx(np.mean(within))
    adjacent = []
    for near in range(3):
        two = (level == near) | (level == near + 1)
        adjacent.append(roc_auc_score(level[two] == near, close[two]))
    assert scores["auc_adjacent"] == pytest.approx(np.mean(adjacent))
    for estimate in scored(found).details["estimates"].values():
        assert estimate["n"] == 19
        assert estimate["low"] < estimate["value"] <= estimate["high"]


@needs_data
def test_a_broken_copy_of_the_corpus_names_the_line(tmp_path):
    shutil.copytree(DATA, tmp_path / "corpus")
    table = tmp_path / "corpus" / "file_information.csv"
    table.write_text(table.read_text().replace("g0pA_taskc.txt,c,light", "g0pA_taskc.txt,c,lite"))
    with pytest.raises(BadFile, match=r"line 4.*'lite'"):
        read_corpus(str(table))


def test_our_texts_are_listed_whole():
    lines = Path(made_corpus.__wrapped__.__code__.co_filename).parents[1] / "own" / "texts.jsonl"
    texts = [json.loads(line) for line in lines.read_text().splitlines()]
    assert [one["id"] for one in texts] == list("abcde")
    for one in texts:
        assert all(concept[:4] in one["source"].lower() for concept in one["concepts"])
