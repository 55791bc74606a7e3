"""Where a store is."""

from pathlib import Path

import pytest

from mensura.errors import StoreError
from mensura.store import open_store
from mensura.store.place import find_place


def test_a_relative_path_opens_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with open_store("here.db") as store:
        monkeypatch.chdir("/")
        assert store.url == f"sqlite:///{tmp_path / 'here.db'}"
        assert open_store(store.url).runs.all() == []


def test_nothing_given_means_the_variable_else_a_file_in_this_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MENSURA_STORE", raising=False)
    assert find_place().path == tmp_path / "mensura.db"
    monkeypatch.setenv("MENSURA_STORE", "postgresql://lab@db.example/lab")
    assert find_place().url == "postgresql+psycopg://lab@db.example/lab"


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg", "postgresql+psycopg2"])
def test_every_spelling_of_postgresql_uses_the_one_driver(scheme: str) -> None:
    place = find_place(f"{scheme}://ann:se%40cret@db.example:5433/lab?sslmode=require")
    assert place.url == "postgresql+psycopg://ann:se%40cret@db.example:5433/lab?sslmode=require"
    assert place.path is None


def test_a_password_is_never_shown() -> None:
    place = find_place("postgres://ann:hunter2@db.example/lab")
    assert "hunter2" not in place.shown
    assert "hunter2" in place.url


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("mysql://host/lab", "not in 'mysql'"),
        ("sqlite://", "is a file"),
        ("sqlite:///:memory:", "is a file"),
        ("postgresql://host:port/lab", "cannot be read"),
        ("://", "cannot be read"),
    ],
)
def test_a_place_that_cannot_hold_a_store_is_refused_with_a_sentence(given: str, words: str) -> None:
    with pytest.raises(StoreError, match=words):
        find_place(given)


def test_a_name_with_odd_characters_is_a_file_like_any_other(tmp_path: Path) -> None:
    path = tmp_path / "50% of ünits? #1.db"
    with open_store(path) as store:
        assert store.runs.all() == []
    assert [found.name for found in tmp_path.iterdir()] == [path.name]
