"""Site: the files of a page that a test brings as an answer space, served apart and under a separate policy."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from mensura.dialogue.spaces.base import space_class
from mensura.errors import UnknownName
from mensura.web.drawing.own_page import SIGNER, TYPES, decoded, encoded, read

if TYPE_CHECKING:
    from mensura.web.safety.signing import Signer

PURPOSE = "site"
START = "index.html"
SITE_TYPES = {
    **TYPES,
    ".html": "text/html; charset=utf-8",
    ".gif": "image/gif",
    ".mp3": "audio/mpeg",
    ".wav": "audio/wav",
    ".ogg": "audio/ogg",
    ".mp4": "video/mp4",
    ".webm": "video/webm",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
}
# The sandbox gives the page an origin that is nobody's: no cookie of ours, no page, no storage. What it shows may have
# inline styles, as experiments often do; scripts come from its own files, and nothing goes elsewhere. Forms tell
# the page's scripts that they were sent, as jsPsych's surveys need it, and lead nowhere (`form-action`).
SITE_POLICY = "; ".join(
    (
        "sandbox allow-scripts allow-forms",
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "media-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "form-action 'none'",
        "base-uri 'none'",
        "frame-ancestors 'self'",
    )
)
HEADERS = {
    "Content-Security-Policy": SITE_POLICY,
    "X-Frame-Options": "SAMEORIGIN",
    # A page without an origin loads modules and sounds of its own only so; the files are for every participant.
    "Access-Control-Allow-Origin": "*",
    "Cache-Control": "no-cache",
}


def site_address(space: Mapping[str, Any]) -> str:
    """Return the address of the page that a space brings, signed; empty where its class is not at hand."""
    said: Mapping[str, str] = getattr(space_class(str(space.get("kind"))), "site", {})
    place = said.get("package") or said.get("folder")
    if not place:
        return ""
    signer = SIGNER.get()
    signature = "unsigned" if signer is None else signer.sign(encoded(place), purpose=PURPOSE)
    return f"/sites/{signature}/{encoded(place)}/{said.get('start', START)}"


def site_file(signer: "Signer", signature: str, place: str, name: str) -> Response:
    """Return a file of such a page."""
    kind = SITE_TYPES.get(Path(name).suffix)
    if kind is None or not signer.holds(place, signature, purpose=PURPOSE):
        raise UnknownName("There is no such file.")
    return Response(read(decoded(place), name), media_type=kind, headers=HEADERS)
