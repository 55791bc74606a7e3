"""What a YAML file holds, or a sentence with the line."""

import pytest

from mensura.errors import BadFile
from mensura.yaml_file import parse_yaml, read_yaml


def test_what_a_file_holds_is_read(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("name: Zoë\n", encoding="utf-8")
    assert read_yaml(path) == {"name": "Zoë"}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"a: 1\nb: [\n", r"a\.yaml:3: this is not YAML"),
        (b"day: 2027-13-45\n", r"a\.yaml: this is not YAML: month must be in 1\.\.12"),
        (b"name: \xff\n", r"a\.yaml cannot be read"),
    ],
)
def test_what_is_not_yaml_is_said(tmp_path, content, words):
    path = tmp_path / "a.yaml"
    path.write_bytes(content)
    with pytest.raises(BadFile, match=words):
        read_yaml(path)


def test_a_file_that_is_not_there_is_said(tmp_path):
    with pytest.raises(BadFile, match=r"cannot be read: No such file or directory\. Check the path"):
        read_yaml(tmp_path / "none.yaml")


def test_a_tag_is_read_where_it_is_known_and_nowhere_else():
    assert parse_yaml("a: !function utils.f", "a.yaml", tags={"!function": str.upper}) == {"a": "UTILS.F"}
    with pytest.raises(BadFile, match="could not determine a constructor for the tag '!function'"):
        parse_yaml("a: !function utils.f", "a.yaml")
