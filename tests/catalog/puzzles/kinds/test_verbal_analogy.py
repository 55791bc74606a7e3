"""Verbal analogies: no other offered word stands in the relation, by WordNet read again from its files."""

import numpy as np
import pytest

from mensura.catalog.puzzles.kinds.verbal_analogy import FEWEST, VerbalAnalogy
from mensura.catalog.puzzles.making.item import make_item
from mensura.errors import BadParameter
from mensura.words.wordnet import CHAINED, INVERSE, POINTERS, RELATIONS, find_wordnet, wordnet
from tests.catalog.puzzles.kinds.blind_subject import leaks


@pytest.fixture(scope="module")
def kind():
    try:
        find_wordnet()
    except BadParameter as missing:
        pytest.skip(str(missing))
    return VerbalAnalogy()


def made(kind, count, *, start=0):
    for number in range(start, start + count):
        structure, look = (np.random.default_rng([number, stream]) for stream in (1, 2))
        yield make_item(kind, structure=structure, presentation=look)


def features(word):
    lexicon = wordnet()
    senses = lexicon.senses(lexicon.places[word])
    led = [sum(len(lexicon.next_to(relation, sense)) for sense in senses) for relation in RELATIONS]
    return [len(word), len(senses), *led, sum(letter in "aeiou" for letter in word), ord(word[0]), ord(word[-1])]


# In the quick suite the table of all kinds has a blind subject too.
@pytest.mark.proof
def test_the_offered_words_alone_do_not_give_the_answer_away(kind):
    items = [(list(item.space.options), item.space.options.index(item.answer)) for item in made(kind, 160)]
    assert leaks(items, features) == {}


@pytest.mark.proof
def test_the_offered_words_of_many_items_do_not_give_the_answer_away(kind):
    items = [
        (list(item.space.options), item.space.options.index(item.answer)) for item in made(kind, 6000, start=10**6)
    ]
    assert leaks(items, features) == {}


def pointers(word, symbol):
    """Follow a pointer from every sense of a word by looking lines up in the files, as often as it leads on."""
    folder = find_wordnet().parent
    parts = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
    reached, waiting = set(), lines_of(word)
    while waiting:
        part, offset = waiting.pop()
        with (folder / f"data.{parts[part]}").open("rb") as file:
            file.seek(int(offset))
            fields = file.readline().decode().split(" | ")[0].split()
        rest = fields[5 + 2 * int(fields[3], 16) :]
        for at in range(0, len(rest) - 3, 4):
            found = (rest[at + 2], rest[at + 1])
            if rest[at].removesuffix("i") == symbol and found not in reached:
                reached.add(found)
                if symbol in {POINTERS[name] for name in CHAINED}:
                    waiting.append(found)
    return reached


def lines_of(word):
    found = []
    for name, part in (("noun", "n"), ("verb", "v"), ("adj", "a"), ("adv", "r")):
        for line in INDEX[name].get(word, []):
            found.append((part, line))
    return found


INDEX = {}


@pytest.fixture(scope="module")
def index(kind):
    for name in ("noun", "verb", "adj", "adv"):
        lines = (find_wordnet().parent / f"index.{name}").read_text().splitlines()
        fields = (line.split() for line in lines if not line.startswith("  "))
        INDEX[name] = {one[0]: one[-int(one[2]) :] for one in fields}


def test_by_the_files_themselves_one_offered_word_stands_in_a_relation_of_the_pair(kind, index):
    def stands(relation, one, other):
        if relation in INVERSE:
            return stands(INVERSE[relation], other, one)
        return bool(pointers(one, POINTERS[relation]) & set(lines_of(other)))

    for item in made(kind, 25):
        shown = item.puzzle.shown
        relations = [relation for relation in RELATIONS if stands(relation, *shown["pair"])]
        standing = {
            word for relation in relations for word in shown["offered"] if stands(relation, shown["word"], word)
        }
        assert relations == [item.puzzle.derivation.steps[0].operation]
        assert standing == {item.puzzle.answer}


def test_the_item_says_which_lexicon_decided_it(kind):
    for item in made(kind, 3):
        assert wordnet().id in item.prompt.question
        assert item.puzzle.shown["lexicon"] == wordnet().id


def test_at_least_eight_relations_are_asked_and_words_enough_stand_in_two(kind):
    asked = {item.puzzle.derivation.steps[0].operation for item in made(kind, 200)}
    assert len(asked) >= 8
    assert all(len(words) >= FEWEST for _, words in kind._contrasts)


def test_of_words_that_the_lexicon_lacks_nothing_is_found(kind):
    [item] = made(kind, 1)
    assert kind.explain({**item.puzzle.shown, "word": "qwxzv"}, limit=9.0).found == ()
