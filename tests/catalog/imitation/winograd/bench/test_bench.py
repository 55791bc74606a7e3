"""The bench: verdicts that are known, what each rests on, and that nothing is dropped."""

import json
import time

import pytest
from click.testing import CliRunner

from mensura.catalog.imitation.winograd.bench.ambiguity import check_ambiguity
from mensura.catalog.imitation.winograd.bench.association import associate
from mensura.catalog.imitation.winograd.bench.bench import try_schemas
from mensura.catalog.imitation.winograd.bench.corpus import WINDOW, count_words
from mensura.catalog.imitation.winograd.bench.predicate import PronounPredicate, predicate_of
from mensura.catalog.imitation.winograd.bench.selection import check_selection, head_of
from mensura.catalog.imitation.winograd.command import command
from mensura.catalog.imitation.winograd.files import OWN, UNCLEAR, read_schemas
from mensura.catalog.imitation.winograd.schema import SchemaSentence, read_schema

GLASS = read_schema(
    {
        "id": "glass",
        "answers": ["the glass", "the stone"],
        "sentences": [
            {"text": "The glass fell on the stone and [it] shattered.", "word": "shattered", "right": 0},
            {"text": "The glass fell on the stone, which meant that [it] lay still.", "word": "lay still", "right": 1},
        ],
    }
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A b because [it] was too big.", PronounPredicate("big", "adjective")),
        ("A b because [he] had not studied hard.", PronounPredicate("studied", "verb")),
        ("A said that [he] was the winner of it.", PronounPredicate("winner", "noun")),
        ("A b because [they] were talking.", PronounPredicate("talking", "verb")),
        ("A b because [it] was needed more.", PronounPredicate("needed", "passive")),
        ("A b because [it] had no room left.", PronounPredicate("have", "verb")),
    ],
)
def test_the_predicate_is_what_is_said_of_the_pronoun(text, found):
    assert predicate_of(SchemaSentence(text, 0)) == found


@pytest.mark.parametrize(
    "text", ["A thanked [her].", "A turned [it] off.", "A had to get [it] removed.", "A b [his] bag."]
)
def test_a_pronoun_that_is_no_subject_is_not_tried(text):
    assert predicate_of(SchemaSentence(text, 0)) == "its pronoun is not a subject"


def test_without_wordnet_and_corpus_nothing_is_checked():
    found = try_schemas([GLASS], wordnet=False)
    assert {one.verdict for one in found.tried[0].selection} == {"not checked"}
    assert {one.verdict for one in found.tried[0].ambiguity} == {"not checked"}
    assert found.tried[0].association == ()
    assert found.as_json()["corpus"] is None


def test_counts_flag_what_one_candidate_is_met_with_and_the_other_never(tmp_path):
    file = tmp_path / "corpus.txt"
    file.write_text(
        "the glass shattered. " * 20
        + "and so on and on it went over the hills for a long time yet. "
        + "the stone lay there and was grey and cold and big and nobody cared for it at all. " * 30
    )
    counts = count_words([file], {"glass", "stone", "shattered"})
    assert counts.single["glass"] == 20
    assert counts.together("shattered", "stone") == 0
    found = check_selection(GLASS, GLASS.sentences[0], wordnet=False, counts=counts)
    assert (found.verdict, found.fits) == ("flagged", ("the glass",))
    assert "corpus" in found.rests_on
    assert associate(GLASS, GLASS.sentences[0], counts).candidate == 0


def test_words_further_apart_than_the_window_are_not_together(tmp_path):
    file = tmp_path / "corpus.txt"
    file.write_text("glass " + "x " * WINDOW + "stone. " + "y " * 50 + "glass " + "x " * (WINDOW + 1) + "stone")
    assert count_words([file], {"glass", "stone"}).together("glass", "stone") == 1


def test_few_counts_are_no_verdict(tmp_path):
    file = tmp_path / "corpus.txt"
    file.write_text("the glass shattered. the stone did not.")
    counts = count_words([file], {"glass", "stone", "shattered"})
    assert check_selection(GLASS, GLASS.sentences[0], wordnet=False, counts=counts).verdict == "not checked"


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ([("the glass", None)] * 40, "clear"),
        ([("the glass", None)] * 20 + [("the stone", None)] * 20, "ambiguous"),
        ([("the glass", None)] * 3, "undecided"),
        ([("the glass", 0.9)] * 12 + [("the stone", 0.9)] * 10 + [("the glass", 0.5)] * 60, "ambiguous"),
        ([], "not checked"),
    ],
)
def test_people_who_split_make_a_sentence_ambiguous_and_a_few_decide_nothing(said, verdict):
    assert check_ambiguity(GLASS, 0, said).verdict == verdict


def test_nothing_of_a_file_is_dropped_and_our_own_schemas_are_flagged_nowhere():
    found = try_schemas((*read_schemas(OWN), *read_schemas(UNCLEAR)))
    assert len(found.tried) == 72
    flagged = {one.schema.id: one.flags for one in found.tried if one.flags}
    assert flagged == {schema.id: ("ambiguous",) for schema in read_schemas(UNCLEAR)}


def test_the_order_of_schemas_changes_nothing():
    rows = read_schemas(OWN)
    one, other = try_schemas(rows).as_json(), try_schemas(rows[::-1]).as_json()
    assert one["counts"] == other["counts"]
    assert {row["id"]: row for row in one["schemas"]} == {row["id"]: row for row in other["schemas"]}


def test_three_hundred_schemas_take_less_than_ten_seconds_of_the_processor():
    rows = [schema for _ in range(5) for schema in read_schemas(OWN)]
    before = time.process_time()
    assert len(try_schemas(rows).tried) == 300
    assert time.process_time() - before < 10


def test_the_verb_prints_flags_with_their_reasons_and_json(tmp_path):
    file, said = tmp_path / "mine.jsonl", tmp_path / "said.jsonl"
    file.write_text(
        json.dumps(
            {
                "id": "glass",
                "answers": ["the glass", "the stone"],
                "background": "glass breaks",
                "sentences": [{"text": GLASS.sentences[0].text, "right": 0}],
            }
        )
    )
    rows = [
        {
            "person": f"p{n}",
            "item": "glass/0",
            "answer": "the glass" if n % 2 else "the stone",
            "confidence": 0.9,
            "sample": "forty simulated people",
        }
        for n in range(40)
    ]
    said.write_text("\n".join(map(json.dumps, rows)))
    told = CliRunner().invoke(command, ["bench", str(file), "--people", str(said)])
    assert told.exit_code == 0
    assert "glass: ambiguous" in told.output
    assert "forty simulated people" in told.output
    data = json.loads(CliRunner().invoke(command, ["bench", str(file), "--json"]).stdout)
    assert data["schemas"][0]["background"] == "glass breaks"
    assert data["counts"]["ambiguity"] == {"not checked": 1}


def test_the_head_of_a_candidate_is_its_noun():
    assert [head_of(one) for one in ("the back of the truck", "Joe's uncle", "The delivery truck")] == [
        "back",
        "uncle",
        "truck",
    ]
