"""Tasks of Inspect that tests of the bridge share, and a language model that speaks plainly and calls tools."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

WHY = "Inspect AI is not in this environment: `make inspect` runs these tests in a venv of their own"

TASKS = '''
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser, ContentImage, ContentText
from inspect_ai.scorer import Score, choice, f1, match, mean, model_graded_qa, scorer
from inspect_ai.solver import (
    chain_of_thought, generate, multiple_choice, prompt_template, self_critique, system_message, use_tools
)
from inspect_ai.tool import tool


def sample(number):
    return Sample(f"What is {number} + {number}?", target=str(2 * number), id=f"s{number}", metadata={"level": number})


@task
def sums(top: int = 3):
    solver = [system_message("Level {level}."), prompt_template("Q: {prompt}"), chain_of_thought(), generate()]
    return Task([sample(number) for number in range(1, top + 1)], solver=solver, scorer=match(numeric=True), version=2)


@task
def capitals():
    places = [("France", "B"), ("Italy", ["A"])]
    samples = [Sample(f"Capital of {name}?", choices=["Rome", "Paris"], target=letter) for name, letter in places]
    return Task(samples, solver=multiple_choice(), scorer=choice(), version="2-A")


@task
def talk():
    said = [ChatMessageSystem(content="Be brief."), ChatMessageUser(content="Hi"),
            ChatMessageAssistant(content="Hello"), ChatMessageUser(content=[ContentText(text="Who are you?")])]
    return Task([Sample(said, target="me"), Sample("Who?", target="me"), Sample("Who?", target="me")], scorer=f1())


@task
def pictures():
    said = [ChatMessageUser(content=[ContentImage(image="data:image/png;base64,AA==")])]
    return Task([Sample(said, target="a cat", id="cat")], scorer=match())


@task
def several():
    samples = [Sample("Primes?", choices=["2", "3", "4"], target="AB", id="primes")]
    return Task(samples, solver=multiple_choice(), scorer=choice())


@task
def judged():
    return Task([sample(1)], scorer=model_graded_qa())


@task
def critique():
    return Task([sample(1)], solver=[generate(), self_critique()], scorer=match())


@task
def picky():
    return Task([sample(1)], scorer=f1(answer_fn=lambda text: text[:1]))


@task
def boxed():
    return Task([sample(1)], scorer=match(), sandbox="local")


@tool
def double():
    async def execute(x: int):
        """Double a number.

        Args:
            x: The number.
        """
        return str(2 * x)
    return execute


@scorer(metrics=[mean()])
def length():
    async def score(state, target):
        return Score(value={"characters": len(state.output.completion), "mood": "odd"}, explanation="counted")
    return score


@task
def doubles(top: int = 2):
    samples = [Sample(f"Double {i}.", target=str(2 * i), id=f"d{i}") for i in range(1, top + 1)]
    return Task(samples, solver=[use_tools(double()), generate()], scorer=[match(), length()])
'''


class PlainModel(ThreadingHTTPServer):
    """A language model of this machine that calls the tool it is offered, and then says what came back."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Speaking)
        self.refuses = "Double 3."
        """The question at which it fails."""
        self.keys: set[str | None] = set()

    @property
    def name(self) -> str:
        """What a subject is called that it plays."""
        return f"llm:small@http://127.0.0.1:{self.server_address[1]}/v1"


class _Speaking(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: PlainModel

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.keys.add(self.headers.get("Authorization"))
        first, last = request["messages"][0]["content"], request["messages"][-1]
        if first == self.server.refuses:
            self.reply(400, {"error": {"message": f"No answer for {self.headers['Authorization']}."}})
            return
        if last["role"] == "tool":
            message, finish = {"role": "assistant", "content": f"It is {last['content']}"}, "stop"
        else:
            arguments = json.dumps({"x": int(first.split()[-1].strip("."))})
            call = {"id": "c1", "type": "function", "function": {"name": "double", "arguments": arguments}}
            message, finish = {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls"
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        choices = [{"index": 0, "message": message, "finish_reason": finish}]
        said: dict[str, Any] = {"id": "1", "object": "chat.completion", "created": 1, "model": "small"}
        self.reply(200, {**said, "choices": choices, "usage": usage})

    def reply(self, status: int, said: dict[str, Any]) -> None:
        """Send a body as JSON."""
        body = json.dumps(said).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words: Any) -> None:
        """Say nothing."""
