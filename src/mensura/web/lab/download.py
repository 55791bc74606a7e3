"""Download: a page or an archive as a file, named after what it is about."""

import re

from starlette.responses import Response


def file_name(about: str, ending: str) -> str:
    """Make the name of a file from a name that people chose.

    >>> file_name("coins & dice", "-report.html"), file_name("../x", ".zip")
    ('coins-dice-report.html', 'x.zip')
    """
    return f"{re.sub(r'[^A-Za-z0-9_]+', '-', about).strip('-')[:80] or 'study'}{ending}"


def html_file(html: str, name: str) -> Response:
    """Send HTML as a file to keep."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(html, media_type="text/html; charset=utf-8", headers=headers)
