"""ProviderClient: what every provider's client does alike around its own requests and replies."""

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from importlib.metadata import version
from typing import Any, ClassVar
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from mensura.errors import MissingExtra
from mensura.json_file import loads
from mensura.subjects.model.fault import no_completion
from mensura.subjects.model.request import Completion, ModelRequest
from mensura.subjects.model.service import Service


class ProviderClient(ABC):
    """A model behind an address of a service, within our bounds and with faults of ours.

    Requests go out over aiohttp, with the headers that the provider asks for. The maker's own client is imported for
    batches only: its import takes half a second, and its methods three times the processor time of a request.

    Parameters
    ----------
    path
        Where requests go, behind the service's address; the list of models is at its end `models` instead.
    headers
        What the provider wants to be told with each request, the key included.
    """

    end: ClassVar[str]
    """The end of the path at which models are asked."""

    def __init__(self, service: Service, *, path: str, headers: Mapping[str, str]) -> None:
        try:
            import aiohttp
        except ImportError:
            raise MissingExtra("Language models", package="aiohttp", extra="llm") from None
        self.service = service
        self.model = service.model
        self._url = service.address.rstrip("/") + path
        self._list_url = service.address.rstrip("/") + path.removesuffix(self.end) + "/models"
        agent = f"mensura/{version('mensura')}"
        self._headers = {"Content-Type": "application/json", "User-Agent": agent, **headers}
        self._aiohttp = aiohttp

    @cached_property
    def _http(self) -> Any:
        """Return the connections for requests: as many as there are requests, through the environment's proxy."""
        unlimited = self._aiohttp.ClientTimeout(total=None)
        connector = self._aiohttp.TCPConnector(limit=0)
        # Not with `trust_env`, which looks for the proxy, and for passwords in ~/.netrc, at every request.
        return self._aiohttp.ClientSession(connector=connector, timeout=unlimited, proxy=_proxy(self._url))

    @cached_property
    def _own(self) -> Any:
        """The maker's own client, for batches; we try again ourselves, since tries are counted."""
        return self._own_client()

    async def send(self, request: ModelRequest, *, form: str) -> Completion:
        """Send one request."""
        body = {"model": self.model, **self.body(request, form=form)}
        written = json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
        async with (
            self.service.within_bounds(),
            # A redirect is reported: a request that follows it may arrive without its body, or give away the key.
            self._http.post(self._url, data=written, headers=self._headers, allow_redirects=False) as response,
        ):
            text = await self.service.body(response.content.iter_any())
        status = 200 if response.status < 300 else response.status
        return self.completion(self.service.read(status, text, headers=response.headers))

    async def models(self, *, seconds: float) -> list[str]:
        """Return the names of the models that the server lists; none where it lists none within `seconds`."""
        limit = self._aiohttp.ClientTimeout(total=seconds + 0.5, sock_connect=seconds)
        asked = {"headers": self._headers, "timeout": limit, "allow_redirects": False}
        async with self.service.within_bounds(), self._http.get(self._list_url, **asked) as response:
            text = await self.service.body(response.content.iter_any())
        try:
            return [str(one["id"]) for one in loads(text)["data"]] if response.status == 200 else []
        except (ValueError, KeyError, TypeError):
            return []

    def completion(self, said: Any) -> Completion:
        """Read what was sent back."""
        try:
            return self._completion(said)
        except (KeyError, IndexError, TypeError, AttributeError):
            raise no_completion(said, place=self.service.address) from None

    async def close(self) -> None:
        """Close the connections."""
        for name in {"_http", "_own"} & self.__dict__.keys():
            await asyncio.shield(self.__dict__[name].close())

    @abstractmethod
    def body(self, request: ModelRequest, *, form: str) -> dict[str, Any]:
        """Write a request as it is sent, but for the name of the model."""

    @abstractmethod
    def _completion(self, said: Any) -> Completion:
        """Read a body in the provider's own form; raises a KeyError or its like where it is none."""

    @abstractmethod
    def _own_client(self) -> Any:
        """Make the maker's own client."""


def _proxy(url: str) -> str | None:
    """Return the proxy that the environment names for an address; None where it is reached directly."""
    parts, known = urlsplit(url), getproxies()
    return None if proxy_bypass(parts.hostname or "") else known.get(parts.scheme) or known.get("all")
