"""The story test: what is asked, chance, ties, and people's answers recomputed."""

import csv
import json
import re
from difflib import SequenceMatcher
from pathlib import Path

import pytest

import mensura.catalog.analogy.story.items as items_module
from mensura.catalog.analogy.documents import Documents, StoryOpening
from mensura.catalog.analogy.extraction.shallow.closed import word_set
from mensura.catalog.analogy.story.dialogue import OPTIONS, story
from mensura.catalog.analogy.story.items import analog_is_second, read_items, read_people
from mensura.catalog.analogy.subjects import BOTH, Closeness, WordCounting
from mensura.dialogue import Ask, Choice, Refused, prompt_text
from mensura.errors import BadFile, BadParameter
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take

DATA = Path(__file__).parents[5] / "shared" / "data" / "analogy" / "story_analogies"
needs_data = pytest.mark.skipif(not DATA.exists(), reason="the story analogies are not part of the package")


def accuracy(subject, **parameters):
    found = take(story, subject, seed=1, parameters=parameters)
    return float(score_record(story, found.record, found.truths).values["accuracy"].values.mean())


SMALL = word_set(
    "so because but after before when then if until although since while not the a to and in that it of for which had"
)


def skeleton(text):
    return [word if word in SMALL else "_" for word in re.findall("[a-z]+", text.lower())]


def cheated(items):
    """How many analogs have more of the order of small words of their story than the lures."""

    def alike(one, other):
        return SequenceMatcher(None, skeleton(one), skeleton(other), autojunk=False).ratio()

    return sum(alike(one.analog, one.base) > alike(one.lure, one.base) for one in items)


def test_what_small_words_alone_give_away_is_what_the_readme_says():
    said = (Path(items_module.__file__).parent / "README.md").read_text()
    assert f"finds {cheated(read_items(''))} of the 12" in " ".join(said.split())
    if DATA.exists():
        found = [cheated(read_items(str(DATA), version)) for version in ("original", "rewritten")]
        assert "Of the 18 items that cheat finds {}, and {} where".format(*found) in " ".join(said.split())


@pytest.mark.parametrize("answer", OPTIONS)
def test_who_always_names_one_place_is_right_in_half_of_the_items(answer):
    assert accuracy(lambda ask: answer) == 0.5


def test_both_and_refusals_are_never_right():
    assert accuracy(lambda ask: BOTH) == 0.0
    assert accuracy(lambda ask: Refused("no")) == 0.0


def test_answering_more_of_the_items_rightly_never_costs():
    truths = take(story, lambda ask: BOTH, seed=1).truths
    keys = sorted(truths)
    found = [
        accuracy(lambda ask, known=keys[:count]: truths[ask.key] if ask.key in known else Refused("no"))
        for count in range(len(keys) + 1)
    ]
    assert found == sorted(found)
    assert (found[0], found[-1]) == (0.0, 1.0)


def test_every_session_meets_the_same_items_in_an_order_of_its_own():
    def shown(seed):
        seen = []
        take(story, lambda ask: seen.append((ask.key, prompt_text(ask.prompt))) or BOTH, seed=seed)
        return seen

    one, other = shown(1), shown(2)
    assert sorted(one) == sorted(other)
    assert one != other


def test_neither_key_nor_place_tells_which_story_is_the_analog():
    items = read_items("")
    second = analog_is_second(items)
    assert sum(second.values()) == len(items) / 2
    # Turning analog and lure round changes nothing that is shown of an item but their places.
    turned = [type(one)(one.id, one.base, one.lure, one.analog) for one in items]
    assert analog_is_second(turned) == second


class Fixed(Closeness):
    """Finds every text with this word closer than all others."""

    def __init__(self, word):
        self.word = word

    def measure(self, first, second):
        return float(self.word in second)


def asked(*texts):
    documents = [{"title": "Story 1", "text": "base"}]
    documents += [{"title": title, "text": text} for title, text in zip(OPTIONS, texts, strict=True)]
    return Ask(Documents("Which?", documents), Choice((*OPTIONS, BOTH)), key="a")


