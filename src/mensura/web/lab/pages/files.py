"""Files: the style sheet and scripts of these pages."""

from fastapi import APIRouter
from starlette.responses import Response

from mensura.errors import UnknownName
from mensura.web.lab.page import FILES, STATIC, static_files

router = APIRouter()


@router.get(STATIC + "/{digest}/{name}", response_model=None)
def static_file(digest: str, name: str) -> Response:
    """Return a static file; its address changes with it, so that browsers may keep it."""
    content = static_files().get(name)
    if content is None:
        raise UnknownName("There is no such file.")
    kept = {"Cache-Control": "public, max-age=31536000, immutable"}
    return Response(content, media_type=FILES[name], headers=kept)
