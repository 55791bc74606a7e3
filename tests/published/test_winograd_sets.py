"""Counts of the known schema sets, and the critical values of the rule of 1950 (notes on imitation)."""

from pathlib import Path

import pytest

from mensura.catalog.imitation.winograd.files import read_schemas
from mensura.stats import proportion_sample_size

DATA = Path(__file__).parents[3] / "shared" / "data" / "imitation"
needs_data = pytest.mark.skipif(not DATA.exists(), reason="the schema sets are not part of the package")


@needs_data
def test_the_davis_collection_has_138_twins_that_flip_and_nine_singles():
    schemas = read_schemas(DATA / "WSCollection.xml")
    sentences = [sentence for schema in schemas for sentence in schema.sentences]
    assert len(sentences) == 285
    assert [sum(one.is_pair for one in schemas), sum(not one.is_pair for one in schemas)] == [138, 9]
    assert all(one.sentences[0].right != one.sentences[1].right for one in schemas if one.is_pair)


@needs_data
def test_the_correct_answer_of_the_collection_is_the_first_in_143_and_the_second_in_142():
    from mensura.xml_file import read_xml

    letters = [(node.text or "").strip()[0] for node in read_xml(DATA / "WSCollection.xml").iter("correctAnswer")]
    assert [letters.count("A"), letters.count("B")] == [143, 142]


@needs_data
@pytest.mark.parametrize(
    ("name", "count"), [("wsc273", 273), ("PDP", 60), ("train.c", 1316), ("test.c", 564), ("WinoGender", 240)]
)
def test_every_sentence_of_the_other_sets_is_read(name, count):
    assert sum(len(schema.sentences) for schema in read_schemas(DATA / f"{name}.txt")) == count


@needs_data
def test_fifteen_pdp_sentences_have_three_to_five_answers():
    schemas = read_schemas(DATA / "PDP.txt")
    assert sum(len(one.sentences) for one in schemas if 3 <= len(one.candidates) <= 5) == 15


@pytest.mark.parametrize(("share", "games", "right"), [(0.5, 39, 22), (0.55, 67, 40), (0.6, 144, 91)])
def test_the_rule_of_1950_takes_so_many_games(share, games, right):
    plan = proportion_sample_size(share, below=0.7)
    assert (plan.n, plan.critical) == (games, right)
