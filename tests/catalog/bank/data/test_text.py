"""Files of text: what is in a cell is kept, and what is no CSV is said with its line."""

import pytest

from mensura.catalog.bank.reading import read_file
from mensura.errors import BadFile


def write(folder, content):
    path = folder / "a.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_cells_may_hold_quotation_marks_delimiters_and_lines(tmp_path):
    path = write(tmp_path, b'\xef\xbb\xbfprompt,answer\r\n"a, ""b""\r\n\r\nc",x\r\n,\r\nd,y\r\n')
    assert [(item.prompt, item.answer) for item in read_file(path)] == [('a, "b"\n\nc', "x"), ("d", "y")]


def test_a_prompt_may_be_longer_than_any_limit_of_a_reader(tmp_path):
    (item,) = read_file(write(tmp_path, f'prompt,answer\n"{"word " * 100_000}",1\n'))
    assert len(item.prompt) == 500_000


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "a.csv is empty. Its first line names the columns"),
        ("prompt,answer\n", "holds no items"),
        ("prompt,prompt\na,b\n", ":1: two columns are called 'prompt'"),
        ('prompt,answer\n"a\nb",1\nb,2,3\n', ":4: 3 cells where the first line names 2 columns"),
        ('prompt,answer\na,1\n"b,2\nc,3\n', ":3: this is not CSV: unexpected end of data. Correct the quotation marks"),
        (b"prompt,answer\na,1\nsch\xf6n,1\n", ":3: this is not UTF-8. Save the file as UTF-8"),
        ("prompt,answer\n".encode("utf-16"), ":1: this is not UTF-8"),
        ("prompt,answer\na\0b,1\n", ":2: `prompt` holds a character that cannot be stored"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, content, words):
    with pytest.raises(BadFile, match=words):
        read_file(write(tmp_path, content))


@pytest.mark.parametrize("content", ['{"data": 3}', "[3]", "[{]", ""])
def test_json_that_holds_no_rows_is_refused_in_a_sentence(tmp_path, content):
    path = tmp_path / "a.json"
    path.write_text(content)
    with pytest.raises(BadFile, match=r"a\.json"):
        read_file(f"{path}#prompt=q")
