"""`mensura import`: which proof an archive came with is said, and a file that was not sent is refused."""

import re
import shlex


def test_the_digest_that_export_prints_is_what_import_compares(mensura):
    mensura("run", "coin", "--as", "chance", "--flips", "3")
    exported = mensura("export", "last", "--to", "coin.zip")
    [sent] = re.findall(
        r"Next, on the other machine: mensura import coin.zip --digest ([0-9a-f]{64})$", exported.err.strip()
    )
    assert f"SHA-256, to be sent separately from the file: {sent}." in exported.err
    refused = mensura("import", "coin.zip", "--digest", "0" * 64, "--store", "other.db")
    assert refused.status == 1
    assert f"is not the file that was sent: its SHA-256 is {sent}, not {'0' * 64}." in refused.err
    alone = mensura("import", "coin.zip", "--store", "other.db")
    assert f"Not compared with what was sent (--digest): its SHA-256 is {sent}." in alone.err
    both = mensura("import", "coin.zip", "--digest", sent, "--store", "other.db")
    assert "nothing new. " in both.err
    assert "It is the file that was sent: its SHA-256 is the one given." in both.err


def test_the_next_command_can_be_copied_where_a_path_has_spaces(mensura):
    mensura("run", "coin", "--as", "chance", "--flips", "3")
    exported = mensura("export", "last", "--to", "my coin.zip")
    command = exported.err.strip().splitlines()[-1].partition(": ")[2]
    verb, *words = shlex.split(command)
    assert verb == "mensura"
    assert mensura(*words, "--store", "other.db").status == 0
