"""Names of subjects, as for --as."""

import pickle
import shutil
import sys
from textwrap import dedent

import numpy as np
import pytest

from mensura.dialogue import Ask, Limits, Probability, test
from mensura.errors import BadFile, BadParameter, UnknownName
from mensura.subjects import Chance, Constant, SubjectSpec, find_subject
from mensura.subjects.naming import split_names
from mensura.subjects.outside.hosted import Hosted
from mensura.subjects.outside.program import Program

HEADS = Ask("Heads?", Probability(), key="heads")


class Stated:
    """A reference subject with an option."""

    def __init__(self, *, noise=0.0):
        self.noise = noise

    def __call__(self, ask):
        return 0.25 + self.noise


@test("even-v1", subjects={"stated": Stated, "plain": lambda ask: 0.75})
def even(rng):
    """Say the chance of heads."""
    yield HEADS


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(
        dedent("""
        def respond(ask):
            return 0.125

        class Mind:
            def __init__(self, *, bias=0.5):
                self.bias = bias
            def __call__(self, ask):
                return self.bias
        """)
    )
    (tmp_path / "broken.py").write_text("def respond(ask:\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def make(name, **options):
    return find_subject(name, even, **options)()


def test_built_in_and_reference_subjects_are_found_by_name():
    assert isinstance(make("chance"), Chance)
    assert isinstance(make("constant:0.5"), Constant)
    assert make("constant:0.5")(HEADS) == 0.5
    assert make("constant:red").value == "red"
    assert make("stated")(HEADS) == 0.25
    assert make("stated", noise=0.5)(HEADS) == 0.75
    assert make("plain")(HEADS) == 0.75
    assert isinstance(make("(chance)"), Chance)


def test_a_file_has_its_own_process_unless_told_otherwise(folder):
    subject = make("./mine.py:respond")
    assert isinstance(subject, Hosted)
    assert subject(HEADS) == 0.125
    subject.close()
    assert make("./mine.py:respond", in_process=True)(HEADS) == 0.125
    assert make("mine.py:Mind", in_process=True, bias=0.3)(HEADS) == 0.3


def test_a_file_is_meant_from_the_folder_where_it_was_named(folder, tmp_path_factory, monkeypatch):
    spec = SubjectSpec("./mine.py:respond", {"in_process": True})
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert spec.make(even)(HEADS) == 0.125


def test_a_module_is_imported(folder, monkeypatch):
    (folder / "agents_of_mine.py").write_text("def respond(ask):\n    return 0.0625\n")
    monkeypatch.syspath_prepend(str(folder))
    assert make("agents_of_mine:respond")(HEADS) == 0.0625
    with pytest.raises(UnknownName, match="Did you mean respond"):
        make("agents_of_mine:respons")
    del sys.modules["agents_of_mine"]


def test_another_package_brings_subjects_by_entry_point(folder, monkeypatch):
    package = folder / "brought-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: brought\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text("[mensura.subjects]\noracle = brought_subjects:Oracle\n")
    (folder / "brought_subjects.py").write_text("class Oracle:\n    def __call__(self, ask):\n        return 1.0\n")
    monkeypatch.syspath_prepend(str(folder))
    assert make("oracle")(HEADS) == 1.0
    with pytest.raises(UnknownName, match="Did you mean oracle"):
        make("oracel")


def test_a_program_is_named_with_its_command():
    subject = make("program:true --fast", answer_seconds=3, memory_bytes=None)
    assert isinstance(subject, Program)
    assert subject.command.words == (shutil.which("true"), "--fast")
    assert subject.bounds.answer_seconds == 3
    assert subject.bounds.memory_bytes is None
    assert subject.name == "program:true --fast"
    with pytest.raises(UnknownName, match="nonesuch"):
        make("program:nonesuch agent.js")


@pytest.mark.parametrize(
    ("name", "near"),
    [("chanse", "chance"), ("statet", "stated"), ("terminl", "terminal"), ("./mine.py:respons", "respond")],
)
def test_an_unknown_name_brings_the_nearest(folder, name, near):
    with pytest.raises(UnknownName, match=f"Did you mean {near}"):
        make(name)


def test_a_name_like_nothing_brings_what_there_is():
    with pytest.raises(UnknownName, match="stated, plain, chance, terminal, constant, program"):
        make("zzzzzzzz")
    with pytest.raises(UnknownName, match="no_such_module_at_all:respond"):
        make("no_such_module_at_all:respond")
    with pytest.raises(UnknownName, match="--as terminal"):
        make("human")


def test_files_that_cannot_be_read_are_said(folder):
    with pytest.raises(BadFile, match="No such file"):
        make("./theirs.py:respond")
    with pytest.raises(BadFile, match="is not Python"):
        make("./broken.py:respond")
    with pytest.raises(BadParameter, match=r"\./mine\.py:respond"):
        make("./mine.py")


def test_options_that_a_subject_does_not_have_are_said():
    with pytest.raises(BadParameter, match="Did you mean recomputes"):
        make("program:true", recomputed=True)
    with pytest.raises(BadParameter, match="It has none"):
        make("chance", speed=3)
    with pytest.raises(BadParameter, match="cannot be made with"):
        make("stated", nois=3)
    with pytest.raises(BadParameter, match="plain function"):
        make("plain", noise=3)


def test_options_may_be_written_behind_the_name(folder):
    assert make("stated#noise=0.5")(HEADS) == 0.75
    assert make("./mine.py:Mind#in_process=true#bias=0.3")(HEADS) == 0.3
    program = make("program:true --fast#answer_seconds=3#recomputes=true")
    assert program.command.words == (shutil.which("true"), "--fast")
    assert (program.bounds.answer_seconds, program.recomputes) == (3, True)
    assert make("team:mean(stated,stated#noise=0.5)")(HEADS).value == 0.5
    assert make("constant:#a=1").value == "#a=1"
    with pytest.raises(BadParameter, match="It has none"):
        make("chance#speed=3")


def test_a_spec_travels_and_is_the_same_wherever_it_arrives():
    spec = SubjectSpec("stated", {"noise": 0.5})
    again = pickle.loads(pickle.dumps(spec))
    assert again == spec
    assert hash(again) == hash(spec)
    assert again != SubjectSpec("stated")
    assert again.make(even)(HEADS) == 0.75


def test_a_spec_takes_the_limits_of_the_run_unless_it_has_its_own():
    limits = Limits(answer_seconds=7)
    assert SubjectSpec("program:true").make(even, limits=limits).bounds.answer_seconds == 7
    assert SubjectSpec("program:true", {"answer_seconds": 2}).make(even, limits=limits).bounds.answer_seconds == 2


def test_a_spec_is_made_of_whatever_is_given():
    assert SubjectSpec.of("chance").name == "chance"
    spec = SubjectSpec.of(Stated)
    assert spec.name == "Stated"
    assert SubjectSpec.of(spec) is spec
    assert pickle.loads(pickle.dumps(spec)).make(even)(HEADS) == 0.25
    assert SubjectSpec.of(lambda ask: 0.5).make(even)(HEADS) == 0.5


def test_chance_draws_from_its_own_generator():
    subject = make("chance")
    subject.begin(np.random.default_rng(3))
    first = [subject(HEADS) for _ in range(3)]
    subject.begin(np.random.default_rng(3))
    assert [subject(HEADS) for _ in range(3)] == first == list(np.random.default_rng(3).random(3))


def test_brackets_keep_names_together():
    assert split_names("a, (program:x a,b), team:mean(c,d)", ",") == ["a", "(program:x a,b)", "team:mean(c,d)"]
    with pytest.raises(BadParameter, match="do not match"):
        split_names("a,(b", ",")
    with pytest.raises(BadParameter, match="do not match"):
        split_names("a),b", ",")


def test_what_follows_the_name_of_a_reference_subject_is_its_first_argument():
    @test("named-v1", subjects={"stated": Stated, "plain": Plain})
    def named(rng):
        yield HEADS

    assert find_subject("stated:0.5", named)().noise == "0.5"
    assert SubjectSpec("stated:1").is_stranger(named) is False
    with pytest.raises(BadParameter, match="The subject 'plain' takes nothing after a colon; got 'plain:3'"):
        find_subject("plain:3", named)


class Plain:
    """A reference subject without options."""

    def __call__(self, ask):
        return 0.5
