"""Prompts and spaces as HTML, from their data, so that a stored session looks as it did when taken."""

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from functools import cache
from typing import Any

from jinja2 import (
    ChoiceLoader,
    Environment,
    FunctionLoader,
    PackageLoader,
    PrefixLoader,
    StrictUndefined,
    TemplateNotFound,
)
from markupsafe import Markup

from mensura.dialogue.canonical import plain
from mensura.dialogue.kind import class_of_kind
from mensura.dialogue.prompts.base import Prompt
from mensura.dialogue.spaces.base import space_class
from mensura.dialogue.spaces.described import read_space
from mensura.phrase import phrase
from mensura.web.drawing import chart
from mensura.web.drawing.map import draw_map
from mensura.web.drawing.markdown import markdown
from mensura.web.drawing.media import media_address
from mensura.web.drawing.own_page import OwnPage, own_source
from mensura.web.drawing.questions import question_groups, scale_points
from mensura.web.drawing.site import site_address
from mensura.web.language.speaking import gettext, ngettext, say, spoken, translate

Data = Mapping[str, Any]
KEY_NAMES = {"ArrowLeft": "←", "ArrowRight": "→", "ArrowUp": "↑", "ArrowDown": "↓", " ": "Space", "Enter": "↵"}


def show(prompt: Any) -> Markup:
    """Draw any prompt from its data.

    >>> show(["See:", {"kind": "readings", "values": [1.5], "names": ["speed"]}]).count("speed")
    1
    """
    if isinstance(prompt, str):
        return Markup('<div class="words">{}</div>').format(markdown(translate(prompt))) if prompt else Markup("")
    if isinstance(prompt, Mapping):
        return _draw("prompts", prompt, _own_page(prompt), prompt=prompt)
    return Markup("").join(show(part) for part in prompt)


def control(space: Data, name: str = "answer", given: Mapping[str, str] | None = None, **how: Any) -> Markup:
    """Draw the form fields of a space.

    Parameters
    ----------
    space
        The data of the space.
    name
        What its fields are called: "answer", or the path of a part of it.
    given
        Fields that were filled in already.
    **how
        `label` for what it asks; `compact` where it is one of several.
    """
    shown = {"label": translate(phrase("Your answer")), "compact": False, "id": field_id(name), **how}
    return _draw(
        "spaces",
        space,
        OwnPage.of(space_class(str(space.get("kind")))),
        space=space,
        name=name,
        given=given or {},
        **shown,
    )


def together() -> str:
    """Return what is said above percents that make a whole."""
    return str(translate(phrase("In percent, together 100; a sum from 98 to 102 is taken and scaled to 100.")))


def wide(*parts: Any) -> bool:
    """Return whether some prompt wants the whole width of the window."""
    return any(own.wide for own, _ in _own_pages(parts))


def alone(*parts: Any) -> bool:
    """Return whether some prompt brings all controls itself."""
    return any(own.alone for own, _ in _own_pages(parts))


def held(*parts: Any) -> bool:
    """Return whether some prompt shows at once what others do."""
    return any(own.held for own, _ in _own_pages(parts))


def poll(*parts: Any) -> float | None:
    """Return how often a page must ask for news, in seconds; None where no prompt says so."""
    return min((own.poll for own, _ in _own_pages(parts) if own.poll is not None), default=None)


def retold(*parts: Any) -> list[Any]:
    """Return the parts of earlier messages that prompts repeat."""
    return [data.get(own.retells) for own, data in _own_pages(parts) if own.retells]


def submits(space: Data) -> bool:
    """Return whether the control of a space brings its own buttons."""
    found = space_class(str(space.get("kind")))
    return found is not None and found.submits


def percent(space: Data) -> bool:
    """Return whether people give numbers of a space as percents."""
    return read_space(space).percent


def _own_page(prompt: Data) -> OwnPage | None:
    return OwnPage.of(class_of_kind(str(prompt.get("kind")), Prompt))


def _own_pages(parts: Iterable[Any]) -> Iterator[tuple[OwnPage, Data]]:
    for part in parts:
        if isinstance(part, Mapping):
            if (own := _own_page(part)) is not None:
                yield own, part
        elif not isinstance(part, str) and part is not None:
            yield from _own_pages(part)


def field_id(name: str) -> str:
    """Make an id from the name of a field, one for one.

    >>> field_id("answer.0.first name")
    'f-answer-0-first_20name'
    """
    return "f-" + "".join(c if c.isalnum() and c.isascii() else "-" if c == "." else f"_{ord(c):x}" for c in name)


