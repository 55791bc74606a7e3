"""Registration: what proves that a plan was there before the data, and what shows that it was not."""

import pytest
from sqlalchemy import text

from mensura.dialogue.canonical import canonical
from mensura.errors import BadData, BadFile, BadParameter
from mensura.report.runs import build_report
from mensura.report.study import study_report
from mensura.running.live import LiveSessions
from mensura.running.run import resume_run
from mensura.running.study import amend, analyse, conduct, invite, make_study, progress_of, stored_study
from mensura.running.study.registration.register import registration_of
from mensura.store.sealed.proof import audit_run


def coins(**changes):
    given = {
        "name": "coins",
        "test": "coin",
        "casts": {"stated": "stated", "half": "half"},
        "sessions": 8,
        "seed": 1,
        "hypotheses": [{"name": "H1", "score": "quadratic_score", "compare": ["stated", "half"], "expect": "greater"}],
    }
    return make_study({**given, **changes})


LESS = [{"name": "H1", "score": "quadratic_score", "compare": ["stated", "half"], "expect": "less"}]


@pytest.fixture
def study(store):
    made = coins()
    conduct(made, store=store)
    return made


def edit(store, *statements):
    """Write to the store behind everyone's back."""
    with store.database.writing() as connection:
        for statement in statements:
            connection.execute(text(statement))


def describe(store, **changes):
    """Change what stands in the lines of all runs; None takes a detail out."""
    with store.database.writing() as connection:
        for head in store.runs.all():
            details = {name: value for name, value in {**head.details, **changes}.items() if value is not None}
            line = {"details": canonical(details), "id": head.id}
            connection.execute(text("UPDATE runs SET details = :details WHERE id = :id"), line)


def verdicts(analysis):
    return [one.verdict for one in analysis.planned]


def test_deleted_sessions_are_told_before_any_verdict_and_none_is_given(store, study):
    run = store.runs.all()[0].id
    gone = f"SELECT number FROM sessions WHERE id IN ('{run}/0.0.1', '{run}/0.0.2')"
    tables = ("events", "truths", "results", "links")
    edit(store, *(f"DELETE FROM {table} WHERE session IN ({gone})" for table in tables))
    edit(store, f"DELETE FROM sessions WHERE number IN ({gone})")
    analysis = analyse(study, store=store)
    assert verdicts(analysis) == []
    assert analysis.told[0] == analysis.as_json()["altered"][0]
    assert f"The record of {run} is not what was written: The run had 8 sessions; 6 are there" in analysis.told[0]
    answer = study_report(analysis, store=store).answer
    assert answer == [*analysis.altered, "No hypothesis is confirmed: the plan below says why."]
    assert analysis.altered[0] in build_report([run], store=store).answer


def test_exclusions_slipped_into_the_store_are_told(store, study):
    run = store.runs.all()[0].id
    columns = "(session, excluded, reason, planned, who, time)"
    edit(store, f"INSERT INTO exclusions {columns} VALUES ('{run}/0.0.1', 1, 'fast', 1, 'plan', 1.0)")
    analysis = analyse(study, store=store)
    assert "Exclusion 1 of session" in analysis.told[0]
    assert verdicts(analysis) == []


def test_a_plan_under_a_wiped_chain_confirms_nothing(store, study):
    turned = coins(hypotheses=LESS)
    describe(store, plan=turned.as_json(), study_hash=turned.hash)
    edit(store, "DELETE FROM links", "UPDATE sessions SET head = NULL", "UPDATE runs SET register = ''")
    analysis = analyse(turned, store=store)
    assert verdicts(analysis) == []
    assert "The chain of session" in analysis.told[0]


def test_a_plan_whose_hash_was_taken_out_of_the_store_is_told(store, study):
    describe(store, study_hash=None)
    analysis = analyse(study, store=store)
    assert verdicts(analysis) == []
    assert "The run's own line" in analysis.told[0]


def test_an_audit_names_the_line_of_the_run_once(store, study):
    describe(store, question="Another?")
    assert len(audit_run(store, "last").altered) == 1


def test_the_same_items_under_another_name_are_no_plan_made_before_the_data(store, study):
    again = coins(name=" coins-new ", hypotheses=LESS)
    assert again.name == "coins-new"
    conduct(again, store=store)
    analysis = analyse(again, store=store)
    assert verdicts(analysis) == []
    assert "But coins had the same test, subjects and seed before" in analysis.told[0]
    assert verdicts(analyse(study, store=store)) == ["supported"]
    olga = store.accounts.add("Olga", password="long enough, surely", role="member")
    store.members.put("coins", olga, role="owner", added_by="Olga")
    assert "But another study had the same test" in analyse(again, store=store).told[0], "members alone know its name"
    fresh = coins(name="coins-fresh", seed=2)
    conduct(fresh, store=store)
    assert verdicts(analyse(fresh, store=store)) == ["undecided"]


