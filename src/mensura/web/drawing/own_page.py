"""Own pages: how a test brings templates, scripts and styles for its own prompts and spaces.

A prompt or a space class may name files in the folder `pages` of its package::

    class Office(Prompt):
        kind = "office"
        page = {"package": __package__, "template": "office.html", "script": "office.js", "style": "office.css"}

- `template` (Jinja) is drawn with `prompt` (the data of the prompt), or `space`, `name` and `given` for a space, and
  can use `show(part)` for prompts inside it and `control(space, name, given)` for spaces inside it.
- `script` is an ES module; its default export is called as `enhance(element, context)` once the element is on the
  page, with `context.form`, `context.set(field, value)`, `context.submit(fields)`, `context.data`, and
  what percent.js, sum.js and slider.js among the controls export, such as `context.readPercent(text)`.
- `style` is a style sheet.
- `draw` is a function that the template may call, for what is drawn the same way outside of pages.
- `wide` (any value) gives the page the whole width of the window.
- `title` names the window; without one the first words of the prompt do.
- `poll` (seconds) is how often the page asks for what others have done.
- `held` (any value) is for pages on which that shows at once: what the page asks is answered when there is something.
- `alone` (any value) is for worlds that live on from one ask to the next: no standard control is drawn, the script
  answers by `context.submit`, and its element stays where it is. At each new ask of the same kind `enhance` is called
  again with the same element; what is typed, chosen or scrolled there is untouched until the script changes it.
  `context.drawn` is the element as the template drew it for the new ask, to take parts from.
- `retells` names the part of a prompt's data that repeats what the session told, which is then not shown a second time.

A test in a single file says `"folder": str(Path(__file__).parent / "pages")` in place of the package.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mensura.errors import BadFile, UnknownName

if TYPE_CHECKING:
    from mensura.web.safety.signing import Signer

FOLDER = "pages"
PURPOSE = "own page"
PREFIX = "own:"
SIGNER: ContextVar["Signer | None"] = ContextVar("signer", default=None)
"""The signer of the laboratory whose page is being drawn."""
TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".webp": "image/webp",
    ".json": "application/json",
}


@dataclass(frozen=True)
class OwnPage:
    """The files that a prompt or a space brings."""

    place: str
    """A package, or a folder with a slash in its name."""
    template: str
    script: str = ""
    style: str = ""
    wide: bool = False
    alone: bool = False
    title: str = ""
    retells: str = ""
    poll: float | None = None
    held: bool = False
    draw: Callable[..., str] | None = None

    @classmethod
    def of(cls, thing: type | None) -> "OwnPage | None":
        """Read what a class of prompts or spaces says about its own page; None where it says nothing."""
        said: Mapping[str, Any] | None = getattr(thing, "page", None)
        if thing is None or not isinstance(said, Mapping):
            return None
        place = said.get("package") or said.get("folder")
        if not place or not said.get("template"):
            raise BadFile(f"The page of {thing.__name__} must name a package (or a folder) and a template.")
        more: dict[str, Any] = {name: said[name] for name in ("script", "style", "title", "retells") if said.get(name)}
        more |= {name: bool(said.get(name)) for name in ("wide", "alone", "held")}
        more["poll"] = float(said["poll"]) if said.get("poll") else None
        return cls(str(place), str(said["template"]), draw=said.get("draw"), **more)

    @property
    def key(self) -> str:
        """The name of the template among all templates."""
        return f"{PREFIX}{encoded(self.place)}/{self.template}"

    def address(self, name: str) -> str:
        """Return the address of a file, signed, so that any process can serve it without knowing the test yet."""
        place = encoded(self.place)
        signer = SIGNER.get()
        signature = "unsigned" if signer is None else signer.sign(place, purpose=PURPOSE)
        return f"/pages/{signature}/{place}/{name}"


def own_source(key: str) -> tuple[str, None, None] | None:
    """Return the text of a template by its key, as Jinja asks for it."""
    if not key.startswith(PREFIX):
        return None
    place, _, name = key.removeprefix(PREFIX).partition("/")
    return read(decoded(place), name).decode(), None, None


def read(place: str, name: str) -> bytes:
    """Read a file of an own page; a name that leads out of its folder is not found."""
    parts = name.split("/")
    if any(part in ("", ".", "..") or "\\" in part for part in parts):
        raise UnknownName("There is no such file.")
    try:
        folder: Any = Path(place) if "/" in place else files(place) / FOLDER
        return bytes(folder.joinpath(*parts).read_bytes())
    except (OSError, ModuleNotFoundError, TypeError):
        raise UnknownName(f"The file {name} of the pages of {place} is missing.") from None


@lru_cache(maxsize=256)
def encoded(place: str) -> str:
    """Write a package or folder so that it fits into an address."""
    return urlsafe_b64encode(place.encode()).decode().rstrip("=")


def decoded(text: str) -> str:
    """Read what `encoded` wrote."""
    try:
        return urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode()
    except ValueError:
        raise UnknownName("There is no such file.") from None
