"""Folders of datasets, as the `datasets` library saves them and as repositories are laid out."""

import json
from pathlib import Path

import pytest

from mensura.catalog.bank.data.folder import DatasetFolder
from mensura.catalog.bank.reading import read_file
from mensura.catalog.find import find_test
from mensura.dialogue import Choice
from mensura.errors import BadFile

SAVED = Path(__file__).parent / "saved"
MAPPING = "#prompt=question#options=choices#answer=label#tags=subject"
ROWS = [
    ("2 + 2?", Choice(("3", "4", "5", "6")), "4", ("sums",)),
    ("Capital of France?", Choice(("Rome", "Paris", "Bonn", "Oslo")), "Paris", ("places",)),
    ("Largest planet?", Choice(("Mars", "Venus", "Jupiter", "Earth")), None, ("space",)),
]
CARD = """---
configs:
- config_name: capitals
  data_files:
  - split: train
    path: files/a*.jsonl
  - split: test
    path: [files/b.jsonl]
- config_name: moods
  default: true
  data_files: moods/test.jsonl
dataset_info:
- config_name: moods
  features:
  - name: label
    dtype:
      class_label:
        names: {'0': sad, '1': glad}
---
# A card
"""


def parts(bank):
    return [(item.prompt, item.space, item.answer, item.tags) for item in bank]


@pytest.mark.parametrize(
    ("folder", "expected"),
    [
        ("dict#split=test", ROWS),
        ("dict#split=train", [ROWS[2], ROWS[0]]),
        ("one", ROWS),
        ("repository#split=test", ROWS),
        ("repository#split=train", [ROWS[0], ROWS[2]]),
        ("repository#split=training", [ROWS[0], ROWS[2]]),
    ],
)
def test_saved_datasets_are_banks(folder, expected):
    pytest.importorskip("pyarrow")
    folder, _, split = folder.partition("#")
    bank = read_file(f"{SAVED / folder}{MAPPING}{f'#{split}' if split else ''}")
    assert parts(bank) == expected
    assert bank.unscored == 1


def test_classes_without_options_are_the_options():
    (first, *_) = read_file(f"{SAVED}/repository#split=test#prompt=question#answer=label#group=label")
    assert (first.space, first.answer, first.group) == (Choice(("A", "B", "C", "D")), "B", "B")


def test_a_folder_is_a_test_by_its_path_and_split(monkeypatch):
    monkeypatch.chdir(SAVED)
    test = find_test(f"./repository#split=test{MAPPING}")
    assert test.id == "repository-test-v1"
    assert test.about.endswith("Items without an answer: 1 of 3; they are asked and not scored.")
    assert find_test(f"./repository#split=test{MAPPING}") is test


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ("", "repository has the splits test, train. Name one: .*repository#split=train"),
        ("#split=tst", "repository: There is no split called 'tst'. Did you mean test?"),
        ("#config=x", "repository: There is no configuration called 'x'. It has none."),
    ],
)
def test_what_a_folder_does_not_have_is_said(settings, words):
    with pytest.raises(BadFile, match=words):
        read_file(f"{SAVED / 'repository'}#prompt=question{settings}")


def test_the_card_of_a_repository_says_configurations_splits_and_classes(tmp_path):
    (tmp_path / "README.md").write_text(CARD)
    for name, line in {
        "files/a1.jsonl": {"q": "France?", "label": "Paris"},
        "files/a2.jsonl": {"q": "Norway?", "label": "Oslo"},
        "files/b.jsonl": {"q": "Italy?", "label": "Rome"},
        "moods/test.jsonl": {"q": "Great!", "label": 1},
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(json.dumps(line))
    name = f"{tmp_path}#prompt=q#answer=label"
    assert [item.answer for item in read_file(f"{name}#config=capitals#split=train")] == ["Paris", "Oslo"]
    assert [item.answer for item in read_file(f"{name}#config=capitals#split=test")] == ["Rome"]
    (mood,) = read_file(name)
    assert (mood.space, mood.answer) == (Choice(("sad", "glad")), "glad")
    (tmp_path / "moods/test.jsonl").unlink()
    with pytest.raises(BadFile, match=r"lacks the files moods/test.jsonl that its README.md names"):
        read_file(name)


@pytest.mark.parametrize(
    ("files", "splits"),
    [
        (["data/train.jsonl", "data/test.jsonl"], {"train": 1, "test": 1}),
        (["train/a.jsonl", "dev/b.jsonl"], {"train": 1, "validation": 1}),
        (["my-test-file.jsonl", "train_1.jsonl", "notes.jsonl"], {"test": 1, "train": 1}),
        (["latest.jsonl", "contest.jsonl"], {"train": 2}),
        (
            ["dev-00000-of-00002.jsonl", "dev-00001-of-00002.jsonl", "extra_train-00000-of-00001.jsonl"],
            {"dev": 2, "extra_train": 1},
        ),
        ([".cache/train.jsonl", "eval.jsonl", "dataset_info.json"], {"test": 1}),
    ],
)
def test_splits_are_told_by_names_as_the_datasets_library_reads_them(tmp_path, files, splits):
    for name in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text('{"q": "?"}')
    assert {name: len(found) for name, found in DatasetFolder.read(tmp_path).splits.items()} == splits


def test_an_empty_folder_and_a_missing_one_are_refused(tmp_path):
    with pytest.raises(BadFile, match="holds no files of rows"):
        find_test(str(tmp_path))
    with pytest.raises(BadFile, match="cannot be read: No such file or directory"):
        find_test(f"{tmp_path}/none#prompt=q")
