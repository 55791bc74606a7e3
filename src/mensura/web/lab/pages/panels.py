"""Panels: what raters are asked to rate."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from sqlalchemy import func, select

from mensura.store.accounts import Account
from mensura.store.people_schema import artefacts, ratings
from mensura.web.lab.access import allowed
from mensura.web.lab.page import View, shows
from mensura.web.laboratory import laboratory

router = APIRouter()


@shows(router, "/lab/panels", "panels.html")
def panels(request: Request, account: Annotated[Account, Depends(allowed("see panels"))]) -> View:
    """Show the panels and how much of each this rater has rated."""
    with laboratory(request).store.reading() as connection:
        total = connection.execute(select(artefacts.c.panel, func.count()).group_by(artefacts.c.panel)).all()
        mine = select(artefacts.c.panel, func.count(func.distinct(ratings.c.artefact)))
        mine = mine.join(ratings, ratings.c.artefact == artefacts.c.number).where(ratings.c.rater == account.name)
        done = {row[0]: row[1] for row in connection.execute(mine.group_by(artefacts.c.panel))}
    return {"panels": [{"name": row[0], "artefacts": row[1], "rated": done.get(row[0], 0)} for row in total]}
