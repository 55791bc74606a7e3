"""A scripted person: takes the exam in a real browser, giving the answers a program gave."""

from collections.abc import Mapping
from typing import Any

GONE_OR_ASKED = """
(number) => !document.querySelector(`[data-ask="${number}"]`) || document.querySelector(".sm-note")?.textContent
"""


class ScriptedPerson:
    """Sits before the page and does with mouse and keys what the script says for each ask."""

    def __init__(self, page: Any, script: Mapping[str, Any]) -> None:
        self.page = page
        self.script = script
        self.answered: list[str] = []
        self.before_answer: Any = None

    def take(self, address: str, *, most: int = 2000) -> None:
        """Open the link and answer until the end."""
        self.page.goto(address)
        for _ in range(most):
            self.page.wait_for_selector("main[data-ready], main:not(:has([data-ask]))", timeout=20000)
            kind = self.page.get_attribute("main", "data-kind")
            if kind == "ask":
                self._answer()
            elif kind in ("break", "page", "consent", "over"):
                self._go_on(kind)
            else:
                return
        raise AssertionError("The exam did not end.")

    def _answer(self) -> None:
        page = self.page
        key, number = page.get_attribute("[data-ask]", "data-key"), page.get_attribute("[data-ask]", "data-ask")
        value = self.script[key]
        if page.query_selector(".sm-percents"):
            self._percents(value, slider=len(self.answered) % 2 == 0)
        elif page.query_selector('[data-part="radius"]'):
            self._circle(*value)
        elif page.query_selector('[data-control="place"]'):
            self._point(*value)
        else:
            self._choose(str(value))
        if self.before_answer is not None and self.before_answer(key):
            return
        self.answered.append(key)
        self._submit(number)

    def _submit(self, number: str) -> None:
        """Press Answer, and again where the control asks to confirm what it made of the percents."""
        # Named by its ask: the button of the next page must not be pressed by mistake.
        button = f'main:has([data-ask="{number}"]) form[data-answer] button.primary'
        self.page.click(button)
        self.page.wait_for_function(GONE_OR_ASKED, arg=number, timeout=20000)
        if self.page.query_selector(f'[data-ask="{number}"]') is not None:
            self.page.click(button)
            self.page.wait_for_selector(f'[data-ask="{number}"]', state="detached", timeout=20000)

    def _percents(self, value: Mapping[str, float], *, slider: bool) -> None:
        shares = {name: share for name, share in value.items() if name != "how"}
        scale = 100 if sum(shares.values()) < 1.5 else 1
        for name, share in shares.items():
            row = f'.sm-row[data-option="{name}"]'
            percent = str(round(scale * share))
            if slider:
                self.page.fill(f"{row} input[type=range]", percent)
            else:
                self.page.fill(f"{row} input[data-percent]", percent)

    def _circle(self, x: float, y: float, radius: float) -> None:
        self._drag(x, y, x + radius if x + radius < 101 else x - radius, y)
        for part, exact in (("x", x), ("y", y), ("radius", radius)):
            self.page.fill(f'[data-part="{part}"]', f"{exact:.5g}")

    def _point(self, x: float, y: float) -> None:
        self._drag(x, y, x, y)

    def _drag(self, x: float, y: float, to_x: float, to_y: float) -> None:
        plane = self.page.query_selector(".sheet .plane")
        plane.scroll_into_view_if_needed()
        box = self._settled(plane)
        low, high = (
            [float(part) for part in plane.get_attribute(name).split(" ")] for name in ("data-low", "data-high")
        )

        def at(a: float, b: float) -> tuple[float, float]:
            across = box["x"] + (a - low[0]) / (high[0] - low[0]) * box["width"]
            down = box["y"] + (high[1] - b) / (high[1] - low[1]) * box["height"]
            return across, down

        self.page.mouse.move(*at(x, y))
        self.page.mouse.down()
        if (to_x, to_y) != (x, y):
            self.page.mouse.move(*at((x + to_x) / 2, (y + to_y) / 2))
            self.page.mouse.move(*at(to_x, to_y))
        self.page.mouse.up()

    def _settled(self, plane: Any) -> dict[str, float]:
        """Where the map lies once styles have come and nothing moves any more; a person would wait for that too."""
        box = None
        for _ in range(100):
            now = plane.bounding_box()
            if now == box:
                return now
            box = now
            self.page.wait_for_timeout(60)
        raise AssertionError("The map does not come to rest.")

    def _choose(self, value: str) -> None:
        self.page.click(f'form[data-answer] label:has(input[value="{value}"])')

    def _go_on(self, kind: str) -> None:
        """Leave a page that is only read, and wait until another one is there."""
        seen = self.page.get_attribute("main", "data-seen")
        self.page.click(f'main[data-kind="{kind}"] button:visible')
        self.page.wait_for_function(
            "([kind, seen]) => { const now = document.querySelector('main').dataset;"
            " return now.kind !== kind || (now.seen ?? null) !== seen; }",
            arg=[kind, seen],
            timeout=20000,
        )
