"""Triples from files, parsers' trees, and what is said where an extractor cannot be used."""

import json
from itertools import product

import pytest

from mensura.catalog.analogy.comparison import compare
from mensura.catalog.analogy.extraction.dependency import statements_of
from mensura.catalog.analogy.extraction.find import find_extractor, graph_of
from mensura.catalog.analogy.extraction.udpipe import read_conllu
from mensura.catalog.analogy.graph.skeleton import graph_from_json
from mensura.errors import BadFile, MensuraError, UnknownName


def written(tmp_path, *rows):
    file = tmp_path / "triples.jsonl"
    file.write_text("\n".join(one if isinstance(one, str) else json.dumps(one) for one in rows))
    return f"triples:{file}"


def test_triples_of_a_file_become_a_graph(tmp_path):
    name = written(
        tmp_path,
        {"subject": "hawk", "relation": "see", "object": "hunter", "sentence": 0, "kind": "cause", "to": 2},
        {"subject": "hawk", "relation": "fly", "object": "", "sentence": "The hawk flew away."},
        {"subject": "cat", "relation": "sleep", "sentence": "Another text."},
    )
    graph = graph_of("The hawk saw a hunter. The hawk flew away.", find_extractor(name))
    assert [(one.lemma, one.subject, one.object, one.sentence) for one in graph.relations] == [
        ("see", 0, 1, 0), ("fly", 0, None, 1)
    ]  # fmt: skip
    assert [(one.kind, one.first, one.second) for one in graph.second_order] == [("cause", 0, 1)]
    assert graph_from_json(json.loads(json.dumps(graph.as_json()))) == graph


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{oops", "not JSON"), ('["a"]', "are texts"), ('{"subject": "a"}', "missing"),
        ('{"subject": 3, "relation": "b"}', "are texts"),
        ('{"subject": "a", "relation": "b", "sentence": -1}', "sentence is -1"),
        ('{"subject": "a", "relation": "b", "kind": "whim", "to": 1}', "kind is one of"),
    ],
)  # fmt: skip
def test_a_damaged_line_of_triples_is_named(tmp_path, line, words):
    good = {"subject": "a", "relation": "b", "object": "c", "sentence": 0}
    with pytest.raises(BadFile, match=words) as caught:
        find_extractor(written(tmp_path, good, line))
    assert "triples.jsonl:2:" in str(caught.value)


def test_what_leads_to_no_line_and_numbers_for_two_texts_are_named(tmp_path):
    good = {"subject": "a", "relation": "b", "object": "c", "sentence": 0}
    with pytest.raises(BadFile, match=r"triples.jsonl:2: `to` is 7"):
        find_extractor(written(tmp_path, good, good | {"kind": "cause", "to": 7}))
    # Numbers would say the same of both texts, which would then be alike in everything.
    with pytest.raises(BadFile, match=r"triples.jsonl:1: a number says which sentence, but not of which text"):
        compare("The dog sees a cat.", "The cat sees a dog.", extractor=written(tmp_path, good))
    out = [{"subject": "dog", "relation": "see", "object": "cat", "sentence": "The dog sees a cat."},
           {"subject": "king", "relation": "see", "object": "war", "sentence": "The king sees a war."}]  # fmt: skip
    found = compare("The dog sees a cat.", "The king sees a war.", extractor=written(tmp_path, *out))
    assert {(one.first, one.second) for one in found.pairs} == {("dog", "king"), ("see", "see"), ("cat", "war")}


