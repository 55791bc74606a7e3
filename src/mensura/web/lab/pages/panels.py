"""Panels: what raters are asked to rate."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request

from mensura.store.accounts import Account
from mensura.web.lab.access import allowed
from mensura.web.lab.page import View, shows
from mensura.web.laboratory import laboratory
from mensura.web.panel.listing import list_panels

router = APIRouter()


@shows(router, "/lab/panels", "panels.html")
def panels(request: Request, account: Annotated[Account, Depends(allowed("see panels"))]) -> View:
    """Show the panels and how much of each this rater has rated."""
    return {"panels": list_panels(account, store=laboratory(request).store)}
