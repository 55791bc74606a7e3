"""Where store, keys and caches lie, how large they are, and emptying the caches only."""

import pytest


@pytest.fixture
def places(mensura, tmp_path, monkeypatch):
    """Give this user places of their own, with something in each."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("MENSURA_KEY_FILE", raising=False)
    mensura("run", "coin", "--as", "chance")
    kernels = tmp_path / "cache" / "mensura" / "kernels" / "deep"
    kernels.mkdir(parents=True)
    (kernels / "code.nbc").write_bytes(b"x" * 2000)
    (tmp_path / "cache" / "mensura" / "answers.db").write_bytes(b"y" * 3000)
    return tmp_path


def test_where_names_each_place_with_its_size(mensura, places):
    (places / "cache" / "mensura" / "wordnet-2.npz").write_bytes(b"z" * 500)
    said = mensura("where")
    assert said.err.strip() == "Next: mensura list runs", "the next step destroys nothing"
    shown = said.out
    for path in ("mensura.db", "state/mensura", "cache/mensura/kernels", "cache/mensura/answers.db"):
        assert str(places / path) in shown
    found = {place["what"]: place for place in mensura("where", "--json").json}
    assert found["store"]["bytes"] >= (places / "mensura.db").stat().st_size > 0
    assert found["keys"]["bytes"] > 0
    assert (found["kernels"]["bytes"], found["answers"]["bytes"]) == (2000, 3000)
    assert (found["word lists"]["bytes"], found["word lists"]["path"]) == (500, str(places / "cache/mensura/*.npz"))


def test_caches_are_emptied_and_store_and_keys_are_kept(mensura, places):
    done = mensura("where", "--purge-cache", "--yes")
    assert done.status == 0
    assert "Emptied" in done.err
    assert list((places / "cache" / "mensura").iterdir()) == []
    assert list((places / "state" / "mensura").iterdir())
    assert mensura("score", "last", "--json").json["scores"]
    assert "are empty" in mensura("where", "--purge-cache", "--yes").err


def test_caches_are_kept_unless_someone_says_yes(mensura, places, monkeypatch):
    monkeypatch.setattr("click.confirm", lambda *words, **how: False)
    assert "Kept" in mensura("where", "--purge-cache").err
    assert (places / "cache" / "mensura" / "answers.db").exists()
