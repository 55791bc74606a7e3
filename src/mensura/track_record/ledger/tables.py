"""The table of the ledger: events that are only ever added; scores follow from them whenever they are asked for."""

from sqlalchemy import JSON, Column, Float, Integer, MetaData, String, Table, UniqueConstraint

metadata = MetaData()

events = Table(
    "forecasting_events",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("question", String, nullable=False, index=True),
    Column("version", Integer, nullable=False),
    Column("kind", String, nullable=False),
    Column("who", String, nullable=False),
    Column("at", Float, nullable=False),
    # When the ledger itself was told, and the hash that ties the event to the one before it on the same question.
    Column("entered", Float, nullable=True),
    Column("link", String, nullable=True),
    Column("why", String, nullable=False, default=""),
    Column("content", JSON, nullable=False),
    # Two writers who saw the same state of a question cannot both go on from it.
    UniqueConstraint("question", "version"),
)
