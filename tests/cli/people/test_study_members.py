"""Members of a study on the command line: who registers it owns it, and looks at identities are told."""

import json
from pathlib import Path

PLAN = "name: owned\ntest: coin\nconditions: {one: {flips: 1}}\ncasts: {people: human}\nsessions: 1\n"


def test_a_study_gets_an_owner_members_and_a_trail_of_looks(mensura):
    Path("plan.yaml").write_text(PLAN)
    for name in ("olga", "al"):
        assert mensura("account", "add", name, "--role", "member", "--password", "long enough, surely").status == 0
    assert "There is no account called 'nobody'" in mensura("study", "run", "plan.yaml", "--owner", "nobody").err
    assert "There is no study called 'owned'" in mensura("study", "members", "owned").err
    assert mensura("study", "run", "plan.yaml", "--owner", "olga").status == 0
    assert "belongs to olga" in mensura("study", "run", "plan.yaml", "--owner", "al").err
    assert (
        mensura("study", "members", "plan.yaml", "--add", "al", "--as", "observer").out == "olga\towner\nal\tobserver\n"
    )
    assert "needs an owner" in mensura("study", "members", "owned", "--remove", "olga").err
    kept = mensura("account", "disable", "olga")
    assert (kept.status, "olga is the only owner of a study" in kept.err) == (1, True)
    assert "disabled" not in mensura("account", "list").out
    assert mensura("study", "members", "owned", "--remove", "al", "--json").json[0]["name"] == "olga"
    assert mensura("study", "invite", "plan.yaml", "-n", "2").status == 0
    assert [row["number"] for row in json.loads(mensura("study", "identities", "owned", "--json").out)] == [1, 2]
    seen = mensura("study", "looks", "owned").out.splitlines()
    assert len(seen) == 4
    assert "command line\tlooked at identities\t1–2\t" in seen[0]
