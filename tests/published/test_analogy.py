"""Hurley, Abgaz, Ali and O'Donoghue (2016), and the corpora it uses; what of it can be computed."""

import csv
from pathlib import Path
from statistics import median

import pytest

from mensura.catalog.analogy.comparison import compare
from mensura.catalog.analogy.document.reading import read_document
from mensura.errors import BadParameter
from mensura.words.taxonomy import taxonomy
from mensura.words.wordnet import find_wordnet

DATA = Path(__file__).parents[3] / "shared" / "data" / "analogy" / "clough_stevenson"

try:
    find_wordnet()
except BadParameter as missing:
    pytest.skip(str(missing), allow_module_level=True)


def test_leg_and_bus_meet_in_instrumentality_or_in_device_by_what_a_bus_is():
    """Section 3 names instrumentality: that is the vehicle; the likelier by Lin is the busbar, a device."""
    readings = taxonomy().readings("leg", "bus", part="noun")
    assert readings[0].name == "device"
    assert readings[0].similarity == pytest.approx(0.32, abs=0.005)
    assert "instrumentality" in {one.name for one in readings}


def answers():
    if not DATA.is_dir():
        pytest.skip(f"needs {DATA}")
    return list(csv.DictReader((DATA / "file_information.csv").open()))


def test_the_plagiarism_corpus_has_the_printed_sizes():
    """95 answers of 19 participants to five tasks, and 5 originals; 38 answers are not plagiarised."""
    rows = answers()
    originals = [row for row in rows if row["Category"] == "orig"]
    rest = [row for row in rows if row["Category"] != "orig"]
    assert (len(rest), len(originals)) == (95, 5)
    assert len({row["File"].split("_")[0] for row in rest}) == 19
    assert len({row["Task"] for row in rest}) == 5
    counted = {name: sum(row["Category"] == name for row in rest) for name in ("non", "cut", "light", "heavy")}
    assert counted == {"non": 38, "cut": 19, "light": 19, "heavy": 19}


def test_semantic_similarity_falls_from_near_copy_to_none():
    """Figure 8, as a fall of medians; the area says how well plagiarised and own answers are told apart."""
    levels = {name: [] for name in ("cut", "light", "heavy", "non")}
    for row in answers():
        if row["Category"] == "orig":
            continue
        original = read_document(DATA / f"orig_task{row['Task']}.txt")
        found = compare(read_document(DATA / row["File"]), original)
        levels[row["Category"]].append(found.scores["semantic"])
    medians = [median(values) for values in levels.values()]
    assert medians == sorted(medians, reverse=True)
    assert len(set(medians)) == 4
    copied = levels["cut"] + levels["light"] + levels["heavy"]
    wins = [(one > other) + 0.5 * (one == other) for one in copied for other in levels["non"]]
    assert sum(wins) / len(wins) >= 0.95
