"""Audit: who did what, when."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request

from mensura.store.people.accounts import Account
from mensura.web.lab.page import View, shows
from mensura.web.lab.people.access import allowed
from mensura.web.laboratory import laboratory

router = APIRouter()
PAGE = 100


@shows(router, "/lab/audit", "audit.html")
def audit(
    request: Request,
    account: Annotated[Account, Depends(allowed("see the audit trail"))],
    before: Annotated[int | None, Query(ge=1, le=2**53)] = None,
) -> View:
    """Show the audit trail, the newest first."""
    lines = laboratory(request).store.trail.lines(limit=PAGE + 1, before=before)
    return {"lines": lines[:PAGE], "before": before, "next": lines[PAGE - 1].number if len(lines) > PAGE else None}
