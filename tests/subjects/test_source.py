"""Code of users' own: one loader, which never keeps a stale module and says where a fault is."""

import sys

import pytest

from mensura.errors import BadFile
from mensura.subjects.source import Source, load_file


def test_a_changed_file_is_run_again_and_an_unchanged_one_is_not(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("value = 1\n")
    first = load_file(path)
    assert load_file(path) is first
    path.write_text("value = 2\n")
    assert Source(str(path), "value").load() == 2


def test_what_a_file_imports_from_beside_it_is_never_stale(tmp_path):
    (tmp_path / "mine.py").write_text("from beside_mine import value\n")
    (tmp_path / "beside_mine.py").write_text("value = 1\n")
    assert load_file(tmp_path / "mine.py").value == 1
    (tmp_path / "beside_mine.py").write_text("value = 22\n")
    assert load_file(tmp_path / "mine.py").value == 22


def test_files_of_one_name_in_two_folders_are_kept_apart(tmp_path):
    for value, folder in enumerate(("one", "two")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.py").write_text("from beside_both import value\n")
        (tmp_path / folder / "beside_both.py").write_text(f"value = {value}\n")
    loaded = [load_file(tmp_path / folder / "mine.py") for folder in ("one", "two", "one")]
    assert [module.value for module in loaded] == [0, 1, 0]
    assert loaded[2] is loaded[0]
    assert not any(str(tmp_path) in place for place in sys.path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1\ny = 1 / 0\n", r"it raised ZeroDivisionError in .*mine\.py, line 2: division by zero"),
        ("import json\nx = json.loads('{')\n", r"it raised JSONDecodeError in .*mine\.py, line 2: "),
        ("x = 1\ndef f(:\n", r"it raised SyntaxError in .*mine\.py, line 2: "),
    ],
)
def test_a_fault_is_said_with_its_line(tmp_path, text, said):
    (tmp_path / "mine.py").write_text(text)
    with pytest.raises(BadFile, match=said):
        load_file(tmp_path / "mine.py")
