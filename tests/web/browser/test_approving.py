"""A person approves in a real Chromium of what a language model wants to do with its tools."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from queue import Queue
from threading import Thread
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from mensura.dialogue import Ask, Probability, test
from mensura.running.run import RunOptions, run
from mensura.store import open_store
from tests.subjects.model.scripted import answered, model_server, said

TOOLS = '''
def note(text: str) -> str:
    """Write something down."""
    return "noted"


tools = [note]
'''
WANTED = "rm -rf ./everything  # **bold** <b>tag</b>\n```\n" + "a long line that does not end " * 8


@test("even-v1")
def even(rng):
    """Say the chance of heads."""
    yield Ask("Heads?", Probability(), key="heads")


def noting(request):
    if request["messages"][-1]["role"] == "tool":
        return answered(0.5)
    body = said(None, finish="tool_calls")
    function = {"name": "note", "arguments": json.dumps({"text": WANTED})}
    body["choices"][0]["message"]["tool_calls"] = [{"id": "c1", "type": "function", "function": function}]
    return body


@pytest.fixture
def running(home, tmp_path, monkeypatch):
    """Give what starts a run of a model in a thread, and gives the link of its desk and what comes of it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(TOOLS)
    threads = []

    with model_server(noting) as server:
        name = f"llm:small@{server.url}#tools=./mine.py:tools#approve=human"

        def start(sessions):
            paths, results = Queue(), Queue()

            def work():
                with open_store(home[1]) as store:
                    done = run(even, name, store=store, sessions=sessions, options=RunOptions(show_desk=paths.put))
                    heads = store.sessions.of(done.head.id)
                    results.put([store.records.find(head.id).answers[0] for head in heads])

            threads.append(Thread(target=work, daemon=True))
            threads[-1].start()
            return SimpleNamespace(path=paths.get(timeout=120)), results, server

        yield start
    for thread in threads:
        thread.join(60)


def pictured(page, name):
    """Keep a picture where someone wants to look at it."""
    if folder := os.environ.get("MENSURA_PICTURES"):
        page.screenshot(path=Path(folder, f"approving-{name}-{page.viewport_size['width']}.png"), full_page=True)


def test_a_person_sees_who_wants_what_and_decides_by_keyboard(running, people, size, faults_of):
    link, results, server = running(sessions=2)
    page = people(link, size=size)
    approve = page.get_by_role("button", name="Approve")
    expect(approve).to_be_visible()
    shown = page.locator(".prompt")
    expect(shown).to_contain_text("llm:small@")
    expect(shown).to_contain_text("note")
    # Just as it was written: neither Markdown nor HTML of the model's is read.
    expect(shown).to_contain_text("rm -rf ./everything  # **bold** <b>tag</b>")
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert faults_of(page) == []
    assert len(server.requests) == 1
    pictured(page, "asked")
    page.get_by_label("Reason").first.focus()
    page.keyboard.type("That removes everything.")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Refuse")).to_be_focused()
    page.keyboard.press("Enter")
    # The second item asks; the first was told why not.
    expect(approve).to_be_visible()
    expect(page.locator("article[data-key=decision2]")).to_be_visible()
    assert "That removes everything." in server.requests[1]["messages"][-1]["content"]
    approve.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("No more calls are wanted")).to_be_visible()
    pictured(page, "over")
    first, second = results.get(timeout=120)
    assert [one.notes["tools"][0]["approval"]["decision"] for one in (first, second)] == ["reject", "approve"]
    assert first.notes["tools"][0]["approval"]["reason"] == "That removes everything."
    assert second.notes["tools"][0]["result"] == "noted"


@pytest.mark.proof
@pytest.mark.parametrize(
    ("verb", "locale", "question", "over"),
    [
        ("run", "de-DE", "Darf dieses Werkzeug aufgerufen werden?", "Es sind keine Aufrufe mehr gewünscht"),
        ("take", "es-ES", "¿Se puede llamar a esta herramienta?", "No se solicitan más llamadas"),
    ],
)
def test_the_verbs_open_a_page_where_calls_are_approved(verb, locale, question, over, browser, tmp_path):
    (tmp_path / "mine.py").write_text(TOOLS)
    with model_server(noting) as server:
        name = f"llm:small@{server.url}#tools=./mine.py:tools#approve=human"
        words = [verb, "coin", "--flips", "1", "--as", name, "--store", "x.db"]
        # No browser of the machine's own comes up: the link is read as a person would read it.
        environment = {**os.environ, "BROWSER": "true", "PYTHONUNBUFFERED": "1"}
        command = [sys.executable, "-m", "mensura.cli.main", *words]
        started = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True)
        page = browser.new_page(locale=locale)
        try:
            said = iter(started.stderr.readline, "")
            link = next(found[0] for line in said if (found := re.search(r"http://\S+/p/\S+", line)))
            page.goto(link)
            expect(page.locator(".prompt")).to_contain_text(question)
            expect(page.locator(".about").first).not_to_have_text("The tool is called now, with these arguments.")
            pictured(page, verb)
            page.get_by_role("button", name="Approve").click()
            expect(page.get_by_text(over).first).to_be_visible()
            assert started.wait(timeout=120) == 0
        finally:
            page.close()
            started.kill()
            started.wait()
            started.stderr.close()
    with open_store(str(tmp_path / "x.db")) as store:
        (taken,) = store.runs.all("coin-v1")
        (session,) = store.sessions.of(taken.id)
        (called,) = store.records.find(session.id).answers[0].notes["tools"]
    assert (called["approval"]["decision"], called["result"]) == ("approve", "noted")
