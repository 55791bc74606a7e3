"""`mensura study` registers a plan and changes the places of its people, by the file or by the study's name."""

PLAN = """name: crowd
test: coin
conditions: {few: {flips: 2}, many: {flips: 3}}
casts: {people: human}
sessions: 2
exclude: [{name: slow, when: median_seconds > 600}]
invitation: {days: 3}
"""


def test_a_registered_study_is_run_by_its_name(mensura, tmp_path):
    (tmp_path / "crowd.yaml").write_text(PLAN)
    registered = mensura("study", "register", "crowd.yaml", "--json").json
    assert [cell["cell"] for cell in registered["cells"]] == ["people in few", "people in many"]
    made = mensura("study", "invite", "crowd", "-n", "3", "--json").json
    first = made[0]
    assert mensura("study", "extend", "crowd", "1", "2", "--days", "2").err.startswith("2 links extended.")
    assert mensura("study", "close", "crowd", "1").err.startswith("1 link closed.")
    instead = mensura("study", "replace", "crowd", "1", "--json").json
    assert instead["cell"] == first["cell"]
    assert mensura("study", "exclude", "crowd", "2", "--rule", "slow").status == 0
    board = mensura("study", "board", "crowd.yaml", "--json").json
    assert [row["state"] for row in board] == ["replaced", "excluded", "invited", "invited"]
    refused = mensura("study", "replace", "crowd", "1")
    assert refused.status == 1
    assert "was replaced already, by invitation 4" in refused.err
