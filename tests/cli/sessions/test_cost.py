"""What a person reads of costs: before a run, when its budget stops it, and when replies are refused."""

import json

import pytest


@pytest.fixture
def bank(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [{"prompt": f"Is {number} a number?", "options": ["yes", "no"], "answer": "yes"} for number in range(12)]
    (tmp_path / "items.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return "./items.jsonl"


@pytest.fixture
def subject(chat_model):
    chat_model.answer = lambda request: "yes"
    return f'{chat_model.name}#price_in=1#price_out=1000#settings={{"max_tokens":20}}'


def test_a_pilot_is_measured_stored_and_gone_on_with_within_a_budget(mensura, bank, subject, chat_model):
    dry = mensura("run", bank, "--as", subject, "--dry-run", "--pilot", "5", "--seed", "1", "--json")
    assert (dry.status, dry.json["sessions"]) == (0, 12)
    assert dry.json["tokens_in"]["value"] == pytest.approx(120)
    assert dry.json["cost"]["value"] == pytest.approx(12 * 0.00501)
    assert f"Next, to take the other sessions: mensura resume {dry.json['run']}" in dry.err
    capped = mensura("resume", "last", "--concurrency", "4", "--max-cost", "0.07")
    assert capped.status == 3
    assert "Stopped before the budget of 0.07 would be passed" in capped.err
    assert len(chat_model.requests) < 12
    rest = mensura("resume", "last", "--concurrency", "4", "--max-cost", "1", "--json")
    assert (rest.status, len(chat_model.requests)) == (0, 12)
    assert rest.json["spent"]["cost"] == pytest.approx(12 * 0.00501)


def test_an_invalid_reply_is_shown_with_the_reason(mensura, bank, subject, chat_model):
    chat_model.answer = lambda request: "perhaps"
    done = mensura("run", bank, "--as", subject, "--limit", "1", "--cache", "answers")
    assert "3 invalid answers in a row from subject. The last one: Choose one of yes, no; got 'perhaps'" in done.err
    mensura("run", bank, "--as", subject, "--limit", "1", "--cache", "answers")
    assert len(chat_model.requests) == 3
    assert "cached 3" in mensura("show").out


def test_ways_in_which_sessions_ended_and_that_are_not_shown_are_counted(mensura, bank, subject, chat_model):
    chat_model.answer = lambda request: f"reply {len(chat_model.requests)}"
    done = mensura("run", bank, "--as", subject, "--limit", "7")
    ends = [line for line in done.err.splitlines() if line.startswith("  ") and "3 invalid answers in a row" in line]
    assert len(ends) == 5
    assert "Sessions ended in 2 more ways" in done.err


def test_what_cannot_be_is_said_in_a_sentence(mensura, bank, subject):
    assert "--dry-run --pilot 20" in mensura("run", bank, "--as", subject, "--pilot", "5").err
    assert "--cache epochs" in mensura("run", bank, "--as", subject, "--sessions", "2", "--cache", "on").err
    assert "there are none here" in mensura("run", bank, "--as", "chance", "--max-cost", "1").err
