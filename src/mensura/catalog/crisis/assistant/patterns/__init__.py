"""Patterns: engineered ways to read form entries out of mail, by what the entry is about."""

from mensura.catalog.crisis.assistant.patterns.attendance import event_facts
from mensura.catalog.crisis.assistant.patterns.candidate import Candidate, Pattern
from mensura.catalog.crisis.assistant.patterns.constraint import availability, preferences
from mensura.catalog.crisis.assistant.patterns.losses import losses
from mensura.catalog.crisis.assistant.patterns.order import orders
from mensura.catalog.crisis.assistant.patterns.seats import room_facts
from mensura.catalog.crisis.assistant.patterns.website import web_entries

PATTERNS: tuple[Pattern, ...] = (losses, room_facts, event_facts, availability, preferences, web_entries, orders)

__all__ = ["PATTERNS", "Candidate", "Pattern", "losses"]
