"""Approval: what is shown of a call, what is decided, and which share was approved."""

import json

import pytest

from mensura.catalog.approval.dialogue import approval, shown
from mensura.running.take import take


@pytest.mark.parametrize(("who", "value"), [("always", 1.0), ("never", 0.0)])
def test_the_share_of_calls_that_were_approved(who, value):
    decided = approval.subjects[who]()
    left = ["first", "second"]

    def applicant(ask):
        if "want" not in ask.space.tools:
            return {"call": "withdraw", "arguments": {}}
        if not left:
            return {"call": "done", "arguments": {}}
        arguments = {"who": "llm:m", "item": "", "tool": left.pop(0), "arguments": "{}"}
        return {"call": "want", "arguments": arguments}

    taken = take(approval, {"approver": decided, "applicant": applicant}, seed=1)
    assert taken.record.status == "finished"
    answers = [one for one in taken.record.answers if one.role == "approver" and one.status == "answered"]
    found = approval.score(taken.record, {})["approved"]
    assert list(found.values) == [value] * len(answers)
    assert len(answers) == 2


def test_nothing_in_a_call_is_read_as_markdown():
    code = "```\n# A heading\n````\n<b>x</b>"
    text = shown({"who": "a`b", "item": "", "tool": "run", "arguments": json.dumps({"code": code, "deep": {"n": [1]}})})
    assert f"`````\n{code}\n`````" in text
    assert "`` a`b ``" in text
    assert '"n": [' in text
    assert "without arguments" in shown({"who": "m", "item": "", "tool": "t", "arguments": "{}"})
    assert "no JSON" in shown({"who": "m", "item": "", "tool": "t", "arguments": "no JSON"})