CONLLU = """\
1\tThe\tthe\tDET\t_\t_\t2\tdet\t_\t_
2\thawk\thawk\tNOUN\t_\t_\t4\tnsubj:pass\t_\t_
3\twas\tbe\tAUX\t_\t_\t4\taux:pass\t_\t_
4\tshot\tshoot\tVERB\t_\t_\t0\troot\t_\t_
5\tby\tby\tADP\t_\t_\t6\tcase\t_\t_
6\thunters\thunter\tNOUN\t_\tNumber=Plur\t4\tobl\t_\t_
7\tbecause\tbecause\tSCONJ\t_\t_\t9\tmark\t_\t_
8\tit\tit\tPRON\t_\t_\t9\tnsubj\t_\t_
9\tstole\tsteal\tVERB\t_\t_\t4\tadvcl\t_\t_
10\tbread\tbread\tNOUN\t_\t_\t9\tobj\t_\t_

1\tThe\tthe\tDET\t_\t_\t2\tdet\t_\t_
2\tman\tman\tNOUN\t_\t_\t6\tnsubj\t_\t_
3\twho\twho\tPRON\t_\t_\t4\tnsubj\t_\t_
4\tran\trun\tVERB\t_\t_\t2\tacl:relcl\t_\t_
5\tis\tbe\tAUX\t_\t_\t6\tcop\t_\t_
6\tking\tking\tNOUN\t_\t_\t0\troot\t_\t_
"""


def test_dependency_trees_are_read_by_the_same_rules():
    stated = statements_of(read_conllu(CONLLU))
    assert [one.triple for one in stated.statements] == [
        ("hunter", "shoot", "hawk"), ("it", "steal", "bread"), ("man", "run", ""), ("man", "be", "king")
    ]  # fmt: skip
    assert [(one.kind, one.first, one.second) for one in stated.connections] == [("cause", 1, 0)]


@pytest.mark.parametrize("name", ["deep", "udpipe", "triples:", "spacy"])
def test_an_unknown_extractor_is_refused_with_those_there_are(name):
    with pytest.raises(UnknownName, match="shallow, udpipe:FILE, spacy:MODEL, triples:FILE"):
        find_extractor(name)


@pytest.mark.parametrize("name", ["udpipe:nowhere.udpipe", "spacy:nowhere", "triples:nowhere.jsonl"])
def test_a_missing_model_or_package_is_one_sentence(name):
    with pytest.raises(MensuraError, match=r"pip install|not a model|cannot be read"):
        find_extractor(name)


def trained(folder):
    """Train a model on made sentences of one form, which is enough to read them."""
    udpipe = pytest.importorskip("ufal.udpipe")
    nouns, verbs = ["dog", "cat", "hunter", "hawk"], [("saw", "see"), ("shot", "shoot")]
    made = []
    for one, (verb, lemma), other in product(nouns, verbs, nouns):
        words = [
            ("The", "the", "DET", 2, "det"), (one, one, "NOUN", 3, "nsubj"), (verb, lemma, "VERB", 0, "root"),
            ("the", "the", "DET", 5, "det"), (other, other, "NOUN", 3, "obj"), (".", ".", "PUNCT", 3, "punct"),
        ]  # fmt: skip
        form = "{}\t{}\t{}\t{}\t_\t_\t{}\t{}\t_\t_"
        rows = [form.format(at, *word) for at, word in enumerate(words, 1)]
        made.append("\n".join(rows) + "\n")
    reader, sentences, error = udpipe.InputFormat.newConlluInputFormat(), udpipe.Sentences(), udpipe.ProcessingError()
    reader.setText("\n".join(made) + "\n")
    sentence = udpipe.Sentence()
    while reader.nextSentence(sentence, error):
        sentences.append(sentence)
        sentence = udpipe.Sentence()
    options = ("dimension=16;epochs=2", "iterations=2", "iterations=6;hidden_layer=30;learning_rate=0.01;l2=0.1")
    data = udpipe.Trainer.train("morphodita_parsito", sentences, udpipe.Sentences(), *options, error)
    (folder / "tiny.udpipe").write_bytes(data)
    return f"udpipe:{folder / 'tiny.udpipe'}"


@pytest.mark.slow
def test_a_model_of_udpipe_reads_sentences_and_another_under_its_name_is_another(tmp_path):
    source = find_extractor(trained(tmp_path))
    graph = graph_of("The dog saw the cat. The hunter shot the hawk.", source)
    assert [graph.said(at) for at in range(len(graph.relations))] == ["dog see cat", "hunter shoot hawk"]
    assert len(source.version) == 16
