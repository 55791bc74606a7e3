"""A control alone on a page, with the scripts that it shares with others and no server."""

from collections.abc import Callable, Iterator
from importlib.resources import files
from mimetypes import guess_type
from typing import Any

import pytest

BRING = """
async ([script, data]) => {
    const shared = await Promise.all(["percent", "slider", "sum"].map((name) => import(`/shared/${name}.js`)));
    window.control = await import(`/own/${script}`);
    window.sent = 0;
    window.control.default(document.querySelector(".own"), Object.assign({ data, form: document.forms[0] }, ...shared));
    document.forms[0].addEventListener("submit", (event) => { event.preventDefault(); window.sent += 1; });
}
"""


@pytest.fixture
def alone(chromium: Any) -> Iterator[Callable[[Any], Any]]:
    """Give what opens the control of a space, alone on a page; its exports are `window.control`."""
    rendering = pytest.importorskip("mensura.web.drawing.prompt", reason="the web pages are not installed")
    page = chromium.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda problem: problems.append(str(problem)))

    def opened(space: Any) -> Any:
        places = {"own": files(space.page["package"]) / "pages", "shared": files("mensura.dialogue.spaces") / "pages"}

        def serve(route: Any) -> None:
            _, _, _, folder, name = (*route.request.url.split("/", 4), "")[:5]
            if folder in places:
                body = (places[folder] / name).read_bytes()
                route.fulfill(body=body, content_type=guess_type(name)[0] or "text/plain")
            else:
                drawn = f"<form>{rendering.control(space.data())}<button>Answer</button></form>"
                route.fulfill(body=drawn, content_type="text/html; charset=utf-8")

        page.route("http://alone/**", serve)
        page.goto("http://alone/")
        page.add_style_tag(url=f"/own/{space.page['style']}")
        page.evaluate(BRING, [space.page["script"], space.data()])
        return page

    yield opened
    page.close()
    assert problems == []
