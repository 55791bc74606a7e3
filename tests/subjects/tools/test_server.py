"""Servers of the Model Context Protocol as tools: a program in the sandbox, and one at an address."""

import asyncio
import socket
import sys
from threading import Thread

import pytest

from mensura.errors import SubjectCrashed, SubjectLost
from mensura.subjects.loop import event_loop, wait_for
from mensura.subjects.outside.bounds import Bounds
from mensura.subjects.sandbox.command import Command
from mensura.subjects.tools.server import ToolServer

pytest.importorskip("mcp", reason="the extra mcp is not installed")

SERVER = '''
import asyncio
import os

from mcp.server.mcpserver import MCPServer

server = MCPServer("clerk")
kept = []


@server.tool()
def keep(words: str) -> str:
    """Keep words."""
    kept.append(words)
    return f"{len(kept)} kept"


@server.tool()
async def misbehave(how: str) -> str:
    """Go wrong."""
    if how == "sleep":
        await asyncio.sleep(600)
    if how == "leave":
        os._exit(3)
    raise ValueError("no")
'''


def called(kit, name, **arguments):
    return wait_for(kit.call(name, arguments))


def ended(kit):
    """Let a server go, and wait until it is gone."""

    async def waited():
        held = kit._held
        kit.close()
        await asyncio.wait([held], timeout=120)
        return held.done()

    return wait_for(waited())


def test_a_program_offers_its_tools_and_keeps_its_state_for_a_session(tmp_path):
    (tmp_path / "server.py").write_text(SERVER + "\n\nserver.run()\n")
    command = Command.read([sys.executable, "server.py"], folder=tmp_path)
    kit = ToolServer("program:server.py", command, seconds=2.0)
    offered = {tool.name: tool for tool in wait_for(kit.offer())}
    assert list(offered) == ["keep", "misbehave"]
    assert offered["keep"].about == "Keep words."
    assert offered["keep"].schema["required"] == ["words"]
    assert [called(kit, "keep", words="a").words, called(kit, "keep", words="b").words] == ["1 kept", "2 kept"]
    assert called(kit, "keep", word=1).fault == "raised"
    assert "misbehave" in called(kit, "misbehave", how="raise").words
    assert called(kit, "misbehave", how="leave").fault == "raised"
    # The next call meets a new server.
    assert called(kit, "keep", words="c").words == "1 kept"
    assert called(kit, "misbehave", how="sleep").fault == "timed out"
    assert ended(kit)


def test_a_program_that_is_no_server_is_a_failure_with_its_last_words(tmp_path):
    (tmp_path / "server.py").write_text("raise SystemExit('I am no server')")
    command = Command.read([sys.executable, "server.py"], folder=tmp_path)
    kit = ToolServer("program:server.py", command, seconds=1.0, bounds=Bounds(start_seconds=20))
    with pytest.raises(SubjectCrashed, match=r"program:server\.py cannot be used") as failure:
        wait_for(kit.offer())
    assert "I am no server" in failure.value.last_words


def test_a_server_at_an_address_is_reached_and_one_that_is_out_is_lost():
    import uvicorn

    names = {"__name__": "served"}
    exec(SERVER, names)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        app = names["server"].streamable_http_app()
        web = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        serving = Thread(target=web.run, kwargs={"sockets": [listening]})
        serving.start()
        kit = ToolServer(address, address, seconds=5.0)
        try:
            assert [tool.name for tool in wait_for(kit.offer())] == ["keep", "misbehave"]
            assert called(kit, "keep", words="a").words == "1 kept"
        finally:
            assert ended(kit)
            web.should_exit = True
            serving.join()
    with pytest.raises(SubjectLost, match="cannot be used"):
        wait_for(ToolServer(address, address, seconds=1.0).offer())
    assert event_loop().is_running()
