"""Parquet and Arrow: types become what an answer can be, and only the file that is named is read."""

import os
import sys

import duckdb
import pytest

from mensura.catalog.bank.reading import read_file
from mensura.errors import BadFile, MissingExtra


def write(path, values):
    plain = path.with_name("plain.parquet")
    duckdb.execute(f"COPY (SELECT * FROM (VALUES {values})) TO '{plain}' (FORMAT parquet)")
    os.rename(plain, path)
    return path


def test_types_of_columns_become_what_an_answer_can_be(tmp_path):
    values = "('a', 1::DECIMAL(5, 2), DATE '2020-01-02', 'x'::BLOB), ('b', 2.5, NULL, NULL)"
    path = write(tmp_path / "a.parquet", values)
    assert [item.answer for item in read_file(f"{path}#prompt=col0#answer=col1")] == [1, 2.5]
    assert [item.answer for item in read_file(f"{path}#prompt=col0#answer=col2")] == ["2020-01-02", None]
    with pytest.raises(BadFile, match=r"a\.parquet, row 1: It has no `prompt`: the text of the question; got b'x'"):
        read_file(f"{path}#prompt=col3")


def test_a_name_that_looks_like_a_pattern_is_one_file(tmp_path):
    write(tmp_path / "ab.parquet", "('another')")
    for name in ("a*.parquet", "a[b].parquet", "a?#1.parquet"):
        path = write(tmp_path / name, "('this')")
        assert [item.prompt for item in read_file(f"{path}#prompt=col0")] == ["this"]


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_a_broken_file_is_named(tmp_path, ending):
    path = tmp_path / f"a.{ending}"
    path.write_bytes(b"not at all, and long enough to be looked at")
    with pytest.raises(BadFile, match=rf"a\.{ending} cannot be read as"):
        read_file(f"{path}#prompt=q")


def test_arrow_files_without_pyarrow_say_what_to_install(tmp_path, monkeypatch):
    (tmp_path / "a.arrow").write_bytes(b"")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r'Folders of Arrow files need pyarrow: pip install "mensura\[datasets\]"'):
        read_file(f"{tmp_path / 'a.arrow'}#prompt=q")