def test_a_measure_answers_with_the_closest_story_and_with_both_where_they_are_equal():
    measure = Fixed("dam")
    assert measure(asked("a dam", "a mill")) == "Story A"
    assert measure(asked("a mill", "a dam")) == "Story B"
    assert measure(asked("a mill", "a hall")) == BOTH
    assert WordCounting("tfidf")(asked("one two", "two one")) == BOTH


def test_a_story_that_cannot_be_scored_is_refused_and_not_taken_for_the_worse():
    found = WordCounting("tfidf")(asked("...", "a dam"))
    assert isinstance(found, Refused)
    assert "not scored" in found.reason


def test_the_setting_of_the_engine_is_told_apart_from_the_items():
    def shown(setting):
        told, seen = [], []

        class Listening:
            def feedback(self, ask):
                told.append(ask.prompt)

            def __call__(self, ask):
                seen.append(prompt_text(ask.prompt))
                return BOTH

        take(story, Listening(), seed=1, parameters={"second_order": setting})
        return told, seen

    (on,), seen_on = shown("on")
    (off,), seen_off = shown("off")
    assert isinstance(on, StoryOpening)
    assert [on.engine, off.engine] == [{"second_order": "on"}, {"second_order": "off"}]
    assert seen_on == seen_off
    assert "second" not in on.text()
    with pytest.raises(BadParameter, match="on or off"):
        story.fill({"second_order": "maybe"})


@needs_data
@pytest.mark.parametrize("version", ["original", "rewritten"])
def test_eighteen_items_are_read_and_attention_checks_are_not_among_them(version):
    items = read_items(str(DATA), version)
    assert len(items) == 18
    assert not any("Ignore other instructions" in one.analog for one in items)
    assert sum(analog_is_second(items).values()) == 9


@needs_data
@pytest.mark.parametrize(("version", "known"), [("original", 0.783), ("rewritten", 0.699)])
def test_peoples_accuracy_is_recomputed_from_their_answers(version, known):
    found = read_people(str(DATA), version)
    assert (found.answers, found.people) == (720, 120)
    assert found.share == pytest.approx(known, abs=0.0005)
    rows = list(csv.DictReader((DATA / f"data_stories_{version}.csv").open()))
    assert found.share == pytest.approx(sum(int(row["correct"]) for row in rows) / len(rows))
    by_item = [[int(row["correct"]) for row in rows if row["task"] == str(task)] for task in range(1, 19)]
    assert found.accuracy.value == pytest.approx(sum(sum(one) / len(one) for one in by_item) / 18)
    assert found.accuracy.low < found.accuracy.value < found.accuracy.high
    assert found.accuracy.population == "people and items"


def test_there_are_no_people_beside_our_own_stories():
    assert read_people("") is None


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("{", "not JSON"),
        ("[]", "got a list"),
        ('{"Task 1": {"Story_1": "a"}}', "Story_1, Story_A, Story_B"),
        ('{"Attn 1": {}}', "no stories"),
    ],
)
def test_a_broken_file_of_stories_is_explained(written, words, tmp_path):
    (tmp_path / "all_tasks_dict_orig.json").write_text(written)
    with pytest.raises(BadFile, match=words):
        read_items(str(tmp_path))


def test_stories_of_ones_own_are_read_line_by_line(tmp_path):
    good = {"id": "a", "base": "b", "analog": "c", "lure": "d", "pairs": [["b", "c"]], "loose": [[], []]}
    file = tmp_path / "mine.jsonl"
    file.write_text(json.dumps(good))
    assert [one.analog for one in read_items(str(file))] == ["c"]
    for line, words in ((json.dumps(good), "another story"), ('{"id": "b"}', "a line is"), ("{", "not JSON")):
        broken = tmp_path / f"broken{len(line)}.jsonl"
        broken.write_text(f"{json.dumps(good)}\n{line}\n")
        with pytest.raises(BadFile, match=f":2:.*{words}"):
            read_items(str(broken))
