"""Routes: all pages of the experimenters in one router, which the application includes."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import APIRouter

from mensura.web.lab import own
from mensura.web.lab.items import calibration
from mensura.web.lab.pages import (
    accounts,
    audit,
    compare,
    entry,
    exclusions,
    exports,
    invitations,
    items,
    members,
    observe,
    overview,
    panels,
    runs,
    sessions,
    studies,
    tests,
)
from mensura.web.lab.people import second_factor
from mensura.web.lab.studies import amending, dry_runs, importing, people, plan, registering
from mensura.web.lab.studies import panels as study_panels


@asynccontextmanager
async def closing(app: Any) -> AsyncIterator[None]:
    """Stop what goes on in the background when the server stops."""
    yield
    office = getattr(app.state, "office", None)
    if office is not None:
        office.background.close()


# Exact addresses stand before those with a name in them, which would swallow them.
PARTS = (
    entry,
    exports,
    overview,
    tests,
    exclusions,
    invitations,
    observe,
    plan,
    dry_runs,
    registering,
    importing,
    amending,
    people,
    study_panels,
    members,
    studies,
    sessions,
    runs,
    compare,
    calibration,
    items,
    accounts,
    second_factor,
    audit,
    own,
    panels,
)
router = APIRouter(lifespan=closing, include_in_schema=False)
for part in PARTS:
    router.include_router(part.router)
