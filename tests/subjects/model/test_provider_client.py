"""What every provider's client does alike: addresses, proxies, and what is imported for a request."""

import subprocess
import sys

import pytest

from mensura.subjects.model.chat_completions import ChatCompletions
from mensura.subjects.model.messages import Messages
from mensura.subjects.model.service import Service
from mensura.subjects.outside.bounds import Bounds
from tests.subjects.model.scripted import answered, model_server

ASKING = """
import sys
from mensura.dialogue import Ask, Probability, test
from mensura.subjects import SubjectSpec

@test("even-v1")
def even(rng):
    yield Ask("Heads?", Probability(), key="heads")

subject = SubjectSpec(f"llm:small@{sys.argv[1]}").make(even)
print(subject(Ask("Heads?", Probability(), key="heads")).value, "openai" in sys.modules)
"""


def service(address):
    return Service(address, "small", (), Bounds())


@pytest.mark.parametrize("address", ["https://host", "https://host/v1"])
def test_addresses_of_anthropic_may_leave_the_version_out(address):
    assert Messages(service(address))._url == "https://host/v1/messages"


@pytest.mark.parametrize("name", ["http_proxy", "all_proxy"])
def test_requests_go_through_the_proxy_that_the_environment_names(name, monkeypatch):
    from mensura.subjects.loop import event_loop
    from mensura.subjects.model.request import ModelRequest

    with model_server(answered(0.5)) as proxy:
        monkeypatch.setenv(name, proxy.url.removesuffix("/v1"))
        monkeypatch.setenv("no_proxy", "nowhere.invalid")
        client = ChatCompletions(service("http://models.invalid/v1"))
        sent = asked(client, ModelRequest([{"role": "user", "content": "Heads?"}]), event_loop())
    assert sent.text == '{"answer": 0.5}'
    assert proxy.paths[0][0] == "http://models.invalid/v1/chat/completions"


def asked(client, request, loop):
    import asyncio

    async def send():
        try:
            return await client.send(request, form="words")
        finally:
            await client.close()

    return asyncio.run_coroutine_threadsafe(send(), loop).result(timeout=30)


def test_the_makers_client_is_not_imported_for_single_requests():
    with model_server(answered(0.5)) as server:
        command = [sys.executable, "-c", ASKING, server.url]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["0.5", "False"], done.stderr