def test_a_report_of_runs_of_a_study_says_how_its_plan_stands(store, study):
    report = build_report([head.id for head in store.runs.all()], store=store)
    assert "From the study coins" in report.answer[0]
    assert f"Plan {study.hash} was registered on" in report.answer[0]


def test_a_plan_known_by_its_hash_alone_decides_only_where_the_file_has_it(store, study):
    edit(store, "DELETE FROM links", "UPDATE sessions SET head = NULL, secret = NULL", "UPDATE runs SET register = ''")
    # As the first release wrote it: neither plan nor chain.
    describe(store, plan=None, streams=None)
    registered = registration_of("coins", store=store)
    assert registered.sentence.endswith("no chain proves it. Only its hash was stored, by an earlier release.")
    assert verdicts(analyse(study, store=store)) == ["supported"]
    other = analyse(coins(hypotheses=LESS), store=store)
    assert verdicts(other) == []
    assert f"hash {study.hash}" in other.deviations[0]
    with pytest.raises(BadData, match="not stored with its runs"):
        stored_study("coins", store=store)


def test_a_plan_registered_after_the_first_session_confirms_nothing(store, study):
    edit(store, "UPDATE sessions SET created = created - 3600")
    registered = registration_of("coins", store=store)
    assert "after the first session" in registered.sentence
    assert "it is not a plan made before the data" in registered.sentence
    assert not registered.before_data
    assert verdicts(analyse(study, store=store)) == []


TEST = """from mensura.dialogue import Ask, Probability, test
from weighing import weight

@test("coins-v1")
def coins(rng, *, flips: int = 10):
    \"\"\"Give the probability of heads for coins of known bias.\"\"\"
    for i in range(flips):
        bias = rng.random()
        yield Ask(f"{bias:.2f}?", Probability(), key=f"coin{i}", truth=int(rng.random() < weight(bias)))
"""


def test_a_test_changed_between_sessions_is_refused_and_declared_it_does_not_count(store, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(TEST)
    (tmp_path / "weighing.py").write_text("def weight(bias):\n    return bias\n")
    study = coins(test="./mine.py:coins", casts={"stated": "chance", "half": "constant:0.5"})
    conduct(study, store=store)
    run = store.runs.all()[0]
    edit(store, f"UPDATE sessions SET status = 'open' WHERE id = '{run.id}/0.0.7'")
    (tmp_path / "weighing.py").write_text("def weight(bias):\n    return 0.02\n")
    with pytest.raises(BadParameter, match=r"mine.py:coins was changed \(digest .*--amend"):
        conduct(study, store=store)
    with pytest.raises(BadFile, match=r"was begun with other files: ./mine.py:coins was changed"):
        resume_run(run.id, store=store)
    amend(study, "The coins were too fair", store=store)
    assert conduct(study, store=store).finished
    (amendment,) = registration_of("coins", store=store).amendments
    assert "The coins were too fair. ./mine.py:coins was changed" in amendment.sentence
    analysis = analyse(study, store=store)
    kinds = [left.kind for left in analysis.left_out]
    assert kinds.count("taken after the test or a subject was changed") == 1
    assert len(store.sessions.of(store.runs.all()[2].id)) == 1


def test_more_sessions_by_amendment_are_exploratory(store, study):
    more = coins(sessions=60, hypotheses=LESS)
    with pytest.raises(BadParameter, match="--amend"):
        conduct(more, store=store)
    amend(more, "Undecided so far.", store=store)
    assert [state.counts for state in conduct(more, store=store).cells] == [{"finished": 60}] * 2
    runs = progress_of(more, store=store).cells[0].runs
    assert [one.address.session for head in runs for one in store.sessions.of(head.id)] == list(range(60))
    analysis = analyse(more, store=store)
    (tested,) = analysis.planned
    assert (tested.verdict, tested.difference.n) == ("supported", 8)
    assert any("has 52 sessions beyond the 8 of the plan" in words for words in analysis.deviations)
    asked = [one for one in analysis.exploratory if one.name == "H1"]
    assert [(one.verdict, one.difference.n) for one in asked] == [("not registered", 60)]
    assert not analyse(study, store=store).deviations[2:], "the registered plan is given, and only n was passed"


def test_people_who_begin_with_a_changed_test_are_told_of_in_the_analysis(store, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(TEST.replace("from weighing import weight", "weight = float"))
    study = coins(test="./mine.py:coins", casts={"stated": "human", "half": "constant:0.5"})
    conduct(study, store=store)
    invite(study, 2, store=store)
    people = next(head for head in store.runs.all() if "human" in head.cast.values())
    first, second = (one.id for one in store.sessions.of(people.id))
    LiveSessions(store).act(first, lambda live: live.session.answer(0.5))
    assert analyse(study, store=store).deviations == []
    (tmp_path / "mine.py").write_text(TEST.replace("from weighing import weight", "weight = abs"))
    LiveSessions(store).act(second, lambda live: live.session.answer(0.5))
    (words,) = analyse(study, store=store).deviations
    assert words.startswith("Someone began a session though ./mine.py:coins was changed")
