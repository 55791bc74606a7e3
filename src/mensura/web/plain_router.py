"""PlainRouter: routes of participants, without FastAPI's reading of parameters, which costs time."""

from collections.abc import Awaitable, Callable

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from mensura.phrase import phrase

LONGEST_TOKEN = 100
Handler = Callable[[Request, str], Awaitable[Response]]


class PlainRouter:
    """Routes that begin alike and lead to functions of the request and the token of a link."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.routes: list[Route] = []

    def get(self, path: str) -> Callable[[Handler], Handler]:
        """Let a function answer those who look."""
        return self._method("GET", path)

    def post(self, path: str) -> Callable[[Handler], Handler]:
        """Let a function answer those who send a form."""
        return self._method("POST", path)

    def _method(self, method: str, path: str) -> Callable[[Handler], Handler]:
        def add(handler: Handler) -> Handler:
            async def endpoint(request: Request) -> Response:
                token = request.path_params["token"]
                if len(token) > LONGEST_TOKEN:
                    raise HTTPException(
                        400, phrase("A part of the address or of the form has a wrong shape; nothing was changed.")
                    )
                return await handler(request, token)

            self.routes.append(Route(self.prefix + path, endpoint, methods=[method], include_in_schema=False))
            return handler

        return add
