"""Acts: what can be done in the office, one noun per file; each is a function of office, role and arguments."""

from collections.abc import Callable
from typing import Any

from mensura.catalog.crisis.office.acts.advice import ADVICE
from mensura.catalog.crisis.office.acts.mail import MAIL
from mensura.catalog.crisis.office.acts.orders import ORDERS
from mensura.catalog.crisis.office.acts.pages import PAGES
from mensura.catalog.crisis.office.acts.rooms import ROOMS
from mensura.catalog.crisis.office.acts.schedule import SCHEDULE
from mensura.catalog.crisis.office.acts.tables import TABLES
from mensura.catalog.crisis.office.acts.writing import WRITING
from mensura.catalog.crisis.office.history import Said

Act = Callable[..., Said]

ACTS: dict[str, Act] = {**MAIL, **PAGES, **SCHEDULE, **ROOMS, **TABLES, **ORDERS, **WRITING, **ADVICE}

Arguments = dict[str, Any]
