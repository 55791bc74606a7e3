"""Python's own functions, classes and objects as subjects."""

from functools import partial

import pytest

from mensura.dialogue import Ask
from mensura.errors import BadFile, BadParameter, UnknownName
from mensura.subjects import as_subject, name_of
from mensura.subjects.source import Source

ASK = Ask("Heads?")


def respond(ask):
    return 0.5


class Mind:
    def __init__(self, *, bias=0.25):
        self.bias = bias

    def __call__(self, ask):
        return self.bias

    def answer(self, ask):
        return self.bias / 2


class Needy:
    def __init__(self, weights):
        self.weights = weights

    def __call__(self, ask):
        return self.weights


def factory(*, bias=0.125):
    return Mind(bias=bias)


def test_a_function_is_the_subject_itself():
    assert as_subject(respond) is respond
    mind = Mind()
    assert as_subject(mind) is mind
    assert as_subject(mind.answer)(ASK) == 0.125


def test_classes_factories_and_partial_classes_make_one():
    assert as_subject(Mind)(ASK) == 0.25
    assert as_subject(Mind, options={"bias": 0.75})(ASK) == 0.75
    assert as_subject(factory)(ASK) == 0.125
    assert as_subject(partial(Mind, bias=0.5))(ASK) == 0.5
    assert as_subject(partial(Needy, 3))(ASK) == 3


@pytest.mark.parametrize(
    ("thing", "options", "words"),
    [
        (0.5, {}, "A subject is a function or a class; got float 0.5"),
        (Needy, {}, "Needy cannot be made with no options: missing a required argument: 'weights'"),
        (Mind, {"bia": 1}, "Mind cannot be made with"),
        (respond, {"bias": 1}, "respond is a plain function and takes no options; got bias"),
        (lambda: 0.5, {}, "should make a subject"),
    ],
)
def test_what_is_no_subject_is_said(thing, options, words):
    with pytest.raises(BadParameter, match=words):
        as_subject(thing, options=options)


def test_subjects_have_names():
    assert name_of(respond) == "respond"
    assert name_of(Mind()) == "Mind"


def test_a_file_is_loaded_once_and_finds_its_neighbours(tmp_path):
    (tmp_path / "neighbour_of_mine.py").write_text("HALF = 0.5\n")
    (tmp_path / "mine.py").write_text("import neighbour_of_mine\nHALF = [neighbour_of_mine.HALF]\n")
    source = Source.read("mine.py:HALF", folder=tmp_path)
    source.check()
    assert source.load() == [0.5]
    assert source.load() is source.load()


def test_two_files_of_one_name_do_not_mix(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.py").write_text(f"WHO = {folder!r}\n")
    assert [Source.read(f"{folder}/mine.py:WHO", folder=tmp_path).load() for folder in ("a", "b")] == ["a", "b"]


def test_names_are_checked_without_running_the_file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("import os as system\nfrom re import *\nraise SystemExit\n")
    Source.read("mine.py:anything", folder=tmp_path).check()
    path.write_text("import os as system\na, (b, c) = 1, (2, 3)\nd: int = 4\ndef e(): pass\nraise SystemExit\n")
    Source.read("mine.py:anything", folder=tmp_path).check()
    path.write_text("import os as system\na, (b, c) = 1, (2, 3)\nd: int = 4\ndef eleven(): pass\n")
    for name in ("system", "a", "b", "c", "d", "eleven"):
        Source.read(f"mine.py:{name}", folder=tmp_path).check()
    with pytest.raises(UnknownName, match="Did you mean eleven"):
        Source.read("mine.py:elven", folder=tmp_path).check()


def test_a_file_that_fails_leaves_nothing_behind(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("raise RuntimeError('first')\n")
    source = Source.read("mine.py:x", folder=tmp_path)
    with pytest.raises(BadFile, match=r"it raised RuntimeError in .*mine\.py, line 1: first"):
        source.load()
    path.write_text("x = 1\n")
    assert source.load() == 1
    with pytest.raises(UnknownName, match=r"no name in mine\.py called 'y'"):
        Source.read("mine.py:y", folder=tmp_path).load()
    with pytest.raises(BadFile, match="cannot be read: No such file"):
        Source.read("none.py:y", folder=tmp_path).load()
