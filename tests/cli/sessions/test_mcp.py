"""Tests served over the Model Context Protocol, driven by the protocol's own client through a real process."""

import os
import subprocess
import sys

import pytest

from mensura.store import open_store

mcp = pytest.importorskip("mcp", reason="the extra mcp is not installed")
anyio = pytest.importorskip("anyio")

PATIENCE_SECONDS = 120

DICE = '''
from mensura.dialogue import Ask, Choice, test

FACES = Choice(tuple("123456"))


@test("dice-v1")
def dice(rng, *, rolls: int = 3):
    """Say what a die shows."""
    for i in range(rolls):
        yield Ask(f"Roll {i}?", FACES, key=f"roll{i}", truth=str(rng.integers(1, 7)))
'''


@pytest.fixture
def agent(tmp_path, in_a_loop):
    """Run a conversation with `mensura mcp`, as an agent that speaks the protocol would."""
    (tmp_path / "dice.py").write_text(DICE)

    def talk(words, conversation):
        async def main():
            server = mcp.StdioServerParameters(
                command=sys.executable,
                args=["-m", "mensura.cli.main", "mcp", *words, "--store", "lab.db"],
                cwd=tmp_path,
                # The client hands over little of its own environment; where keys lie is part of it here.
                env={"XDG_STATE_HOME": os.environ["XDG_STATE_HOME"]},
            )
            with open(tmp_path / "words.txt", "w") as words_of_server:
                async with (
                    mcp.stdio_client(server, errlog=words_of_server) as (reading, writing),
                    mcp.ClientSession(reading, writing) as session,
                ):
                    hello = await session.initialize()
                    with anyio.fail_after(60):
                        await conversation(session, hello)

        in_a_loop(main)
        with open_store(str(tmp_path / "lab.db")) as store:
            head = store.runs.find("last")
            (session,) = store.sessions.of(head.id)
            record = store.records.find(session.id)
            results = store.results.of(head.id)
        return head, record, results, (tmp_path / "words.txt").read_text()

    return talk


def text(result):
    return result.content[0].text


def test_a_question_is_answered_by_one_tool_and_the_session_is_scored(agent):
    async def conversation(session, hello):
        assert "Say what a die shows." in hello.instructions
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        assert list(tools) == ["question", "answer", "decline"]
        assert tools["answer"].input_schema["properties"]["answer"]["enum"] == list("123456")
        assert text(await session.call_tool("question", {})) == "Roll 0?"
        assert text(await session.call_tool("answer", {"answer": "3"})) == "Roll 1?"
        wrong = await session.call_tool("answer", {"answer": "7"})
        assert wrong.is_error
        assert "not valid" in text(wrong)
        assert text(wrong).endswith("Roll 1?")
        assert (await session.call_tool("swim", {"answer": "1"})).is_error
        await session.call_tool("answer", {"answer": "4"})
        last = await session.call_tool("answer", {"answer": "5"})
        assert not last.is_error
        assert "over" in text(last)
        assert (await session.call_tool("answer", {"answer": "5"})).is_error

    head, record, results, words = agent(["./dice.py:dice", "--seed", "1", "--name", "guesser"], conversation)
    assert record.status == "finished"
    assert record.given() == {"roll0": "3", "roll1": "4", "roll2": "5"}
    assert record.cast == {"subject": "guesser"}
    assert record.answers[1].invalid == 2
    assert len(results) == 1
    assert "Scored:" in words
    assert f"mensura score {head.id}" in words


def test_an_agent_has_the_limits_of_every_subject(agent):
    async def conversation(session, hello):
        for _ in range(3):
            await session.call_tool("answer", {"answer": "7"})
        assert (await session.call_tool("answer", {"answer": "1"})).is_error

    _, record, _, _ = agent(["./dice.py:dice", "--answer-seconds", "30"], conversation)
    assert record.status == "invalid"
    assert {answer.status for answer in record.answers} == {"invalid"}


def test_an_agent_that_leaves_can_go_on_where_it_was(agent):
    async def begin(session, hello):
        await session.call_tool("answer", {"answer": "1"})

    async def finish(session, hello):
        assert text(await session.call_tool("question", {})) == "Roll 1?"
        await session.call_tool("answer", {"answer": "2"})
        await session.call_tool("answer", {"answer": "3"})

    head, record, results, words = agent(["./dice.py:dice"], begin)
    assert record.status == "open"
    assert not results
    assert f"--resume {head.id}" in words
    head, record, results, _ = agent(["./dice.py:dice", "--resume", "last"], finish)
    assert record.status == "finished"
    assert record.given() == {"roll0": "1", "roll1": "2", "roll2": "3"}
    assert len(results) == 1


def test_the_tools_are_the_acts_of_the_test_and_change_with_it(agent):
    async def conversation(session, hello):
        assert [tool.name for tool in (await session.list_tools()).tools] == ["question", "wait"]
        words = ""
        while "[m1]" not in words:
            words = text(await session.call_tool("wait", {}))
        assert [tool.name for tool in (await session.list_tools()).tools] == ["question", "file", "wait"]
        assert not (await session.call_tool("file", {"message": "m1", "folder": "bin"})).is_error
        wrong = await session.call_tool("file", {"message": "m99", "folder": "bin"})
        assert wrong.is_error

    _, record, _, _ = agent(["inbox", "--setting", "short", "--seed", "1"], conversation)
    filed = [
        answer.value for answer in record.answers if answer.status == "answered" and answer.value["call"] == "file"
    ]
    assert filed == [{"call": "file", "arguments": {"message": "m1", "folder": "bin"}}]


def test_time_runs_from_the_first_question_of_the_agent_and_its_end_is_said(agent):
    async def conversation(session, hello):
        await session.list_tools()
        # A host starts its servers long before the agent uses one.
        await anyio.sleep(3)
        assert text(await session.call_tool("question", {})) == "Roll 0?"
        await anyio.sleep(3)
        late = await session.call_tool("answer", {"answer": "1"})
        assert late.is_error
        assert text(late) == "Timed out: no answer within 2 s. The session is over."

    _, record, _, words = agent(["./dice.py:dice", "--answer-seconds", "2"], conversation)
    assert record.status == "timed_out"
    assert "Timed out: no answer within 2 s. Scored:" in words


@pytest.mark.parametrize("stdin", ["</dev/null", "<&-", "< nothing.txt"])
def test_without_an_agent_one_sentence_says_so_and_nothing_is_stored(tmp_path, mensura, stdin):
    (tmp_path / "nothing.txt").touch()
    words = f"{sys.executable} -m mensura.cli.main mcp coin --store lab.db {stdin}"
    done = subprocess.run(
        ["/bin/sh", "-c", words], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE_SECONDS
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "mensura: No agent is connected, and nothing was stored" in done.stderr
    assert "No runs are stored" in (listed := mensura("list", "runs", "--store", "lab.db")).out + listed.err


def test_one_role_is_the_agents_and_the_others_are_named(agent):
    async def conversation(session, hello):
        words = ""
        while "over" not in words:
            words = text(await session.call_tool("answer", {"answer": "cooperate"}))

    words = ["dilemma", "--role", "second", "--as", "first=tit-for-tat", "--seed", "1"]
    _, record, results, _ = agent(words, conversation)
    assert record.cast == {"first": "tit-for-tat", "second": "mcp"}
    assert record.status == "finished"
    assert len(results) == 1


def test_what_cannot_be_served_is_one_sentence(mensura):
    done = mensura("mcp", "coyn")
    assert done.status == 1
    assert "Did you mean coin" in done.err
