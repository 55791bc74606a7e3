"""Rows of a CSV with the lines at which they stand, and arrays of NumPy, or a sentence that says why there are none."""

import struct

import numpy as np
import pytest

from mensura.errors import BadFile
from mensura.table_file import read_array, read_table


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


def npy(header: bytes, body: bytes = b"\0" * 64) -> bytes:
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + body


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x93NUMPY",
        b"hello",
        npy(b"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999,), }\n"),
        npy(b"{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 2), }\n"),
        npy(b"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }\n"),
        npy(b"{'descr': '<f8', 'fortran_order': False, 'shape': (8" + b"," * 9 + b"), }\n"),
        npy(b"(" * 5000 + b"\n"),
        npy(b"{'descr': " + b"[" * 4000 + b"\n"),
        npy(b"{'descr': 'no', 'fortran_order': False, 'shape': (1,)}\n"),
        npy(b"\xff\xfe\n"),
        npy(b"{'descr': '<f8', 'fortran_order': False, 'shape': (9,), }\n"),
    ],
)
def test_a_broken_file_is_refused_with_its_name(tmp_path, content):
    path = tmp_path / "a.npy"
    path.write_bytes(content)
    with pytest.raises(BadFile, match=r"a\.npy is not a whole \.npy file: .*Is it cut short\?"):
        read_array(path)


def test_a_pickle_and_an_archive_are_not_opened(tmp_path):
    np.save(tmp_path / "o.npy", np.array([{}], dtype=object), allow_pickle=True)
    np.savez(tmp_path / "z.npz", a=np.zeros(2))
    for name in ("o.npy", "z.npz"):
        with pytest.raises(BadFile, match="is not a whole"):
            read_array(tmp_path / name)
    with pytest.raises(BadFile, match=r"none\.npy cannot be read: No such file"):
        read_array(tmp_path / "none.npy")


def test_an_array_is_read_as_it_was_written(tmp_path):
    np.save(tmp_path / "a.npy", np.arange(6.0).reshape(2, 3))
    assert read_array(tmp_path / "a.npy").tolist() == [[0, 1, 2], [3, 4, 5]]
