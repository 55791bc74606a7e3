"""Functions of a file, code and commands as tools, in processes of their own."""

import pytest

from mensura.errors import BadParameter, NotInstalled
from mensura.subjects.loop import wait_for
from mensura.subjects.outside.bounds import Bounds
from mensura.subjects.sandbox.confinement import Confinement
from mensura.subjects.source import Source
from mensura.subjects.tools import functions
from mensura.subjects.tools.functions import Functions, Workshop
from mensura.subjects.tools.kit import LONGEST_RESULT
from tests.subjects.boxes import needs_bubblewrap

FILE = '''
import os
import time

calls = 0


def add(first: int, second: int = 1) -> int:
    """Add two numbers."""
    print("adding")
    return first + second


def misbehave(how: str) -> str:
    """Go wrong in one of many ways."""
    global calls
    calls += 1
    if how == "raise":
        raise RuntimeError("no")
    if how == "sleep":
        time.sleep(600)
    if how == "flood":
        return "x" * 50_000
    if how == "leave":
        os._exit(3)
    return str(calls)


tools = [add, misbehave]
'''


@pytest.fixture
def kit(tmp_path):
    """Give the tools of the file, with a second for each call."""
    (tmp_path / "mine.py").write_text(FILE)
    source = Source.read("mine.py:tools", folder=tmp_path)
    kit = Functions([source], name="./mine.py:tools", seconds=1.0, bounds=Bounds(), confinement=Confinement())
    yield kit
    kit.close()


def called(kit, name, **arguments):
    return wait_for(kit.call(name, arguments))


def test_a_call_is_carried_out_and_whatever_goes_wrong_is_a_sentence(kit, monkeypatch):
    monkeypatch.setattr(functions, "_learned", {})
    assert [tool.name for tool in wait_for(kit.offer())] == ["add", "misbehave"]
    assert (called(kit, "add", first=2).words, called(kit, "add", first=2).fault) == ("3", "")
    wrong = called(kit, "add", first="two")
    assert wrong.fault == "arguments"
    assert "valid integer" in wrong.words
    raised = called(kit, "misbehave", how="raise")
    assert (raised.words, raised.fault) == ("misbehave raised RuntimeError: no", "raised")
    slow = called(kit, "misbehave", how="sleep")
    assert slow.fault == "timed out"
    assert "longer than 1 s" in slow.words
    flood = called(kit, "misbehave", how="flood")
    assert flood.fault == "flooded"
    assert len(flood.words) < LONGEST_RESULT + 200
    # All of it was one process, which kept what it knew; when it ends, another begins.
    assert called(kit, "misbehave", how="count").words == "4"
    left = called(kit, "misbehave", how="leave")
    assert left.fault == "raised"
    assert "exit status 3" in left.words
    assert called(kit, "misbehave", how="count").words == "1"


def test_a_file_that_cannot_be_used_is_refused_before_anything_is_asked(tmp_path):
    (tmp_path / "mine.py").write_text("def add(first, second):\n    return first + second\n")
    source = Source.read("mine.py:add", folder=tmp_path)
    kit = Functions([source], name="./mine.py:add", seconds=1.0, bounds=Bounds(), confinement=Confinement())
    with pytest.raises(BadParameter, match="must say the type of first"):
        kit.learn()


@needs_bubblewrap
def test_code_and_commands_share_a_scratch_folder_in_the_sandbox_and_see_nothing_else(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("the answer")
    kit = Workshop(["python", "shell"], seconds=1.0, bounds=Bounds(), confinement=Confinement())
    try:
        assert [tool.name for tool in wait_for(kit.offer())] == ["python", "shell"]
        assert called(kit, "python", code="open('a.txt', 'w').write('kept'); print(6 * 7)").words == "42\n"
        seen = called(kit, "shell", command=f"cat a.txt; cat {secret}; echo $MENSURA_API_KEY; exit 4").words
        assert seen.startswith("kept")
        assert "the answer" not in seen
        assert "exit status 4" in seen
        # What is left running in the background is not waited for, and what takes too long loses no files.
        assert called(kit, "shell", command="sleep 600 & echo begun").words == "begun\n"
        assert called(kit, "shell", command="sleep 600").fault == "timed out"
        assert called(kit, "shell", command="cat a.txt").words == "kept"
        assert called(kit, "python", code="print('x' * 300_000)").fault == "flooded"
        assert (
            "urlopen error"
            in called(kit, "python", code="import urllib.request as u; u.urlopen('http://127.0.0.1:9')").words
        )
    finally:
        kit.close()


def test_code_and_commands_are_refused_where_there_is_no_sandbox():
    with pytest.raises(BadParameter, match="only in a sandbox"):
        Workshop(["shell"], seconds=1.0, bounds=Bounds(), confinement=Confinement(sandbox="off"))


def test_code_of_a_model_says_what_to_install_where_no_sandbox_works(monkeypatch):
    monkeypatch.setattr(functions, "means_of", lambda confinement: "none")
    with pytest.raises(NotInstalled, match="only in a sandbox") as raised:
        Workshop(["shell"], seconds=1.0, bounds=Bounds(), confinement=Confinement())
    assert raised.value.install == "apt install bubblewrap"
