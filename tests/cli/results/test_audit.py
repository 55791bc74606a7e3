"""`mensura audit` proves a record whole or names what was altered; signatures bind what was signed."""

import json
import re
import sqlite3


def begun(mensura, tmp_path, **env):
    """Take a small run under a secret seed."""
    mensura("run", "coin", "--as", "chance", "--sessions", "2", "--flips", "3")
    return tmp_path / "mensura.db"


def test_a_run_is_proved_whole_and_its_head_is_the_one_in_the_result(mensura, tmp_path):
    begun(mensura, tmp_path)
    done = mensura("audit", "last")
    assert done.status == 0
    assert "the chain is whole (2 sessions" in done.out
    result = mensura("score", "last", "--json").json
    assert mensura("audit", "last", "--json").json["runs"][0]["head"] == result["chain"]


def test_an_edited_answer_is_named_and_neither_scored_nor_audited_well(mensura, tmp_path):
    path = begun(mensura, tmp_path)
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE events SET value = '1.0' WHERE kind = 'answer' AND key = 'coin1' AND session = 1")
    done = mensura("audit", "last")
    assert done.status == 1
    assert "(answer 'coin1') of session" in done.out
    assert "was altered" in done.out
    scored = mensura("score", "last")
    assert scored.status == 1
    assert "is not what was written" in scored.err


def test_an_altered_register_is_named(mensura, tmp_path):
    path = begun(mensura, tmp_path)
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE runs SET register = 'nonsense'")
    done = mensura("audit", "last")
    assert done.status == 1
    assert re.search(r"The register of the sessions of coin-\w+ was altered\.", done.out)
    assert "Traceback" not in done.err


def test_an_archive_is_audited_with_its_signature_and_a_changed_byte_is_found(mensura, tmp_path):
    begun(mensura, tmp_path)
    assert mensura("export", "last", "--to", "coin.zip", "--sign").status == 0
    done = mensura("audit", "coin.zip")
    assert done.status == 0
    assert "Signed by" in done.err
    assert mensura("export", "last", "--to", "tables", "--sign").status == 1


def test_a_signature_is_made_and_checked_and_does_not_fit_what_came_after(mensura, tmp_path):
    begun(mensura, tmp_path)
    signed = mensura("audit", "last", "--sign").out
    (tmp_path / "coin.signature").write_text(signed)
    assert json.loads(signed)["heads"]
    assert "Signed by" in mensura("audit", "last", "--signature", "coin.signature").err
    mensura("score", "last")
    late = mensura("audit", "last", "--signature", "coin.signature")
    assert late.status == 1
    assert "for another head" in late.err
