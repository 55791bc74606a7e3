"""Rows of a CSV with the lines at which they stand, or a sentence that says why there are none."""

import pytest

from mensura.errors import BadFile
from mensura.table_file import read_table


def written(tmp_path, content):
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    return path


def test_rows_keep_their_line_after_empty_lines_and_cells_of_several_lines(tmp_path):
    path = written(tmp_path, b'\xef\xbb\xbfitem,value\n\n E1 ,"A\n3"\nE2\n')
    assert read_table(path, ("item", "value")) == [
        (4, {"item": "E1", "value": "A\n3"}),
        (5, {"item": "E2", "value": ""}),
    ]


def test_cells_beyond_the_named_columns_are_passed_over(tmp_path):
    assert read_table(written(tmp_path, b"item\nE1,more\n"), ("item",)) == [(2, {"item": "E1"})]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", r"a.csv:1: the column 'item' is missing; columns are item, value\."),
        (b"item\nE1\n", r"a.csv:1: the column 'value' is missing"),
        (b"item,value\nE1,\xff\n", "a.csv cannot be read"),
        (b"item,value\nE1," + b"x" * 200_000 + b"\n", "a.csv cannot be read: field larger"),
    ],
)
def test_what_is_no_such_table_is_said(tmp_path, content, words):
    with pytest.raises(BadFile, match=words):
        read_table(written(tmp_path, content), ("item", "value"))


def test_a_file_that_is_not_there_is_said(tmp_path):
    with pytest.raises(BadFile, match=r"none\.csv cannot be read: .*No such file"):
        read_table(tmp_path / "none.csv", ("item",))
