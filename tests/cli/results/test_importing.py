"""`mensura import`: which proof an archive came with is said, and a file that was not sent is refused."""

import re


def test_the_digest_that_export_prints_is_what_import_compares(mensura):
    mensura("run", "coin", "--as", "chance", "--flips", "3")
    exported = mensura("export", "last", "--to", "coin.zip")
    [sent] = re.findall(r"Next: mensura import coin.zip --digest ([0-9a-f]{64}), on the other machine", exported.err)
    assert f"SHA-256, to be sent separately from the file: {sent}." in exported.err
    refused = mensura("import", "coin.zip", "--digest", "0" * 64, "--store", "other.db")
    assert refused.status == 1
    assert f"is not the file that was sent: its SHA-256 is {sent}, not {'0' * 64}." in refused.err
    alone = mensura("import", "coin.zip", "--store", "other.db")
    assert f"Not compared with what was sent (--digest): its SHA-256 is {sent}." in alone.err
    both = mensura("import", "coin.zip", "--digest", sent, "--store", "other.db")
    assert "nothing new. " in both.err
    assert "It is the file that was sent: its SHA-256 is the one given." in both.err
