"""The app: every page of the laboratory. `mensura serve` runs it."""

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.staticfiles import StaticFiles

from mensura.errors import BadParameter
from mensura.phrase import phrase
from mensura.running.people.closing import close_expired
from mensura.running.study.people.brand import PALE, WHITE, check_colour, mixed
from mensura.web.drawing.media import played
from mensura.web.drawing.own_page import PURPOSE, TYPES, decoded, read
from mensura.web.drawing.site import site_file
from mensura.web.errors import handle_errors
from mensura.web.laboratory import Laboratory, laboratory
from mensura.web.page import page, static_path
from mensura.web.participant.routes import router as participants
from mensura.web.participant.warm_up import warm_up
from mensura.web.safety.security import SAVED_SECONDS, Security
from mensura.web.settings import WebSettings

ROUTERS = ("mensura.web.participant.joining", "mensura.web.lab.routes", "mensura.web.api.routes")
"""Modules with a `router`; those that are not there are left out."""
NO_FILE = phrase("There is no such file.")
KEEP = "public, max-age=31536000, immutable"


def create_app(settings: WebSettings | None = None) -> FastAPI:
    """Make the app: open the store, and take the routes of every router that there is.

    Routers find what they share as `laboratory(request)` (`mensura.web.laboratory`), read forms by
    `read_form(request)` (`mensura.web.safety.csrf`), and draw templates by `page(request, "name.html", ...)`.
    """
    settings = settings or WebSettings()
    lab = Laboratory.open(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await run_in_threadpool(close_expired, lab.store)
        await run_in_threadpool(warm_up, lab)
        yield
        lab.close()

    app = FastAPI(
        title="Mensura",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
        # Links are keys: no address may reach a trace. Looking for one costs each answer something, too.
        telemetry={"tracing": False, "metrics": False, "logs": False},
    )
    app.state.laboratory = lab
    app.state.page_limit = lab.limit("page", settings.page_rate, saved=settings.page_rate * SAVED_SECONDS)
    app.state.fault_limit = lab.limit("fault", settings.fault_rate, saved=settings.fault_rate * 30, alone=0.0)
    # Answers are most of what is sent; what is compared first is found first. Routes are shared, not included: what
    # they take was read when they were made, and reading it anew took every app as long as its first pages.
    app.router.routes += participants.routes
    addresses = lab.limit("address", settings.address_rate, saved=settings.address_rate * SAVED_SECONDS)
    app.add_middleware(Security, settings=settings, addresses=addresses)
    handle_errors(app)
    controls = Path(str(files("mensura.web") / "static" / "controls"))
    app.mount(f"{static_path()}/controls", _Kept(directory=controls, packages=[("mensura.dialogue.spaces", "pages")]))
    app.mount(static_path(), _Kept(directory=Path(str(files("mensura.web") / "static"))), name="static")
    _small_routes(app)
    for name in ROUTERS:
        if _there(name):
            app.router.routes += import_module(name).router.routes
    return app


def from_environment() -> FastAPI:
    """Make the app in a worker process, from the settings that the first process left."""
    app = create_app(WebSettings.from_environment())
    # What is loaded now stays: looking through it for garbage again and again would cost each answer something.
    gc.collect()
    gc.freeze()
    return app


def _there(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


class _Kept(StaticFiles):
    """Static files: their address changes with them, so browsers may keep them."""

    def file_response(self, *arguments: Any, **more: Any) -> Response:
        response = super().file_response(*arguments, **more)
        response.headers["Cache-Control"] = KEEP
        return response


def _small_routes(app: FastAPI) -> None:
    @app.get("/", include_in_schema=False)
    def home(request: Request) -> Response:
        """Return what this is."""
        return page(request, "home.html", lab=_there("mensura.web.lab.routes"))

    @app.get("/health", include_in_schema=False)
    def health() -> dict[str, bool]:
        """State that the process answers."""
        return {"ok": True}

    @app.get("/robots.txt", include_in_schema=False)
    def robots() -> Response:
        """Keep links out of search engines."""
        return PlainTextResponse("User-agent: *\nDisallow: /\n")

    @app.get("/brand/{colour}.css", include_in_schema=False)
    def brand(request: Request, colour: str) -> Response:
        """Return the colours of a study; one in which text could not be read leaves the pages as they are."""
        try:
            check_colour(main := f"#{colour}")
        except BadParameter:
            return page(request, "error.html", status=404, title=phrase("Not found"), words=NO_FILE)
        colours = {"blue": main, "deep": mixed(main, "#000000", 0.75), "pale": mixed(main, WHITE, PALE)}
        rule = ":root { " + " ".join(f"--{name}: {value};" for name, value in colours.items()) + " }"
        return Response(rule, media_type="text/css", headers={"Cache-Control": KEEP})

    @app.get("/media/{hidden}", include_in_schema=False)
    def media(request: Request, hidden: str) -> Response:
        """Return a recording or a film that a prompt plays."""
        found = played(hidden, laboratory(request).signer)
        if found is None:
            return page(request, "error.html", status=404, title=phrase("Not found"), words=NO_FILE)
        headers = {"Cache-Control": KEEP.replace("public", "private"), "ETag": f'"{found.hash}"'}
        return FileResponse(found.path, media_type=found.media_type, headers=headers)

    @app.get("/sites/{signature}/{place}/{name:path}", include_in_schema=False)
    def site(request: Request, signature: str, place: str, name: str) -> Response:
        """Return a file of a page that answers for people, under a separate policy."""
        return site_file(laboratory(request).signer, signature, place, name)

    @app.get("/pages/{signature}/{place}/{name:path}", include_in_schema=False)
    def own_file(request: Request, signature: str, place: str, name: str) -> Response:
        """Return a script, style or picture that a test brings."""
        suffix = Path(name).suffix
        if suffix not in TYPES or not laboratory(request).signer.holds(place, signature, purpose=PURPOSE):
            return page(request, "error.html", status=404, title=phrase("Not found"), words=NO_FILE)
        return Response(read(decoded(place), name), media_type=TYPES[suffix], headers={"Cache-Control": "no-cache"})
