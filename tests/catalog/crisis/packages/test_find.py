"""Finding packages: what stands beside a package's file is read with it."""

import pytest

from mensura.catalog.crisis.packages.find import SHIPPED, find_package
from mensura.errors import BadFile


def test_what_the_linter_found_is_read_from_beside_the_package(tmp_path):
    for name in ("practice-1.yaml", "practice-1.found.json"):
        (tmp_path / name).write_text((SHIPPED / name).read_text())
    found = find_package(str(tmp_path / "practice-1.yaml")).found
    assert found is not None
    assert found == find_package("practice-1").found


def test_a_damaged_file_beside_a_package_is_named(tmp_path):
    (tmp_path / "practice-1.yaml").write_text((SHIPPED / "practice-1.yaml").read_text())
    (tmp_path / "practice-1.found.json").write_text('{"hash": ')
    with pytest.raises(BadFile, match=r"practice-1\.found\.json is not JSON; let the linter write it again"):
        find_package(str(tmp_path / "practice-1.yaml"))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"seed: 7\nname: [\n", r"mine\.yaml:\d: this is not YAML"),
        (b"seed: 7\nname: mine\nfirst: 2027-02-30\n", r"mine\.yaml: this is not YAML: day is out of range"),
        (b"\xff\xfe\x00", r"mine\.yaml cannot be read"),
        (b"- 7\n", r"mine\.yaml holds no package"),
        (b"seed: 7\nname: mine\nfirst: 9999-12-30\n", r"mine\.yaml: first: Input should be less than or equal"),
        (b"seed: 7\nname: mine\nfirst: 0001-01-02\n", r"mine\.yaml: first: Input should be greater than or equal"),
        (b"seed: 7\nname: ../mine\n", r"mine\.yaml: name: String should match pattern"),
        (b"seed: -1\nname: mine\n", r"mine\.yaml: seed: Input should be greater than or equal"),
        (b"seed: 7\nname: mine\nparameters: {lost_rooms: 99}\n", r"mine\.yaml: parameters\.lost_rooms: "),
    ],
)
def test_a_file_that_is_no_package_is_refused_in_a_sentence(tmp_path, content, words):
    path = tmp_path / "mine.yaml"
    path.write_bytes(content)
    with pytest.raises(BadFile, match=words):
        find_package(str(path))
