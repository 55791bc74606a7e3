"""`mensura generate crisis` on the command line."""

import json

import pytest
from click.testing import CliRunner

from mensura.catalog.crisis.command import generate
from mensura.catalog.crisis.packages.build import build_world
from mensura.catalog.crisis.packages.find import find_package
from mensura.errors import BadFile, BadParameter

pytest.importorskip("ortools")


def run(*arguments):
    return CliRunner().invoke(generate, list(arguments), catch_exceptions=False)


def test_a_package_is_drawn_and_written_with_what_was_found(tmp_path):
    path = tmp_path / "mine.yaml"
    done = run("--seed", "7", "--out", str(path), "--quick", "--json")
    assert done.exit_code == 0
    said = json.loads(done.stdout)
    assert said["solvable"] is True
    assert said["files"][0] == str(path)
    assert "mensura run crisis" in done.stderr
    world = build_world(str(path))
    assert world.hash == said["hash"]
    assert world.floor_money == said["floor_money"]
    assert world.ceiling == {"quality": 1.0}


def test_a_folder_gets_the_package_the_world_and_the_pdf(tmp_path):
    done = run("--package", "practice-1", "--out", str(tmp_path), "--world", "--pdf", "--quick")
    assert done.exit_code == 0
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {
        "practice-1.yaml", "practice-1.found.json", "practice-1.world.yaml", "practice-1.world.found.json",
        "practice-1.pdf",
    }  # fmt: skip
    assert build_world(str(tmp_path / "practice-1.world.yaml")).hash == build_world("practice-1").hash


def test_parameters_can_be_fixed(tmp_path):
    path = tmp_path / "few.yaml"
    done = run("--seed", "9", "--purpose", "training", "-p", "lost_rooms=8", "--out", str(path), "--quick")
    assert done.exit_code == 0
    package = find_package(str(path))
    assert package.parameters.lost_rooms == 8
    assert package.purpose == "training"


def test_a_package_is_linted_by_name():
    done = run("--lint", "practice-1", "--quick")
    assert done.stdout.startswith("practice-1 can be solved")
    assert "events displaced" in done.stdout


def test_an_edited_world_is_refused_with_the_place(tmp_path):
    run("--package", "practice-1", "--out", str(tmp_path), "--world", "--quick")
    path = tmp_path / "practice-1.world.yaml"
    path.write_text(path.read_text().replace("predecessor: ", "predecessor: no-"), encoding="utf-8")
    with pytest.raises(BadFile, match=r"is refused: predecessor: there is no person"):
        run("--lint", str(path))


def test_what_was_found_is_written_to_a_folder_that_is_made_for_it(tmp_path):
    assert run("--lint", "practice-1", "--quick", "--out", str(tmp_path / "new")).exit_code == 0
    assert json.loads((tmp_path / "new" / "practice-1.found.json").read_text())["solvable"] is True


def test_a_place_where_nothing_can_be_written_is_said(tmp_path):
    (tmp_path / "taken").write_text("a file, no folder")
    with pytest.raises(BadFile, match=r"mine\.yaml cannot be written .*; give another place with --out"):
        run("--package", "practice-1", "--out", str(tmp_path / "taken" / "mine.yaml"), "--quick")


def test_bounds_and_nonsense_are_said():
    with pytest.raises(BadFile, match="lost_rooms"):
        run("--seed", "1", "-p", "lost_rooms=40", "--quick")
    with pytest.raises(BadParameter, match="NAME=VALUE"):
        run("--seed", "1", "-p", "lost_rooms", "--quick")
    with pytest.raises(BadFile, match=r"--set lost_rooms=\[:\d+: this is not YAML"):
        run("--seed", "1", "-p", "lost_rooms=[", "--quick")
    with pytest.raises(BadParameter, match="Give --seed"):
        run()
    with pytest.raises(BadParameter, match="either"):
        run("--seed", "1", "--package", "crisis-1")
