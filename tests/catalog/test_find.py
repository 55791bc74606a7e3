"""Finding tests by name, file, module and environment."""

import subprocess
import sys

import pytest

from mensura.catalog.find import find_test, list_tests, newest
from mensura.dialogue import Test
from mensura.errors import BadFile, UnknownName

DICE = """
from mensura.dialogue import Ask, Number, test
from sides import SIDES

@test("dice-v1")
def dice(rng):
    '''Guess a die.'''
    yield Ask("What falls?", Number(1, SIDES, integer=True), truth=int(rng.integers(1, SIDES + 1)))
"""


@pytest.fixture
def file(tmp_path):
    (tmp_path / "sides.py").write_text("SIDES = 6\n")
    path = tmp_path / "mine.py"
    path.write_text(DICE)
    return path


def test_a_name_without_version_finds_the_newest(monkeypatch):
    points = dict.fromkeys(["coin-v1", "coin-v2", "coin-v10", "coin-toss-v3", "ours/coin-v4"], None)
    monkeypatch.setattr("mensura.catalog.find.extensions", lambda group: points)
    assert newest("coin") == "coin-v10"
    assert newest("coin-v2") == "coin-v2"
    assert newest("ours/coin") == "ours/coin-v4"
    assert newest("coi") is None


def test_an_id_finds_that_version():
    assert find_test("coin-v1").id == "coin-v1"
    assert find_test("coin") is find_test("coin-v1")


@pytest.mark.parametrize(
    ("name", "hint"),
    [("coyn", "Did you mean coin?"), ("inbox-v7", "Did you mean inbox-v1?"), ("zzz", "`mensura list` shows all")],
)
def test_unknown_names_bring_the_nearest(name, hint):
    with pytest.raises(UnknownName, match="There is no test called") as error:
        find_test(name)
    assert hint in str(error.value)


def test_listing_imports_no_test():
    code = (
        "import sys; from mensura.catalog.find import list_tests; names = list_tests(); "
        "loaded = [m for m in sys.modules if m.startswith('mensura.catalog.') and m != 'mensura.catalog.find']; "
        "assert not loaded, loaded; print(len(names))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) == len(list_tests()) >= 4


def test_a_test_in_a_file_is_found_by_variable_name_or_id(file):
    for name in ("dice", "dice-v1"):
        assert find_test(f"{file}:{name}").id == "dice-v1"
    assert find_test(str(file)).about == "Guess a die."


def test_a_file_is_run_once_and_again_when_it_changes(file):
    first = find_test(f"{file}:dice")
    assert find_test(f"{file}:dice") is first
    file.write_text(DICE.replace("Guess a die.", "Guess another die."))
    assert find_test(f"{file}:dice").about == "Guess another die."
    assert first.about == "Guess a die."


def test_two_files_of_one_name_do_not_mix(file, tmp_path):
    other = tmp_path / "other" / "mine.py"
    other.parent.mkdir()
    other.write_text(DICE.replace("from sides import SIDES", "SIDES = 8").replace("Guess a die.", "Eight sides."))
    assert find_test(f"{file}:dice").about == "Guess a die."
    assert find_test(f"{other}:dice").about == "Eight sides."


def test_a_file_leaves_the_import_path_as_it_was(file):
    before = list(sys.path)
    find_test(str(file))
    assert sys.path == before


def test_a_file_without_the_named_test_says_which_it_holds(file):
    with pytest.raises(UnknownName, match=r"holds no test called 'cards'. It holds dice\."):
        find_test(f"{file}:cards")


def test_a_file_with_several_tests_asks_for_a_name(file):
    file.write_text(DICE + DICE.replace("dice", "cards"))
    with pytest.raises(UnknownName, match=r"name it after a colon. It holds dice, cards\."):
        find_test(str(file))


def test_a_test_that_a_file_only_imports_is_not_its_only_one(file):
    file.write_text("from mensura.catalog.coin.dialogue import coin\n" + DICE)
    assert find_test(str(file)).id == "dice-v1"
    assert find_test(f"{file}:coin").id == "coin-v1"


def test_files_that_hold_none_are_missing_or_broken_say_so(file, tmp_path):
    with pytest.raises(BadFile, match=r"cannot be read: No such file"):
        find_test(str(tmp_path / "nowhere.py"))
    file.write_text("x = 1\n")
    with pytest.raises(UnknownName, match="holds no tests; a test is made by @test"):
        find_test(f"{file}:dice")
    file.write_text("1 / 0\n")
    with pytest.raises(BadFile, match="raised ZeroDivisionError"):
        find_test(f"{file}:dice")
    file.write_text("def (:\n")
    with pytest.raises(BadFile, match="raised SyntaxError"):
        find_test(f"{file}:dice")


def test_a_module_and_a_variable_find_a_test():
    assert find_test("mensura.catalog.coin.dialogue:coin").id == "coin-v1"
    with pytest.raises(UnknownName, match="There is no module 'nowhere'"):
        find_test("nowhere.at.all:coin")


def test_an_environment_is_found_by_its_prefix():
    pytest.importorskip("gymnasium")
    assert find_test("gym:CartPole-v1").id == "gym:CartPole-v1"


def test_every_registered_name_is_the_id_of_what_it_gives():
    for id in list_tests():
        found = find_test(id)
        assert isinstance(found, Test)
        assert found.id == id
