"""Routes: the interface for programs in one router, which the application includes."""

from collections.abc import Callable

from fastapi import APIRouter, Security
from fastapi.routing import APIRoute
from fastapi.security import APIKeyCookie, HTTPBearer
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from mensura.web.api import changing, reading
from mensura.web.api.refusal import REFUSALS
from mensura.web.lab.people.access import COOKIE

TOKEN = HTTPBearer(auto_error=False, description="A token that was made on the page of your account")
LOGIN = APIKeyCookie(
    name=COOKIE,
    auto_error=False,
    description="The cookie of a login; requests that change something then carry X-CSRF-Token too",
)

OTHERS = ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]

router = APIRouter(
    prefix="/api/v1", tags=["laboratory"], responses=REFUSALS, dependencies=[Security(TOKEN), Security(LOGIN)]
)
router.include_router(reading.router)
router.include_router(changing.router)


def _allow_all() -> None:
    """Let a refusal of a method name all that an address takes, not only those of its first route."""
    taken: dict[str, set[str]] = {}
    for route in (*reading.router.routes, *changing.router.routes):
        assert isinstance(route, APIRoute)
        taken.setdefault(route.path, set()).update(route.methods or ())
    for path, methods in taken.items():
        if len(methods) > 1:
            router.add_api_route(
                path, _refusing(sorted(methods)), methods=OTHERS, include_in_schema=False, response_model=None
            )


def _refusing(methods: list[str]) -> Callable[[Request], Response]:
    def refuse(request: Request) -> Response:
        words = f"This address takes {' and '.join(methods)}, not {request.method}."
        return JSONResponse({"error": words}, 405, headers={"Allow": ", ".join(methods)})

    return refuse


_allow_all()
