"""A test as a server of the Model Context Protocol: its acts are tools, so that any agent can be plugged in."""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from typing import Any

from mensura.dialogue import Ask, Refused, Wait
from mensura.errors import MensuraError, MissingExtra
from mensura.signals import ended_by_signals
from mensura.subjects.outside.bridge import Abandoned, Bridge

QUESTION, ANSWER, DECLINE, LAPSE = "question", "answer", "decline", "let_lapse"
HOW = (
    "This server is a test that you take by calling its tools. Each call is one act: it is recorded and may cost time "
    f"in the test. Its result says what came of it and what is asked next. `{QUESTION}` shows what is asked now and "
    "costs nothing. Begin with it."
)
NO_AGENT = (
    "No agent is connected, and nothing was stored: the program that runs the agent starts `mensura mcp` itself and "
    "speaks with it over stdin and stdout. docs/subjects.md shows the entry for its settings."
)
PARTING_SECONDS = 5.0
"""How long another subject of the session may still think when a signal ends the server."""


def serve_session(
    work: Callable[[], None], bridge: Bridge, *, about: str, ready: Callable[[], None] = lambda: None
) -> None:
    """Drive a session in a thread of its own while an agent at the other end of stdin and stdout answers.

    Returns when the agent has closed its end, or on SIGINT or SIGTERM. An unfinished session then stays open in the
    store; where no agent connected, nothing was begun.

    Parameters
    ----------
    work
        Drives the session with `bridge` as the subject; begun when the agent first wants to know something.
    about
        What the test is, for the agent.
    ready
        Called once the agent can be heard.

    Raises
    ------
    MensuraError
        If stdin ended before an agent connected.
    """
    failures: list[BaseException] = []
    connected = Event()

    def drive() -> None:
        if not bridge.wanted():
            return
        connected.set()
        try:
            work()
        except Abandoned:
            return
        except MensuraError as error:
            failures.append(error)
            bridge.stop(str(error))
        except BaseException as error:
            failures.append(error)
            bridge.stop("The test has a fault; the session ends here.")
            raise

    driving = Thread(target=drive, name="session", daemon=True)
    driving.start()
    told = Event()
    try:
        # A shell may start us without any stdin.
        if sys.stdin is not None:
            close = _stdin_that_closes()

            def end() -> None:
                told.set()
                close()

            with ended_by_signals(end):
                _serve(bridge, about, ready)
    finally:
        bridge.abandon()
        driving.join(PARTING_SECONDS if told.is_set() else None)
    if failures:
        raise failures[0]
    if not connected.is_set() and not told.is_set():
        raise MensuraError(NO_AGENT)


def tools_of(ask: Ask | None) -> dict[str, tuple[str, dict[str, Any]]]:
    """Return the tools by which an ask is answered: name → what it does, and the JSON schema of its arguments.

    >>> from mensura.dialogue import Probability
    >>> list(tools_of(Ask("Heads?", Probability(), until=60)))
    ['question', 'answer', 'decline', 'let_lapse']
    """
    offered = {QUESTION: ("Show what is asked now. No act: it costs nothing and is not recorded.", _taking())}
    if ask is None or ask.space is None:
        return offered
    if ask.space.acts:
        # A world has its own acts, also one to wait with.
        return {**offered, **{name: (tool.about, tool.schema()) for name, tool in ask.space.acts.items()}}
    offered[ANSWER] = (f"Answer the question. {ask.space.hint()}", _taking(answer=ask.space.schema()))
    offered[DECLINE] = ("Decline to answer, and say why.", _taking(reason={"type": "string"}))
    if ask.until is not None:
        offered[LAPSE] = (f"Do nothing until the question lapses at {ask.until}.", _taking())
    return offered


def answer_of(ask: Ask | None, name: str, arguments: dict[str, Any]) -> Any:
    """Turn a call of a tool into an answer; what is wrong with it the space says, and the record keeps."""
    if ask is None or ask.space is None or ask.space.acts or name not in tools_of(ask):
        return {"call": name, "arguments": arguments}
    if name == DECLINE:
        return Refused(str(arguments.get("reason", "")))
    return Wait() if name == LAPSE else arguments.get(ANSWER)


def _taking(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _stdin_that_closes() -> Callable[[], None]:
    """Put a pipe in the place of stdin, and return what ends it.

    A thread that reads stdin itself cannot be told to stop, and what waits for it would wait for the agent.
    """
    reading, writing = os.pipe()
    theirs = os.dup(0)
    os.dup2(reading, 0)
    os.close(reading)
    pipe = os.fdopen(writing, "wb", buffering=0)

    def pass_on() -> None:
        with pipe, suppress(OSError, ValueError):
            while data := os.read(theirs, 65536):
                while data:
                    data = data[pipe.write(data) :]

    Thread(target=pass_on, name="stdin", daemon=True).start()
    return pipe.close


def _serve(bridge: Bridge, about: str, ready: Callable[[], None]) -> None:
    try:
        import anyio
        from mcp import types
        from mcp.server import NotificationOptions, Server
        from mcp.server.stdio import stdio_server
    except ImportError:
        raise MissingExtra("Servers of the Model Context Protocol", package="mcp", extra="mcp") from None
    turn = anyio.Lock()

    async def list_tools(context: Any, parameters: Any) -> Any:
        await anyio.to_thread.run_sync(bridge.look)
        offered = tools_of(bridge.ask)
        return types.ListToolsResult(
            tools=[
                types.Tool(name=name, description=about, input_schema=schema)
                for name, (about, schema) in offered.items()
            ]
        )

    async def call_tool(context: Any, parameters: Any) -> Any:
        # One at a time: an act is an answer to what is asked now.
        async with turn:
            if parameters.name == QUESTION:
                return _result(types, True, await anyio.to_thread.run_sync(bridge.first))
            await anyio.to_thread.run_sync(bridge.first)
            before = bridge.ask
            answer = answer_of(before, parameters.name, parameters.arguments or {})
            taken, words = await anyio.to_thread.run_sync(bridge.give, answer)
            if list(tools_of(before)) != list(tools_of(bridge.ask)):
                await context.session.send_tool_list_changed()
            return _result(types, taken, words)

    server: Any = Server("mensura", instructions=f"{about}\n\n{HOW}", on_list_tools=list_tools, on_call_tool=call_tool)

    async def main() -> None:
        options = server.create_initialization_options(NotificationOptions(tools_changed=True))
        async with stdio_server() as (reading, writing):
            ready()
            await server.run(reading, writing, options)

    anyio.run(main)


def _result(types: Any, taken: bool, words: str) -> Any:
    return types.CallToolResult(content=[types.TextContent(type="text", text=words)], is_error=not taken)
