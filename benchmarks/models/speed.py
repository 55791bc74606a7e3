"""Items by a model that takes 50 ms to answer: ours beside Inspect AI, in one run on one machine.

Inspect runs where `make inspect` has installed it (`.venv-inspect`); without it only ours is measured. Both ask 1 000
items with 64 connections and keep logs; processor time is that of the whole command, imports included.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ITEMS = 1000
AT_ONCE = 64
SECONDS = 0.05
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
    await asyncio.sleep(600)

asyncio.run(main())
"""
TASK = """
from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset, Sample
from inspect_ai.scorer import includes
from inspect_ai.solver import generate

@task
def items():
    return Task(json_dataset("inspect.jsonl"), solver=generate(), scorer=includes())
"""


def main() -> None:
    """Print wall and processor seconds of both, and their ratios."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        _write_items(place)
        server = subprocess.Popen([sys.executable, "-c", SERVER, str(SECONDS)], stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            url = f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
            print(f"{ITEMS} items, {AT_ONCE} at once, server of {1000 * SECONDS:g} ms; load {os.getloadavg()[0]:.1f}")
            ours = _measure("mensura", _ours(url), place)
            peer = Path(".venv-inspect/bin/inspect").absolute()
            if not peer.exists():
                print("Inspect AI is not installed: `make inspect` installs it.")
                return
            theirs = _measure("inspect-ai", _theirs(str(peer), url), place)
            print(f"ours / theirs: wall {ours[0] / theirs[0]:.2f}, processor time {ours[1] / theirs[1]:.2f}")
        finally:
            server.terminate()
            server.wait()


def _ours(url: str) -> list[str]:
    words = ["run", "./items.jsonl", "--as", f"llm:m@{url}", "--concurrency", str(AT_ONCE), "--store", "speed.db"]
    return [sys.executable, "-m", "mensura.cli.main", *words, "--json"]


def _theirs(inspect: str, url: str) -> list[str]:
    words = ["eval", "task.py", "--model", "openai-api/local/m", "--max-connections", str(AT_ONCE), "--display", "none"]
    return ["env", "LOCAL_API_KEY=none", f"LOCAL_BASE_URL={url}", inspect, *words]


def _measure(name: str, command: list[str], folder: Path) -> tuple[float, float]:
    began = time.perf_counter()
    before = os.times()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    wall, after = time.perf_counter() - began, os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    if done.returncode:
        sys.exit(f"{name} ended with {done.returncode}: {done.stderr[-2000:] or done.stdout[-2000:]}")
    print(f"{name:12} wall {wall:6.2f} s   processor {spent:6.2f} s")
    return wall, spent


def _write_items(folder: Path) -> None:
    (folder / "task.py").write_text(TASK)
    with (folder / "items.jsonl").open("w") as ours, (folder / "inspect.jsonl").open("w") as theirs:
        for number in range(ITEMS):
            question, right = f"Item {number}: is it a or b?", "b" if number % 3 == 0 else "a"
            print(json.dumps({"prompt": question, "options": ["a", "b"], "answer": right}), file=ours)
            print(json.dumps({"input": question, "target": right}), file=theirs)
