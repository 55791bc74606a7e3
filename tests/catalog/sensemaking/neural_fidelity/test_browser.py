"""Neural fidelity on web pages, every role in a real browser: raters, the manager and an expert, to the reports."""

import json

import pytest
import yaml
from click.testing import CliRunner

from mensura.catalog.sensemaking.neural_fidelity.dialogue import neural_fidelity
from mensura.cli.main import cli

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SUBMISSION = {
    "performer": "Acme Labs",
    "model": "Cogito",
    "month": 23,
    "components": [
        {
            "system": "Parietal Cortex",
            "description": "Cogito integrates evidence by a ramp of firing rates.",
            "functions": ["evidence integration"],
            "integrated_with": ["Temporal Cortex"],
            "claims": [{"text": "Firing ramps with evidence.", "citations": ["Shadlen & Newsome 2001"]}],
        },
        {
            "system": "Temporal Cortex",
            "description": "Objects are rows of a table, looked up by key.",
            "functions": ["object representation"],
            "integrated_with": ["Parietal Cortex"],
            "claims": ["It is fast."],
        },
    ],
}
GOOD = {"implausible": "no", "functional": "no", "simplified": "yes", "evidence": "yes"}
POOR = {"implausible": "yes", "structure": "fail"}


def _mensura(store, *arguments):
    done = CliRunner().invoke(cli, [*map(str, arguments), "--store", store.url], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def _take(page, address, answer):
    """Answer everything on the pages of a link; `answer` is given the key of an ask and what the page says."""
    page.goto(address)
    seen = []
    for _ in range(200):
        page.wait_for_selector("main[data-ready]:has([data-ask]), main[data-kind]:not(:has([data-ask]))")
        kind = page.get_attribute("main", "data-kind")
        if kind == "over":
            return seen
        if kind != "ask":
            page.click(f'main[data-kind="{kind}"] button:visible')
            page.wait_for_function("(kind) => document.querySelector('main').dataset.kind !== kind", arg=kind)
            continue
        number, key = (page.get_attribute("[data-ask]", name) for name in ("data-ask", "data-key"))
        text = page.inner_text("main")
        seen.append(text)
        _give(page, answer(key, text))
        page.click("form[data-answer] button.primary")
        page.wait_for_function("(number) => !document.querySelector(`[data-ask='${number}']`)", arg=number)
    raise AssertionError("The pages did not end.")


def _give(page, value):
    if page.query_selector("form[data-answer] textarea"):
        page.fill("form[data-answer] textarea", value)
    else:
        page.click(f'form[data-answer] label:has(input[value="{value}"])')


def _rate(lab, browser, name, answer):
    """Every rater of a panel rates everything by their link; gives what they saw."""
    store, home, _ = lab
    links = json.loads(_mensura(store, "panel", "invite", name, "--url", home, "--json"))
    seen = []
    for link in links:
        page = browser.new_page()
        seen += _take(page, link["link"], answer)
        page.close()
    return seen


def test_a_submission_goes_through_raters_manager_and_expert_to_a_detailed_report(lab, browser, tmp_path):
    from mensura.web.participant.invitation import Frame, invite

    store, home, page = lab
    submission = tmp_path / "model.yaml"
    submission.write_text(yaml.safe_dump(SUBMISSION))
    out = tmp_path / "panels"
    done = CliRunner().invoke(
        cli,
        ["generate", "neural-fidelity", "--submission", str(submission), "--out", str(out), "--rater", "Ada",
         "--rater", "Ben"],
        catch_exceptions=False,
    )  # fmt: skip
    assert done.exit_code == 0

    # The preliminary panel grades fidelity and completeness, anatomical and functional.
    _mensura(store, "panel", "create", out / "preliminary.yaml")

    def grade(key, text):
        if key.endswith("comment"):
            return "Conflict monitoring is missing."
        return "2" if "rows of a table" in text else "4"

    seen = _rate(lab, browser, "preliminary-month-23", grade)
    assert len(seen) == 2 * 2 * 5
    assert not any("Acme" in text or "Cogito" in text for text in seen)
    (tmp_path / "preliminary.json").write_text(_mensura(store, "panel", "close", "preliminary-month-23", "--json"))
    first = json.loads(
        _mensura(store, "score", "neural-fidelity", "--submission", submission, "--preliminary",
                 tmp_path / "preliminary.json", "--json", "--report", tmp_path / "first.html")
    )  # fmt: skip
    grades = {row["component"]: set(row["grades"].values()) for row in first["components"]}
    assert grades == {"Parietal Cortex": {4}, "Temporal Cortex": {2}}

    # The detailed panel passes or fails.
    _mensura(store, "panel", "create", out / "detailed.yaml")

    def judge(key, text):
        item = key.rpartition("/")[2]
        if item == "comment":
            return "A table is no mechanism." if "rows of a table" in text else ""
        poor = POOR if "rows of a table" in text else {}
        return poor.get(item) or GOOD.get(item) or "pass"

    _rate(lab, browser, "detailed-month-23", judge)
    (tmp_path / "detailed.json").write_text(_mensura(store, "panel", "close", "detailed-month-23", "--json"))
    scoring = ("score", "neural-fidelity", "--submission", submission, "--panel", tmp_path / "detailed.json")
    advised = json.loads(_mensura(store, *scoring, "--json"))
    assert {row["component"]: row["pass"] for row in advised["advice"]} == {
        "Parietal Cortex": True,
        "Temporal Cortex": False,
    }
    assert advised["standing"]["rests_on"] == "the panel's advice"

    # The manager decides, an expert reviews, each by a link of their own.
    parameters = {"submission": str(submission), "panel": str(tmp_path / "detailed.json")}
    head, links = invite(neural_fidelity, "human", store=store, seed=1, parameters=parameters, frame=Frame())
    by_role = {link.role: home + link.path for link in links}
    assert set(by_role) == {"manager", "reviewer 1"}
    expert = browser.new_page()
    page.goto(by_role["manager"])
    expert.goto(by_role["reviewer 1"])
    _decide(page, expert)
    expert.close()
    record = store.records.find(links[0].session)
    assert record.status == "finished", record.last_words

    # The detailed report, and the performer's copy, which only the manager can let go.
    report = tmp_path / "out.html"
    _mensura(store, *scoring, "--decision", head.id, "--for-performer", "--report", report)
    page.goto(report.as_uri())
    rows = {
        row.query_selector("td").inner_text(): row.inner_text()
        for row in page.query_selector_all("table >> nth=0 >> tr")[1:]
    }
    assert "fail" in rows["Temporal Cortex"]
    assert "It is biologically implausible." in rows["Temporal Cortex"]
    assert "reviewer 1: object" in rows["Temporal Cortex"]
    assert "reviewer 1: concur" in rows["Parietal Cortex"]
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    text = page.inner_text("body")
    assert "Month 23: not met, by the manager's decisions" in text
    assert "Temporal Cortex\tIt is fast." in text
    assert "A table is no mechanism." in text
    assert "Krippendorff" in text or "cannot be told" in text


def _decide(manager, expert):
    """Manager and expert take turns until there is nothing more to decide."""
    for _ in range(2):
        name = _answered(manager, lambda key: "fail" if "Temporal" in key else "pass")
        _answered(manager, lambda key: "By the evidence.")
        _answered(expert, lambda key: "object" if "Temporal" in key else "concur")
        assert name
    assert _answered(manager, lambda key: "share") == "sharing"
    manager.wait_for_selector("main:not(:has([data-ask]))")


def _answered(page, answer):
    page.wait_for_selector("main[data-ready] [data-ask]")
    number, key = (page.get_attribute("[data-ask]", name) for name in ("data-ask", "data-key"))
    _give(page, answer(key))
    page.click("form[data-answer] button.primary")
    page.wait_for_function("(number) => !document.querySelector(`[data-ask='${number}']`)", arg=number)
    return key
