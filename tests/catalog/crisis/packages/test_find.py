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
    with pytest.raises(BadFile, match=r"practice-1\.found\.json is not JSON; let the linter write it anew"):
        find_package(str(tmp_path / "practice-1.yaml"))
