"""Providers: how a batch of requests is handed in and fetched, by their own clients."""

import asyncio
import json
from collections.abc import Collection, Mapping
from typing import Any, Protocol

from mensura.errors import SubjectLost
from mensura.json_file import loads
from mensura.subjects.model.service import Service

Body = Mapping[str, Any]
Replies = dict[str, tuple[int, Any]]
"""Key of a request → the status and the body of its reply."""
NAME = "mensura"
"""Under which OpenAI's batches carry our name."""
CLOCKS = 3600.0
"""Seconds by which a provider's clock may differ from ours."""
LOOK_SECONDS = 30.0
OVER = ("completed", "expired", "cancelled", "failed")
"""How batches of OpenAI's stand when nothing more will come."""


class Batches(Protocol):
    """A provider's interface for many requests at once."""

    most: int
    """How many requests a batch may have."""

    async def submit(self, bodies: Mapping[str, Body], *, name: str) -> str:
        """Hand requests in, each by its key, under a name of ours; returns the id of the batch."""

    async def find(self, name: str, keys: Collection[str], *, since: float) -> str | None:
        """Find the batch of a name, or of these requests, that was handed in since then; None where there is none."""

    async def replies(self, batch: str) -> Replies | None:
        """Return what came of a batch; None while it is not over."""


class OpenAIBatches:
    """`/v1/batches`, with the requests in a file."""

    most = 50_000

    def __init__(self, service: Service, client: Any, *, path: str) -> None:
        self.service = service
        self._client = client
        self._path = path

    async def submit(self, bodies: Mapping[str, Body], *, name: str) -> str:
        """Hand requests in; the name is kept with the batch."""
        import openai

        lines = [
            {"custom_id": key, "method": "POST", "url": self._path, "body": {"model": self.service.model, **body}}
            for key, body in bodies.items()
        ]
        text = "\n".join(json.dumps(line) for line in lines).encode()
        async with self.service.within_bounds(openai.APIStatusError):
            file = await self._client.files.create(file=("mensura.jsonl", text), purpose="batch")
            batch = await self._client.batches.create(
                input_file_id=file.id, endpoint=self._path, completion_window="24h", metadata={NAME: name}
            )
        return str(batch.id)

    async def find(self, name: str, keys: Collection[str], *, since: float) -> str | None:
        """Look through the batches, the newest first, for the one that carries the name."""
        import openai

        async with self.service.within_bounds(openai.APIStatusError):
            async for batch in self._client.batches.list(limit=100):
                if (batch.metadata or {}).get(NAME) == name:
                    return str(batch.id)
                if batch.created_at < since - CLOCKS:
                    break
        return None

    async def replies(self, batch: str) -> Replies | None:
        """Return what came of a batch."""
        import openai

        async with self.service.within_bounds(openai.APIStatusError):
            found = await self._client.batches.retrieve(batch)
            if found.status not in OVER:
                return None
            files = [place for place in (found.output_file_id, found.error_file_id) if place]
            if not files:
                words = self.service.masked(str(found.errors or "").encode(errors="replace")).decode()
                raise SubjectLost(f"{self.service.address} gave nothing for the batch {batch}.", last_words=words)
            texts = [(await self._client.files.content(place)).text for place in files]
        replies: Replies = {}
        for line in (line for text in texts for line in text.splitlines() if line.strip()):
            try:
                read = loads(line)
                response = read.get("response") or {"status_code": 500, "body": read.get("error")}
                replies[read["custom_id"]] = response["status_code"], response["body"]
            except (ValueError, KeyError, TypeError, AttributeError):
                words = self.service.masked(line[:300].encode(errors="replace")).decode()
                raise SubjectLost(
                    f"{self.service.address} sent a line that is not a reply to the batch {batch}.", last_words=words
                ) from None
        return replies


class AnthropicBatches:
    """`/v1/messages/batches`."""

    most = 100_000

    def __init__(self, service: Service, client: Any) -> None:
        self.service = service
        self._client = client

    async def submit(self, bodies: Mapping[str, Body], *, name: str) -> str:
        """Hand requests in; these batches carry no name, but each request its key."""
        import anthropic

        requests = [{"custom_id": key, "params": {"model": self.service.model, **body}} for key, body in bodies.items()]
        async with self.service.within_bounds(anthropic.APIStatusError):
            batch = await self._client.messages.batches.create(requests=requests)
        return str(batch.id)

    async def find(self, name: str, keys: Collection[str], *, since: float) -> str | None:
        """Look through the batches of that time with as many requests; whose they are is seen once they are over."""
        import anthropic

        alike: list[str] = []
        async with self.service.within_bounds(anthropic.APIStatusError):
            async for batch in self._client.messages.batches.list(limit=100):
                if batch.created_at.timestamp() < since - CLOCKS:
                    break
                if sum(batch.request_counts.model_dump().values()) == len(keys):
                    alike.append(str(batch.id))
        for candidate in alike:
            while (replies := await self.replies(candidate)) is None:
                await asyncio.sleep(LOOK_SECONDS)
            if replies.keys() & set(keys):
                return candidate
        return None

    async def replies(self, batch: str) -> Replies | None:
        """Return what came of a batch."""
        import anthropic

        replies: Replies = {}
        async with self.service.within_bounds(anthropic.APIStatusError):
            found = await self._client.messages.batches.retrieve(batch)
            if found.processing_status != "ended":
                return None
            async for one in await self._client.messages.batches.results(batch):
                said = one.model_dump(mode="json")["result"]
                if said["type"] == "succeeded":
                    replies[one.custom_id] = 200, said["message"]
                else:
                    error = (said.get("error") or {}).get("error") or {"message": said["type"]}
                    theirs = error.get("type") == "invalid_request_error"
                    replies[one.custom_id] = 400 if theirs else 500, {"error": error}
        return replies
