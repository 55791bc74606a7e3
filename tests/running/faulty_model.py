"""Faulty model: a server of chat completions with every fault, in a process of its own, which counts for itself."""

import asyncio
import json
import os
import re
import signal
import socket
from collections import Counter
from contextlib import contextmanager
from email.utils import formatdate
from http.client import HTTPConnection

PAST, FUTURE = "Sun, 06 Nov 1994 08:49:37 GMT", "Tue, 19 Jan 2124 03:14:07 GMT"


def said(content, *, finish="stop", usage=True, calls=()):
    """Make the body of a completion."""
    message = {"role": "assistant", "content": content}
    if calls:
        message["tool_calls"] = [
            {"id": f"c{place}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
            for place, (name, arguments) in enumerate(calls)
        ]
    counts = {"usage": {"prompt_tokens": 50, "completion_tokens": 5}} if usage else {}
    return 200, {"model": "small", "choices": [{"index": 0, "message": message, "finish_reason": finish}], **counts}, {}


YES = said('{"answer": "yes"}')
TRUNCATED = said('{"answer": "ye', finish="length")
CUT = (200, None, {})
"""A response that breaks off in the middle."""


def busy(after):
    """Refuse for a while."""
    return 429, {"error": "slow down"}, {"Retry-After": after}


FAULTS = {
    "fine": ([YES], "right", 1),
    "wrong": ([said('{"answer": "no"}')], "wrong", 1),
    "busy for seconds": ([busy("0.01"), YES], "right", 1),
    "busy until a date": ([busy(formatdate(usegmt=True)), YES], "right", 1),
    "busy until a date long past": ([busy(PAST), YES], "right", 1),
    "busy until a date far ahead": ([busy(FUTURE), YES], "right", 1),
    "server error": ([(500, {"error": "oops"}, {}), (503, {}, {}), YES], "right", 1),
    "content policy": ([(400, {"error": {"code": "content_policy_violation"}}, {})], "refused", 0),
    "content filter": ([said("", finish="content_filter")], "refused", 1),
    "empty": ([said("")], "invalid", 3),
    "truncated": ([TRUNCATED], "invalid", 3),
    "truncated once": ([TRUNCATED, YES], "right", 2),
    "duplicate calls": ([said(None, calls=[("answer", {"answer": "yes"})] * 2)], "right", 1),
    "no such tool": ([said(None, calls=[("fly", {})])], "invalid", 3),
    "error with status 200": ([(200, {"error": {"message": "upstream is gone"}}, {}), YES], "right", 1),
    "cut off": ([CUT, YES], "right", 1),
    "no usage": ([said('{"answer": "yes"}', usage=False)], "right", 1),
}
"""What becomes of a request → replies in turn, the last for ever; what comes of the item; how many are paid."""
NAMES = list(FAULTS)


def expected(items):
    """Count by the script what must come of so many items."""
    return Counter(FAULTS[NAMES[number % len(NAMES)]][1] for number in range(items))


class FaultyModel:
    """Answers by the number of the item, and counts what it was asked and what it gave whole answers to."""

    def __init__(self):
        self.asked = []
        self.tried = Counter()
        self.paid = Counter()
        self.refusing = 0

    def reply(self, request):
        number = int(re.search(r"Item (\d+)\?", json.dumps(request["messages"]))[1])
        self.asked.append(number)
        if self.refusing:
            return self.refusing, {"error": "not now"}, {}
        replies = FAULTS[NAMES[number % len(NAMES)]][0]
        reply = replies[min(self.tried[number], len(replies) - 1)]
        self.tried[number] += 1
        self.paid[number] += reply[0] == 200 and reply[1] is not None and "choices" in reply[1]
        return reply

    async def serve(self, reader, writer):
        """Speak HTTP, as far as it is needed."""
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                path = head.split(b" ", 2)[1].decode()
                length = re.search(rb"content-length: *(\d+)", head, re.IGNORECASE)
                body = await reader.readexactly(int(length[1])) if length else b""
                status, data, headers = self.reply(json.loads(body)) if body else self.told(path)
                if data is None:
                    writer.write(b'HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n{"model": "sm')
                    await writer.drain()
                    return
                text = json.dumps(data).encode()
                lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(text)}", "Content-Type: application/json"]
                lines += [f"{name}: {value}" for name, value in headers.items()]
                writer.write("\r\n".join([*lines, "", ""]).encode() + text)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def told(self, path):
        """Say what was counted, or take a command: /refuse/401, /refuse/0."""
        if path.endswith("/models"):
            return 200, {"data": [{"id": "small"}]}, {}
        if path.startswith("/refuse/"):
            self.refusing = int(path.rpartition("/")[2])
        return 200, {"asked": self.asked, "paid": self.paid} if path == "/log" else {"asked": len(self.asked)}, {}


class Served:
    """The server as seen from outside."""

    def __init__(self, port):
        self.port = port
        self.name = f"llm:small@http://127.0.0.1:{port}/v1"

    def get(self, path):
        connection = HTTPConnection("127.0.0.1", self.port)
        try:
            connection.request("GET", path)
            return json.loads(connection.getresponse().read())
        finally:
            connection.close()


@contextmanager
def faulty_model():
    """Serve from a process of its own, so that kills of its clients do not touch it."""
    listening = socket.create_server(("127.0.0.1", 0), backlog=256)
    child = os.fork()
    if child == 0:
        try:
            asyncio.run(_serve(listening))
        finally:
            os._exit(0)
    port = listening.getsockname()[1]
    listening.close()
    try:
        yield Served(port)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


async def _serve(listening):
    server = await asyncio.start_server(FaultyModel().serve, sock=listening)
    async with server:
        await server.serve_forever()
