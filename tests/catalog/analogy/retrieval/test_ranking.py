"""One document against a corpus: ranked, filtered, with the best pairs, the distribution and the tail."""

import json

import numpy as np
import pytest

from mensura.catalog.analogy.extraction.find import find_extractor
from mensura.catalog.analogy.likeness.plain import containment, longest_common_subsequence, tfidf, words_of
from mensura.catalog.analogy.retrieval.corpus import Distance, read_corpus
from mensura.catalog.analogy.retrieval.graph_store import GraphStore
from mensura.catalog.analogy.retrieval.ranking import find_analogies
from mensura.catalog.analogy.retrieval.tail import fit_tail
from mensura.errors import BadData, BadFile, BadParameter
from mensura.store import open_store
from mensura.words.wordnet import find_wordnet

try:
    find_wordnet()
except BadParameter as missing:
    pytest.skip(str(missing), allow_module_level=True)

TEXTS = {
    "hawk.txt": "The hunter shot the hawk because the hawk stole bread. The hawk lost a feather.",
    "copy.txt": "The hunter shot the hawk because the hawk stole bread. The hawk lost a feather.",
    "far.txt": "The army attacked the city since the city hid money. The city lost a tower.",
    "other.txt": "The teacher reads a book. The child sleeps in the garden. The dog drinks water.",
    "empty.txt": "",
}


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "corpus"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    rows = [("hawk.txt", 2000, ["bird"]), ("copy.txt", 2001, ["bird"]), ("far.txt", 2009, ["war"]),
            ("other.txt", None, []), ("empty.txt", 2005, ["bird"])]  # fmt: skip
    lines = [json.dumps({"file": name, "year": year, "topics": topics}) for name, year, topics in rows]
    (folder / "corpus.jsonl").write_text("\n".join(lines))
    return folder


def kept(folder):
    return GraphStore(open_store(folder / "mensura.db").graphs)


def names(found):
    return [one.entry.name for one in found.ranked]


def test_the_copy_comes_first_and_an_empty_document_is_not_scored(corpus, tmp_path):
    store = kept(tmp_path)
    found = find_analogies(corpus / "hawk.txt", corpus, store=store)
    again = find_analogies(corpus / "hawk.txt", corpus, store=store)
    assert names(found) == names(again) == ["copy.txt", "far.txt", "other.txt"]
    assert found.as_json() == again.as_json()
    assert [one.name for one, _ in found.unscored] == ["empty.txt"]
    assert found.ranked[0].comparison.scores["unified"] == 1
    assert found.novelty == 0
    plain = found.ranked[1].comparison.scores
    assert {f"containment{size}" for size in (1, 2, 3, 5)} | {"lcs", "tfidf"} <= set(plain)
    assert plain["lcs"] == longest_common_subsequence(TEXTS["hawk.txt"], TEXTS["far.txt"])
    data = found.as_json(best=1)
    assert data["distribution"]["n"] == 3
    assert ["pairs" in row for row in data["ranked"]] == [True, False, False]


@pytest.mark.parametrize(
    ("distance", "expected"),
    [
        (Distance(share_topic=True), ["copy.txt"]),
        (Distance(share_topic=False), ["far.txt"]),
        (Distance(topic="war"), ["far.txt"]),
        (Distance(years_from=5), ["far.txt"]),
        (Distance(years_to=1), ["copy.txt"]),
    ],
)
def test_near_and_far_are_by_topics_and_years(corpus, tmp_path, distance, expected):
    found = find_analogies(corpus / "hawk.txt", corpus, distance=distance, store=kept(tmp_path))
    assert names(found) == expected


def test_filters_that_leave_nothing_and_damaged_metadata_are_said(corpus):
    with pytest.raises(BadData, match="None of the 4 documents"):
        find_analogies(corpus / "hawk.txt", corpus, distance=Distance(topic="sea"))
    with pytest.raises(BadData, match="is empty"):
        find_analogies(corpus / "empty.txt", corpus)
    with (corpus / "corpus.jsonl").open("a") as file:
        file.write('\n{"file": "none.txt"}')
    with pytest.raises(BadFile, match=r"corpus\.jsonl:6: there is no file 'none.txt'"):
        read_corpus(corpus)


def test_an_exponential_tail_is_recognised_and_its_mean_covered():
    covered = rejected = 0
    for seed in range(60):
        fit = fit_tail(np.random.default_rng(seed).exponential(0.1, size=100))
        covered += fit.interval[0] <= 0.1 <= fit.interval[1]
        rejected += fit.p < 0.05
    # 60 draws at .95 and at .05: outside these bounds with a chance below one in a thousand.
    assert covered >= 50
    assert rejected <= 10
    assert fit_tail(np.random.default_rng(1).normal(size=400)).p < 0.05
    assert fit_tail(np.arange(10.0)) is None


def test_graphs_are_kept_in_the_laboratorys_database_and_read_from_it(tmp_path, monkeypatch):
    with open_store(tmp_path / "mensura.db") as store:
        made = GraphStore(store.graphs).graph(TEXTS["hawk.txt"], find_extractor("shallow"))
        monkeypatch.setattr("mensura.catalog.analogy.retrieval.graph_store.graph_of", None)
        assert GraphStore(store.graphs).graph(TEXTS["hawk.txt"], find_extractor("shallow")) == made
        with store.database.reading() as connection:
            assert connection.exec_driver_sql("SELECT count(*) FROM graphs").scalar() == 1
    with open_store(tmp_path / "mensura.db", read_only=True) as store:
        monkeypatch.undo()
        assert GraphStore(store.graphs).graph(TEXTS["far.txt"], find_extractor("shallow")).relations
        assert not list(find_graphs(store))


def find_graphs(store):
    with store.database.reading() as connection:
        yield from connection.exec_driver_sql("SELECT key FROM graphs WHERE body LIKE '%army%'")


def test_plain_measures_are_what_counting_by_hand_gives():
    one, other = "The cat sat on the mat.", "A cat sat on the mat, and the dog too"
    assert words_of(one) == ["the", "cat", "sat", "on", "the", "mat"]
    assert [containment(one, other, size=size) for size in (1, 3, 5)] == [1, 3 / 4, 1 / 2]
    assert containment("", other) is None
    assert longest_common_subsequence(one, other) == 5 / 6
    assert tfidf(one, one) == pytest.approx(1)
    assert tfidf(one, "zebra") == 0
    assert tfidf(one, "") is None


def test_the_subsequence_by_bits_is_the_one_of_the_usual_table():
    rng = np.random.default_rng(1)
    for _ in range(30):
        one, other = ([str(word) for word in rng.integers(0, 6, rng.integers(1, 40))] for _ in range(2))
        table = np.zeros((len(one) + 1, len(other) + 1), int)
        for i, a in enumerate(one):
            for j, b in enumerate(other):
                table[i + 1, j + 1] = table[i, j] + 1 if a == b else max(table[i, j + 1], table[i + 1, j])
        assert longest_common_subsequence(" ".join(one), " ".join(other)) == table[-1, -1] / len(one)
