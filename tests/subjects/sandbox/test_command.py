"""Words that start a program: which are files, and what belongs to them."""

import sys
from pathlib import Path

import pytest

from mensura.subjects.sandbox.command import Command


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "agent.js").write_text("")
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "model.bin").write_text("")
    return tmp_path.resolve()


def words(text, folder):
    return list(Command.read(text, folder=folder).words[1:])


def test_words_that_name_files_are_made_absolute_and_others_stay(folder):
    assert words("cat agent.js", folder) == [f"{folder}/agent.js"]
    assert words("cat ./build/model.bin --model=build/model.bin", folder) == [
        f"{folder}/build/model.bin",
        f"--model={folder}/build/model.bin",
    ]
    assert words("cat agent.js:respond", folder) == [f"{folder}/agent.js:respond"]
    # A bare word that happens to be a folder is most likely a verb.
    assert words("cat build --fast nothing.js", folder) == ["build", "--fast", "nothing.js"]
    assert words(["cat", "x" * 5000], folder) == ["x" * 5000]


def test_its_own_folder_is_where_it_was_named_from_or_where_its_file_lies(folder, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere").resolve()
    (elsewhere / "weights").write_text("")
    assert Command.read("cat build/model.bin", folder=folder).folders == [folder]
    assert Command.read(f"cat {folder}/agent.js", folder=elsewhere).folders == [folder]
    both = Command.read(f"cat agent.js {elsewhere}/weights", folder=folder)
    assert both.folders == [folder, elsewhere / "weights"]
    assert Command.read("cat --fast", folder=folder).folders == []
    # What lies right in a folder that is everybody's brings nothing with it.
    assert Command.read("cat /etc/hostname", folder=folder).folders == [Path("/etc/hostname")]


def test_where_a_program_is_installed_is_shown_with_its_interpreter(folder):
    assert Command.read("cat agent.js", folder=folder).prefixes == []
    assert Path(sys.prefix) in Command.read([sys.executable], folder=folder).prefixes
    script = folder / "build" / "tool"
    script.write_text(f"#!{sys.executable}\n")
    script.chmod(0o755)
    assert Path(sys.prefix) in Command.read([str(script)], folder=folder).prefixes


def test_of_a_users_folder_for_everything_only_libraries_are_shown(folder):
    for name in (".local/bin", ".local/lib", ".local/share"):
        (folder / name).mkdir(parents=True)
    tool = folder / ".local" / "bin" / "tool"
    tool.write_text("")
    tool.chmod(0o755)
    shown = Command.read([str(tool)], folder=folder / "build").prefixes
    assert shown == [folder / ".local" / "bin", folder / ".local" / "lib"]
