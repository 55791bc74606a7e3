"""Scripted: a server that plays a language model step by step, and keeps what it was sent."""

import json
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.serving import serving

MODELS = ("small", "m", "x", "first", "second")
"""What tests call the models of such a server."""


def said(content, *, tokens=(10, 5), finish="stop", refusal=None, model="small-1"):
    """Make the body of a completion."""
    message = {"role": "assistant", "content": content, "refusal": refusal}
    usage = None if tokens is None else {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}
    return {"model": model, "choices": [{"index": 0, "message": message, "finish_reason": finish}], "usage": usage}


def answered(value, **more):
    """Make the body of a completion that answers in form."""
    return said(json.dumps({"answer": value}), **more)


class Completing(BaseHTTPRequestHandler):
    """Plays the next step of the script: (status, body, headers, seconds to wait), or a function of the request."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        """List the models, where the server knows any; looks are counted apart from what models are asked."""
        self.server.looked += 1
        if self.server.models is None:
            self.send_error(404)
            return
        text = json.dumps({"data": [{"id": name} for name in self.server.models]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(request)
        self.server.paths.append((self.path, self.headers.get("Authorization")))
        self.server.headers.append(dict(self.headers))
        step = self.server.script.pop(0) if len(self.server.script) > 1 else self.server.script[0]
        if callable(step):
            step = step(request)
        status, body, headers, seconds = step if isinstance(step, tuple) else (200, step, {}, 0)
        time.sleep(seconds)
        text = body if isinstance(body, bytes) else json.dumps(body).encode()
        try:
            self.send_response(status)
            for name, value in {
                "Content-Length": str(len(text)),
                "Content-Type": "application/json",
                **headers,
            }.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text)
        except OSError:
            self.close_connection = True

    def log_message(self, *words):
        pass


@contextmanager
def model_server(*script):
    """Serve the steps of a script, the last of them for ever."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Completing)
    server.daemon_threads = True
    server.script = list(script)
    server.requests = []
    server.paths = []
    server.headers = []
    server.looked = 0
    server.models = MODELS
    server.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    with serving(server):
        yield server
