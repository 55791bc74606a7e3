"""CSRF: a form is taken only from a page of ours, which carries the signature of a cookie that others cannot read."""

from collections.abc import Mapping
from secrets import token_urlsafe
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException

from mensura.phrase import Sentence, phrase
from mensura.web.laboratory import laboratory

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

COOKIE = "mensura-visit"
FIELD = "csrf"
PURPOSE = "csrf"
MOST_FIELDS = 5000


class Forged(HTTPException):
    """A form did not come from a page of ours, or its page is too old."""

    def __init__(self) -> None:
        super().__init__(
            403,
            phrase(
                "This form does not belong to a page that was opened in this browser, so nothing was changed. "
                "Please open your link again; it needs cookies of this site."
            ),
        )


def csrf_token(request: "Request") -> str:
    """Return what a form of this visitor must carry in the field "csrf"; the cookie goes out with the page."""
    visit = request.cookies.get(COOKIE) or getattr(request.state, "new_visit", None)
    if visit is None:
        visit = request.state.new_visit = token_urlsafe(18)
    return laboratory(request).signer.sign(visit, purpose=PURPOSE)


def keep_visit(request: "Request", response: "Response") -> None:
    """Send the cookie with the first page of a visit."""
    visit = getattr(request.state, "new_visit", None)
    if visit is not None:
        set_cookie(request, response, COOKIE, visit)


def set_cookie(request: "Request", response: "Response", name: str, value: str, *, seconds: int | None = None) -> None:
    """Set a cookie that scripts cannot read and other sites do not send."""
    secure = laboratory(request).settings.secure or request.url.scheme == "https"
    response.set_cookie(name, value, max_age=seconds, path="/", secure=secure, httponly=True, samesite="lax")


def check_csrf(request: "Request", form: Mapping[str, str]) -> None:
    """Raise `Forged` unless the form came from a page that this browser was given."""
    visit = request.cookies.get(COOKIE)
    if not visit or not laboratory(request).signer.holds(visit, form.get(FIELD, ""), purpose=PURPOSE):
        raise Forged


async def read_form(request: "Request", *, checked: bool = True) -> dict[str, str]:
    """Read the fields of a form, uploads as base64 in three separate fields, and check where it came from.

    An upload in the field `answer` becomes `answer.name`, `answer.type` and `answer.content`, which is what
    `mensura.dialogue.File` reads.
    """
    if request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        fields = _urlencoded(await request.body())
        if checked:
            check_csrf(request, fields)
        return fields
    try:
        form = await request.form(max_fields=MOST_FIELDS, max_files=20, max_part_size=_most_bytes(request))
    except Exception as error:
        # What is too large has words of ours; those of the framework are in English.
        if isinstance(error, HTTPException) and isinstance(error.detail, Sentence):
            raise
        raise HTTPException(400, phrase("The form could not be read; nothing was changed.")) from error
    fields = await _fields(form)
    if checked:
        check_csrf(request, fields)
    return fields


def _urlencoded(body: bytes) -> dict[str, str]:
    """Read what nearly every form of ours is sent as; of a name that comes twice the last counts."""
    try:
        return dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS))
    except ValueError as error:
        raise HTTPException(400, phrase("The form could not be read; nothing was changed.")) from error


def _most_bytes(request: "Request") -> int:
    return laboratory(request).settings.most_bytes


async def _fields(form: FormData) -> dict[str, str]:
    from base64 import b64encode

    fields: dict[str, str] = {}
    for name, value in form.multi_items():
        if isinstance(value, str):
            fields[name] = value
            continue
        content = await value.read()
        await value.close()
        if value.filename:
            fields[f"{name}.name"] = value.filename
            fields[f"{name}.type"] = value.content_type or "application/octet-stream"
            fields[f"{name}.content"] = b64encode(content).decode()
    return fields
