"""A scripted server of chat completions in a process of its own: it gives the same answer after so many seconds."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SERVER = r"""
import asyncio, json, sys
CHOICE = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": json.dumps({"answer": "a"})}}
USAGE = {"prompt_tokens": 50, "completion_tokens": 5, "total_tokens": 55}
BODY = {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [CHOICE], "usage": USAGE}
SAID = json.dumps(BODY).encode()
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(SAID)

async def answer(reader, writer):
    try:
        while True:
            lines = (await reader.readuntil(b"\r\n\r\n")).lower().split(b"\r\n")
            sizes = [int(one.split(b":")[1]) for one in lines if one.startswith(b"content-length")]
            await reader.readexactly(sizes[0])
            await asyncio.sleep(float(sys.argv[1]))
            writer.write(HEAD + SAID)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()

async def main():
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()

asyncio.run(main())
"""


@contextmanager
def serving(seconds: float) -> Iterator[str]:
    """Start the server; gives its address."""
    server = subprocess.Popen([sys.executable, "-c", SERVER, str(seconds)], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        yield f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
    finally:
        server.terminate()
        server.wait()


def write_items(path: Path, items: int) -> None:
    """Write questions with two options as a bank."""
    with path.open("w") as file:
        for number in range(items):
            right = "b" if number % 3 == 0 else "a"
            line = {"prompt": f"Item {number}: is it a or b?", "options": ["a", "b"], "answer": right}
            print(json.dumps(line), file=file)


def run_command(bank: Path, url: str, *, at_once: int) -> list[str]:
    """Return the command that lets the model take a bank, with a store beside it."""
    words = ["run", f"./{bank.name}", "--as", f"llm:m@{url}", "--concurrency", str(at_once), "--store", "speed.db"]
    return [sys.executable, "-m", "mensura.cli.main", *words, "--json"]
