"""A package that brings something bad is named in one sentence, and nothing else is harmed."""

import pytest

from tests.cli.conftest import mensura  # noqa: F401 - a fixture
from tests.strangers.conftest import install

PROJECT = """
[project]
name = "bad"
version = "1.0"
[project.entry-points."mensura.tests"]
bad-v1 = "bad:number"
[project.entry-points."mensura.subjects"]
nobody = "bad:number"
gone = "bad:gone"
whole = "bad:whole"
[project.entry-points."mensura.verbs"]
nothing = "bad:number"
list = "bad:whole"
missing = "no_such_module:verb"
[project.entry-points."mensura.spaces"]
hole = "bad:number"
[project.entry-points."mensura.figures"]
crack = "bad:crack"
"""
MODULE = '''
number = 7


def whole(ask):
    """Answer one half."""
    return 0.5


def crack(groups):
    """Break."""
    raise ZeroDivisionError("no groups")
'''


@pytest.fixture
def bad(site):
    (site / "bad.py").write_text(MODULE)
    install(site, PROJECT)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("take bad --as chance", "The test 'bad-v1' of bad cannot be used: it is 7"),
        ("take coin --as nobody", "The subject 'nobody' of bad cannot be used: it is 7, not a function or a"),
        ("take coin --as gone:x", "importing it raised AttributeError: module 'bad' has no attribute 'gone'"),
        ("take coin --as whole:x", "The subject 'whole' takes nothing after a colon; got 'whole:x'."),
        ("nothing", "The verb 'nothing' of bad cannot be used: it is 7, not a click command. Tell its authors."),
        ("missing", "The verb 'missing' of bad cannot be used: importing it raised ModuleNotFoundError: No module"),
    ],
)
def test_what_is_bad_is_named_in_one_sentence(bad, mensura, command, words):  # noqa: F811
    done = mensura(*command.split())
    assert done.status == 1
    assert words in done.err
    assert "Traceback" not in done.err


def test_a_space_that_is_none_is_named_and_items_of_other_spaces_are_read(bad, mensura, tmp_path):  # noqa: F811
    items = tmp_path / "items.jsonl"
    items.write_text('{"prompt": "Deep?", "answer": 1, "space": "hole"}\n')
    assert "The space 'hole' of bad cannot be used: it is 7, not a class of spaces" in mensura("list", str(items)).err
    items.write_text('{"prompt": "Deep?", "answer": 1, "space": "number"}\n')
    assert mensura("list", str(items)).status == 0


def test_nothing_else_is_harmed(bad, mensura, tmp_path):  # noqa: F811
    assert "nothing" in mensura("--help").out
    assert "Give the probability of heads" in mensura("list").out
    assert mensura("run", "coin", "--as", "whole", "--sessions", "3", "--seed", "1").status == 0
    assert mensura("report", "last", "-o", "report.html").status == 0
    page = (tmp_path / "report.html").read_text()
    assert "The figure &#39;crack&#39; of bad cannot be used: it raised ZeroDivisionError: no groups" in page
