import json
import re
from pathlib import Path

import pytest

from mensura.catalog.imitation.winograd.files import OWN, UNCLEAR, read_schemas
from mensura.catalog.imitation.winograd.schema import plain
from mensura.errors import BadFile

DATA = Path(__file__).parents[5] / "shared" / "data" / "imitation"
COMMON = {
    "the",
    "and",
    "because",
    "for",
    "his",
    "her",
    "him",
    "she",
    "they",
    "was",
    "were",
    "had",
    "has",
    "not",
    "but",
    "did",
}
PAIR = {
    "id": "jar",
    "answers": ["the jar", "the cupboard"],
    "sentences": [
        {"text": "The jar did not fit the cupboard: [it] was too tall.", "right": 0},
        {"text": "The jar did not fit the cupboard: [it] was too low.", "right": 1},
    ],
}


def written(tmp_path, *lines):
    file = tmp_path / "mine.jsonl"
    file.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
    return file


def test_our_own_sixty_schemas_are_twins_in_which_every_candidate_is_named():
    assert len(read_schemas(OWN)) == 60
    assert sum(len(schema.candidates) > 2 for schema in read_schemas(OWN)) == 5
    for schema in read_schemas(OWN):
        assert schema.is_pair
        assert schema.background
        assert all(one.word in one.text for one in schema.sentences)
        assert all(plain(name) in one.text.lower() for name in schema.candidates for one in schema.sentences)
        assert not schema.switch or all(schema.switched(one).text != one.text for one in schema.sentences)


def test_our_own_ambiguous_sentences_can_be_asked_about():
    schemas = read_schemas(UNCLEAR)
    assert len(schemas) == 12
    assert all(schema.ambiguous and not schema.is_pair for schema in schemas)
    assert not {schema.id for schema in schemas} & {schema.id for schema in read_schemas(OWN)}


@pytest.mark.skipif(not DATA.exists(), reason="the schema sets are not part of the package")
def test_no_schema_of_ours_is_like_one_of_the_known_sets():
    files = ["WSCollection.xml", *(f"{name}.txt" for name in ("wsc273", "PDP", "train.c", "test.c", "WinoGender"))]
    known = [content(one.text) for name in files for schema in read_schemas(DATA / name) for one in schema.sentences]
    for schema in (*read_schemas(OWN), *read_schemas(UNCLEAR)):
        for sentence in schema.sentences:
            mine = content(sentence.text)
            assert max(len(mine & other) / len(mine | other) for other in known) < 0.4, sentence.text


def content(text):
    return set(re.findall(r"[a-z']{3,}", text.lower())) - COMMON


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "not JSON"),
        ({**PAIR, "id": "jar"}, "another schema"),
        ({**PAIR, "id": "b", "answers": ["the jar"]}, "two different answers"),
        ({**PAIR, "id": "b", "sentences": [{**one, "right": 0} for one in PAIR["sentences"]]}, "does not change"),
        ({**PAIR, "id": "b", "sentences": [{"text": "No pronoun.", "right": 0}]}, "in brackets"),
        ({"id": "b", "answers": ["x", "y"]}, "'sentences'"),
        ("[]", "object"),
    ],
)
def test_a_broken_line_is_named_and_explained(line, words, tmp_path):
    with pytest.raises(BadFile, match="line 2") as caught:
        read_schemas(written(tmp_path, PAIR, line))
    assert words in str(caught.value)


XML = """<collection>
<schema><text><txt1>The cup does not fit in the bag because</txt1><pron>it</pron><txt2>is too big.</txt2></text>
<answers><answer>the cup</answer><answer>the bag</answer></answers><correctAnswer>A</correctAnswer></schema>
<schema><text><txt1>The cup does not fit in the bag because</txt1><pron>it</pron><txt2>is too small.</txt2></text>
<answers><answer>the cup</answer><answer>the bag</answer></answers><correctAnswer>{}</correctAnswer></schema>
</collection>
"""
BLOCKS = """The cup does not fit in the bag because it is too big.
it
the cup,the bag
the cup

The cup does not fit in the bag because it is too small.
it
the cup,the bag
{}
"""


@pytest.mark.parametrize(
    ("name", "text", "flips", "stays"), [("a.xml", XML, "B", "A"), ("a.txt", BLOCKS, "the bag", "the cup")]
)
def test_twins_whose_answer_does_not_flip_are_refused_with_their_lines(tmp_path, name, text, flips, stays):
    file = tmp_path / name
    file.write_text(text.format(flips))
    assert [one.is_pair for one in read_schemas(file)] == [True]
    file.write_text(text.format(stays))
    with pytest.raises(BadFile, match=r"(line 2 .* line 4|line 1 .* line 6).*the answer does not change") as refused:
        read_schemas(file)
    assert "'the cup'" in str(refused.value)


def test_two_questions_about_one_sentence_are_not_twins(tmp_path):
    file = tmp_path / "a.txt"
    text = "Bo met Al when he was late, so {} went home."
    file.write_text(f"{text.format('[MASK]')}\nhe\nBo,Al\nAl\n\n{text.format('he')}\nhe\nBo,Al\nAl\n")
    assert [one.is_pair for one in read_schemas(file)] == [False, False]


def test_a_candidate_with_a_comma_is_one_candidate(tmp_path):
    file = tmp_path / "a.txt"
    file.write_text("Bo, the cook, met Al because he was late.\nhe\nBo, the cook,Al\nAl\n")
    assert read_schemas(file)[0].candidates == ("Bo, the cook", "Al")


def test_three_answers_and_singles_are_allowed(tmp_path):
    one = {"id": "x", "answers": ["a", "b", "c"], "sentences": [{"text": "a b c [it]", "right": 2}]}
    assert not read_schemas(written(tmp_path, one))[0].is_pair
