"""ProviderClient: what every provider's client does alike around its own requests and replies."""

import asyncio
from abc import ABC, abstractmethod
from typing import Any

from mensura.subjects.model.fault import no_completion
from mensura.subjects.model.request import Completion
from mensura.subjects.model.service import Service


class ProviderClient(ABC):
    """A maker's own client for a service, within our bounds and with faults of ours."""

    def __init__(self, service: Service, client: Any) -> None:
        self.service = service
        self.model = service.model
        self._client = client

    def completion(self, said: Any) -> Completion:
        """Read what was sent back."""
        try:
            return self._completion(said)
        except (KeyError, IndexError, TypeError, AttributeError):
            raise no_completion(said, place=self.service.address) from None

    async def close(self) -> None:
        """Close the connections."""
        await asyncio.shield(self._client.close())

    async def _received(self, sdk: Any, sending: Any) -> Completion:
        """Read the completion of a request that is being sent by the package `sdk`."""
        async with self.service.within_bounds(sdk), sending as response:
            text = await self.service.body(response.iter_bytes())
        return self.completion(self.service.read(200, text, after=None))

    @abstractmethod
    def _completion(self, said: Any) -> Completion:
        """Read a body in the provider's own form; raises a KeyError or its like where it is none."""