def number(value: Any) -> str:
    """Write a number as people read it.

    >>> number(0.30000000000000004), number(-2), number(True), number("x")
    ('0.3', '−2', 'yes', 'x')
    """
    if isinstance(value, bool):
        return str(translate(phrase("yes") if value else phrase("no")))
    if value is None:
        return "–"
    if isinstance(value, (int, float)):
        return f"{value:.6g}".replace("-", "−") if value == value else "–"
    return str(value)


def words(name: str) -> str:
    """Write a name of a program as words."""
    return name.replace("_", " ")


def chance(level: float) -> str:
    """Return what a quantile is.

    >>> chance(0.5), chance(0.05)
    ('As likely below as above', '5 % chance of less')
    """
    if level == 0.5:
        return str(translate(phrase("As likely below as above")))
    if level < 0.5:
        return str(translate(phrase("{percent} % chance of less", percent=f"{level * 100:g}")))
    return str(translate(phrase("{percent} % chance of more", percent=f"{(1 - level) * 100:g}")))


def size(count: int) -> str:
    """Write a number of bytes.

    >>> size(5_000_000), size(1000)
    ('5 MB', '1 kB')
    """
    for unit, factor in (("MB", 1e6), ("kB", 1e3)):
        if count >= factor:
            return f"{count / factor:.3g} {unit}"
    return f"{count} bytes"


def minutes(seconds: float) -> str:
    """Write a stretch of time as a clock shows it.

    >>> minutes(90), minutes(3605.2)
    ('1:30', '60:05')
    """
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02}"


def rows_of(given: Mapping[str, str], name: str) -> int:
    """Count the rows of a table that were filled in.

    >>> rows_of({"answer.0.age": "7", "answer.2.age": "9"}, "answer")
    3
    """
    parts = [key[len(name) + 1 :].split(".", 1)[0] for key in given if key.startswith(f"{name}.")]
    return max((int(part) + 1 for part in parts if part.isdecimal() and len(part) < 6), default=0)


def _draw(folder: str, data: Data, own: OwnPage | None, **shown: Any) -> Markup:
    try:
        if own is not None:
            template = environment().get_template(own.key)
            body = Markup(template.render(draw=own.draw, **shown))
            return Markup(environment().get_template("own.html").render(own=own, body=body, data=data))
        return Markup(environment().get_template(f"{folder}/{data.get('kind')}.html").render(**shown))
    except TemplateNotFound:
        # A kind that nobody draws is at least readable.
        return Markup('<pre class="data">{}</pre>').format(json.dumps(data, indent=2, default=plain))


class _Templates(Environment):
    """Templates that share one dict of what they may use; looking through a chain of them costs each page time."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return super().make_globals(d) if d else self.globals


@cache
def environment() -> Environment:
    """Return the templates with all that they may use."""
    made = _Templates(
        loader=ChoiceLoader(
            [
                FunctionLoader(own_source),
                PrefixLoader({"spaces": PackageLoader("mensura.dialogue.spaces", "pages")}),
                PackageLoader("mensura.web"),
            ]
        ),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # Looking for changed templates costs a question to the disk for each part of each page.
        auto_reload=False,
        extensions=["jinja2.ext.i18n"],
    )
    made.install_gettext_callables(gettext, ngettext, newstyle=True)  # type: ignore[attr-defined]
    made.globals |= {
        "_": say,
        "show": show,
        "spoken": spoken,
        "together": together,
        "control": control,
        "site_address": site_address,
        "field_id": field_id,
        "submits": submits,
        "percent": percent,
        "chart": chart.draw,
        "draw_map": draw_map,
        "media_address": media_address,
        "question_groups": question_groups,
        "scale_points": scale_points,
    }
    made.filters |= {
        "translate": translate,
        "markdown": markdown,
        "number": number,
        "json_text": json_text,
        "words": words,
        "capitalise": lambda text: text[:1].upper() + text[1:],
        "key_name": lambda key: KEY_NAMES.get(key, key),
        "chance": chance,
        "rows_of": rows_of,
        "size": size,
        "minutes": minutes,
        "vtt_address": lambda captions: f"data:text/vtt;base64,{b64encode(captions.encode()).decode()}",
    }
    return made


def json_text(data: Any) -> Markup:
    """Write JSON that can stand inside a page as data, whatever it holds."""
    text = json.dumps(data, default=plain, ensure_ascii=False)
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))
