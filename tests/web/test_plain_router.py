"""Tests of the participants' plain routes."""

from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from mensura.web.plain_router import LONGEST_TOKEN, PlainRouter


def test_a_token_reaches_its_function_and_a_long_one_is_refused():
    router = PlainRouter("/p")

    @router.get("/{token}")
    async def look(request, token):
        return PlainTextResponse(token)

    client = TestClient(Starlette(routes=router.routes))
    assert client.get("/p/abc").text == "abc"
    assert client.get("/p/" + "a" * (LONGEST_TOKEN + 1)).status_code == 400
    assert client.post("/p/abc").status_code == 405
