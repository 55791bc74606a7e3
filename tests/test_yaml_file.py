"""What a YAML file holds, or a sentence with the line."""

from itertools import pairwise

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


@pytest.mark.parametrize(
    ("text", "line", "key", "first"),
    [
        ("sessions: 4\nname: a\nsessions: 5", 3, "'sessions'", 1),
        ('a:\n- {b: 1,\n   "b": 1}', 3, "'b'", 2),
        ("10: x\n0xA: y", 2, "10", 1),
        ("f: !function u.f\nf: 1", 2, "'f'", 1),
        ("base: &base\n  a: 1\n  a: 2\nd: {<<: *base}", 3, "'a'", 2),
    ],
)
def test_a_key_that_is_written_twice_is_refused_with_its_line(text, line, key, first):
    with pytest.raises(BadFile, match=rf"^a\.yaml:{line}: the key {key} is in line {first} already; keep one\.$"):
        parse_yaml(text, "a.yaml", tags={"!function": str.upper})


def test_a_key_that_replaces_one_of_a_merged_part_is_read():
    text = "base: &base {x: 1, y: 2}\na: &a {<<: *base, x: 3}\nb: {<<: *a, x: 4}\nc: {<<: *base, <<: *a}\n1: p\n'1': q"
    found = parse_yaml(text, "a.yaml")
    assert (found["a"], found["b"], found["c"]["x"]) == ({"x": 3, "y": 2}, {"x": 4, "y": 2}, 3)
    assert (found[1], found["1"]) == ("p", "q")


DEEP = {"[": "a: " + "[" * 40_000, "{": "{a: " * 40_000, "-": "- " * 30_000, "?": "? " * 30_000}
BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in pairwise("abcdefghi")
)


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_a_text_that_is_nested_too_deeply_is_refused_before_it_ends_the_process(text):
    with pytest.raises(BadFile, match=r"a\.yaml:1: this YAML is nested more than 100 levels deep"):
        parse_yaml(text, "a.yaml")


def test_what_is_not_nested_too_deeply_is_read():
    found, depth = parse_yaml("[" * 100 + "]" * 100, "a.yaml"), 1
    while found:
        [found], depth = found, depth + 1
    assert depth == 100


def test_aliases_of_aliases_are_refused_where_they_stand_for_too_much():
    assert len(BOMB) < 600
    with pytest.raises(BadFile, match=r"a\.yaml:\d: this YAML is too large: .* more than 1,000,000 parts"):
        parse_yaml(BOMB, "a.yaml")
    with pytest.raises(BadFile, match="more than 1,000,000 parts"):
        parse_yaml(
            BOMB.replace("[", "{<<: [").replace("]", "]}").replace("[x, x, x, x, x, x, x, x, x]", "{b: 1}"), "a.yaml"
        )


def test_an_alias_is_read_and_one_of_the_part_around_it_is_refused():
    assert parse_yaml("a: &a {b: 1}\nc: *a\nd: {<<: *a, e: 2}", "a.yaml")["d"] == {"b": 1, "e": 2}
    with pytest.raises(BadFile, match=r"a\.yaml:2: `\*a` refers to a part that contains it"):
        parse_yaml("a: &a\n  - *a\n", "a.yaml")
    with pytest.raises(BadFile, match="this is not YAML: found undefined alias"):
        parse_yaml("a: *b", "a.yaml")


def test_a_text_that_is_too_long_is_refused(monkeypatch):
    monkeypatch.setattr("mensura.yaml_file.LARGEST", 100)
    with pytest.raises(BadFile, match="too large: at most 100 characters"):
        parse_yaml("a" * 101, "a.yaml")


@pytest.mark.parametrize(
    "text",
    [
        "a: \0",
        "a: \ud800",
        '!!int ""',
        '!!float ""',
        "!!timestamp x",
        "!!bool x",
        "!!binary x",
        "!!python/name:os.system",
        "? [a]\n: b",
        "9" * 5000,
        "2001-01-01 00:00:00 +99:99",
        "*",
        "%YAML 9.9\n---\na",
        "a: b: c",
        "\t- a",
        "--- a\n--- b",
    ],
)
def test_whatever_is_wrong_with_a_text_is_a_sentence_with_its_name(text):
    with pytest.raises(BadFile, match=r"^a\.yaml(:\d+)?: this is not YAML: ") as raised:
        parse_yaml(text, "a.yaml")
    assert len(str(raised.value)) < 200
    assert "\n" not in str(raised.value)
