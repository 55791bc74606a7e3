"""The verbs print what machines read, and refuse in one sentence what cannot be scored."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import mensura.catalog.analogy.predicates as room
from mensura.catalog.analogy.command import command
from mensura.errors import BadParameter
from mensura.words.wordnet import find_wordnet

try:
    find_wordnet()
except BadParameter as missing:
    pytest.skip(str(missing), allow_module_level=True)

HAWK = "The hunter shot the hawk because the hawk stole bread. The hawk lost a feather."
CITY = "The army attacked the city since the city hid money. The city lost a tower."


@pytest.fixture
def files(tmp_path):
    (tmp_path / "hawk.txt").write_text(HAWK)
    (tmp_path / "city.md").write_text(CITY)
    return tmp_path


def ran(*arguments, code=0):
    found = CliRunner().invoke(command, [str(one) for one in arguments])
    assert found.exit_code == code, found.output
    return found


@pytest.mark.parametrize("method", ["greedy", "improved", "exact"])
def test_compare_prints_scores_pairs_and_solver(files, method):
    found = ran("compare", files / "hawk.txt", files / "city.md", "--method", method, "--json")
    data = json.loads(found.stdout)
    assert data["scores"].keys() >= {
        "unified", "jaccard", "semantic", "conceptual", "relational", "tfidf", "containment3"
    }  # fmt: skip
    assert data["unmapped"].keys() == {"first", "second"}
    assert data["solver"]["gap"] >= 0
    assert data["solver"]["seconds"] > 0
    assert data["wordnet"].keys() == {"version", "hash", "counts"}
    pairs = {(one["first"], one["second"]) for one in data["pairs"]}
    assert {("hunter", "army"), ("hawk", "city"), ("feather", "tower")} <= pairs
    assert len(data["second_order"]) == 1
    assert all(one["generic"] for one in data["pairs"])


def test_graph_prints_nodes_edges_and_second_order_and_draws(files):
    data = json.loads(ran("graph", files / "hawk.txt", "--json", "--picture", files / "a.svg").stdout)
    assert {one["lemma"] for one in data["nodes"] if one["type"] == "noun"} == {"hunter", "hawk", "bread", "feather"}
    assert len(data["edges"]) == 6
    assert [(one["kind"], one["by"]) for one in data["second_order"]] == [("cause", "because")]
    assert "hunter" in (files / "a.svg").read_text()


def test_sme_prints_the_published_figures():
    folder = Path(room.__file__).parent
    data = json.loads(ran("sme", folder / "hawk.lisp", folder / "country.lisp", "--rules", "an", "--json").stdout)
    assert data["hypotheses"] == 54
    assert data["weight"] == pytest.approx(22.3627, abs=5e-5)


def test_find_prints_ranked_and_distribution(files):
    data = json.loads(ran("find", files / "hawk.txt", "--corpus", files, "--json").stdout)
    assert [one["file"] for one in data["ranked"]] == ["city.md"]
    assert data["distribution"]["n"] == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("Dog.", "has only 1 word"),
        ("Blue green red yellow very much so indeed.", "does not state a relation"),
        (
            "Der Hund ist nicht in dem Haus und die Katze ist auch nicht da, weil es sich auf den Weg zum See macht.",
            "German",
        ),
    ],
)
def test_what_cannot_be_compared_is_not_scored_and_never_0(files, text, words):
    (files / "bad.txt").write_text(text)
    found = ran("compare", files / "bad.txt", files / "hawk.txt", "--json", code=3)
    data = json.loads(found.stdout)
    assert not data["scored"]
    assert words in data["why"]
    assert data["why"].endswith("not scored.")
    assert {data["scores"][name] for name in ("unified", "jaccard", "semantic", "conceptual", "relational")} == {None}


def test_a_pair_with_a_file_that_cannot_be_read_is_not_scored(files):
    (files / "large.txt").write_text("The dog saw a cat. " * 550_000)
    data = json.loads(ran("compare", files / "large.txt", files / "hawk.txt", "--json", code=3).stdout)
    assert data["why"].endswith("The pair is not scored.")
    assert set(data["scores"].values()) == {None}
