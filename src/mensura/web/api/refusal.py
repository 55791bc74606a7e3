"""Refusal: whatever goes wrong is one JSON object with a sentence; what has a wrong shape is named."""

from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel, Field
from starlette.responses import JSONResponse

from mensura.errors import BadData, BadParameter, MensuraError, NotInstalled
from mensura.json_file import loads
from mensura.web.errors import error_page, log, status_of

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class Fault(BaseModel):
    """One part of a request that has a wrong shape."""

    where: str = Field(description="Which part, such as body.count")
    words: str


class Refusal(BaseModel):
    """Why a request came to nothing; nothing was changed."""

    error: str = Field(description="What happened, what was expected, and what to do next")
    details: list[Fault] | None = None


WORDS = {
    400: "The request cannot be read",
    401: "Not logged in",
    403: "Not allowed to this role",
    404: "There is nothing of this name",
    409: "The state of things does not allow it now",
    422: "A value has a wrong shape, or cannot be taken",
}
REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Refusal, "description": words} for status, words in WORDS.items()
}


class BoundedRequest(Request):
    """A request whose JSON is read within bounds, as every other JSON from outside."""

    async def json(self) -> Any:
        """Read the body."""
        return loads(await self.body())


class JSONRoute(APIRoute):
    """A route whose errors are JSON with a sentence."""

    def get_route_handler(self) -> Handler:
        """Wrap the handler so that errors of ours become refusals."""
        handler = super().get_route_handler()

        async def answer(request: Request) -> Response:
            try:
                return await handler(BoundedRequest(request.scope, request.receive))
            except RequestValidationError as error:
                return refuse(error)
            except (BadParameter, BadData, NotInstalled) as error:
                return JSONResponse({"error": str(error)}, 422)
            except MensuraError as error:
                status = status_of(error)
                if status < 500:
                    return JSONResponse({"error": str(error)}, 422 if status == 400 else status)
                log.error("%s %s: %s", request.method, request.url.path, error)
                return error_page(request, status)

        return answer


def refuse(error: RequestValidationError) -> Response:
    """Return which parts of a request have a wrong shape."""
    faults = [
        {"where": ".".join(str(part) for part in one["loc"]), "words": _sentence(_said(one))} for one in error.errors()
    ]
    first = faults[0]
    more = f" {len(faults) - 1} more are listed in details." if len(faults) > 1 else ""
    words = f"{first['where']} is not right: {first['words']}{more}"
    return JSONResponse({"error": words, "details": faults}, 422)


def _said(one: Mapping[str, Any]) -> str:
    """Return what is wrong with one part, and why a body is not JSON."""
    if one["type"] == "json_invalid":
        return f"This is not JSON: {one['ctx']['error']}"
    return str(one["msg"])


def _sentence(words: str) -> str:
    words = words.encode("utf-8", "replace").decode()
    return words if words.endswith(".") else f"{words}."
