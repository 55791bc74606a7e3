"""Lin's similarity is what its formula says by another way of counting; known pairs have known numbers."""

from itertools import product
from math import isnan, log

import numpy as np
import pytest

from mensura.errors import BadParameter
from mensura.words.form import base_form, base_forms
from mensura.words.taxonomy import read_counts, taxonomy
from mensura.words.wordnet import find_wordnet


@pytest.fixture(scope="module")
def words():
    try:
        find_wordnet()
    except BadParameter as missing:
        pytest.skip(str(missing))
    return taxonomy()


@pytest.mark.parametrize(
    ("one", "other", "part", "expected"),
    [("dog", "cat", "noun", 0.82), ("car", "bicycle", "noun", 0.72), ("car", "banana", "noun", 0.13),
     ("leg", "bus", "noun", 0.32), ("kill", "murder", "verb", 0.80)],
)  # fmt: skip
def test_known_pairs_have_their_known_similarity(words, one, other, part, expected):
    assert words.similarities([one], [other], part=part)[0, 0] == pytest.approx(expected, abs=0.005)


def test_the_compiled_loop_agrees_with_the_formula_over_all_pairs_of_senses(words):
    names = ["dog", "leg", "bus", "idea", "water", "war", "entity", "country", "hawk"]
    found = words.similarities(names, names, part="noun")
    for (i, one), (j, other) in product(enumerate(names), repeat=2):
        slow = 1.0 if one == other else words.readings(one, other, part="noun")[0].similarity
        assert found[i, j] == pytest.approx(slow)
    assert np.allclose(found, found.T)


def test_information_is_the_share_of_counts_at_or_under_a_sense(words):
    """Counted anew from the data file, by walking down from one sense to all under it."""
    lines = (find_wordnet().parent / "data.noun").read_text().splitlines()
    below, place = {}, {}
    for line in (line for line in lines if not line.startswith("  ")):
        fields = line.split(" | ")[0].split()
        rest = fields[5 + 2 * int(fields[3], 16) :]
        place[fields[0]] = len(place)
        below[fields[0]] = [to for sign, to in zip(rest[0::4], rest[1::4], strict=False) if sign in ("~", "~i")]
    held = words._parts["noun"]
    dog = next(offset for offset, at in place.items() if at == held.senses_of("dog")[0])
    reached, waiting = set(), [dog]
    while waiting:
        sense = waiting.pop()
        if sense not in reached:
            reached.add(sense)
            waiting += below[sense]
    counted = sum(int(held.tally[place[sense]]) + 1 for sense in reached)
    assert held.information[place[dog]] == pytest.approx(-log(counted / (held.tally.sum() + len(held.tally))))


def test_an_unknown_word_is_unknown_and_not_unlike(words):
    found = words.similarities(["dog", "blorf"], ["cat", "blorf"], part="noun")
    assert not isnan(found[0, 0])
    assert np.isnan(found[0, 1])
    assert np.isnan(found[1]).all()
    assert words.common("blorf", "dog", part="noun") is None


def test_another_count_file_changes_the_information(words, tmp_path):
    file = tmp_path / "counts.txt"
    file.write_text("dog noun 100000\nrun verb 3\n")
    other = taxonomy(str(file))
    assert other.met == "another count file"
    assert other.similarities(["dog"], ["cat"], part="noun")[0, 0] != words.similarities(["dog"], ["cat"], part="noun")


def test_a_damaged_count_file_points_to_its_line(tmp_path):
    file = tmp_path / "counts.txt"
    file.write_text("dog noun 3\ncat feline 2\n")
    with pytest.raises(BadParameter, match="Line 2 of"):
        read_counts(file)


@pytest.mark.parametrize(
    ("written", "part", "form"),
    [("took", "verb", "take"), ("stopped", "verb", "stop"), ("flies", "verb", "fly"), ("women", "noun", "woman"),
     ("countries", "noun", "country"), ("boxes", "noun", "box"), ("was", "verb", "be")],
)  # fmt: skip
def test_forms_are_found_as_they_stand_in_wordnet(words, written, part, form):
    assert base_form(written, part=part, words=words) == form


def test_what_is_no_word_has_no_form(words):
    assert base_form("blorfed", part="verb", words=words) is None
    assert base_forms("x", part="verb", words=words) == []
