"""CSV files of tasks are read with the types that pandas finds, which is what lm-eval's prompts are made of."""

import csv
from itertools import combinations_with_replacement

import pytest

from mensura.catalog.bank.lm_eval.dataset import TaskDataset
from mensura.catalog.bank.lm_eval.task import HarnessTask
from mensura.errors import BadFile

CELLS = [
    "1",
    "+4",
    "007",
    " 2 ",
    "1.5",
    "1e5",
    ".5",
    "-inf",
    "",
    "NA",
    "null",
    "True",
    "FALSE",
    "x",
    "a,b",
    "1_000",
    "0x1f",
]


def rows(folder, text):
    (folder / "rows.csv").write_text(text, encoding="utf-8", newline="")
    task = {"task": "mine", "dataset_path": "csv", "dataset_kwargs": {"data_files": {"test": "rows.csv"}}}
    return [row for _, row in TaskDataset(HarnessTask(folder / "mine.yaml", (), task)).split("test")]


def test_every_pair_and_triple_of_cells_has_the_types_of_pandas(tmp_path):
    pandas = pytest.importorskip("pandas")
    columns = [*combinations_with_replacement(CELLS, 2)] + [(one, other, "1") for one in CELLS for other in CELLS]
    for size in (2, 3):
        chosen = [column for column in columns if len(column) == size]
        with (tmp_path / "made.csv").open("w", newline="") as file:
            csv.writer(file).writerows([[f"c{n}" for n in range(len(chosen))], *zip(*chosen, strict=True)])
        frame = pandas.read_csv(tmp_path / "made.csv")
        expected = frame.astype(object).where(frame.notna(), None).to_dict("records")
        assert repr(rows(tmp_path, (tmp_path / "made.csv").read_text())) == repr(expected)


def test_a_row_with_too_many_fields_is_named(tmp_path):
    with pytest.raises(BadFile, match="row 2: 3 fields instead of 2"):
        rows(tmp_path, "a,b\n1,2\n1,2,3\n")


def test_a_short_row_is_filled_with_nothing_and_blank_lines_are_left_out(tmp_path):
    assert rows(tmp_path, "a,b\nx,y\n\nz\n") == [{"a": "x", "b": "y"}, {"a": "z", "b": None}]


def test_a_cell_may_be_as_long_as_a_book(tmp_path):
    assert [len(row["a"]) for row in rows(tmp_path, f"a,b\n{'x' * 300_000},1\n")] == [300_000]


@pytest.mark.parametrize("text", ["", "\n"])
def test_an_empty_file_is_refused(tmp_path, text):
    with pytest.raises(BadFile, match="it is empty"):
        rows(tmp_path, text)


def test_a_file_that_is_not_text_is_refused(tmp_path):
    (tmp_path / "rows.csv").write_bytes(b"a,b\n\xff\xfe,1\n")
    task = {"task": "mine", "dataset_path": "csv", "dataset_kwargs": {"data_files": {"test": "rows.csv"}}}
    with pytest.raises(BadFile, match="cannot be read as CSV"):
        TaskDataset(HarnessTask(tmp_path / "mine.yaml", (), task)).split("test")
