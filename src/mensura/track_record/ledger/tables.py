"""Tables of the ledger: events that are only ever added, and scores that follow from them."""

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
    Column("why", String, nullable=False, default=""),
    Column("content", JSON, nullable=False),
    # Two writers who saw the same state of a question cannot both go on from it.
    UniqueConstraint("question", "version"),
)

scores = Table(
    "forecasting_scores",
    metadata,
    Column("question", String, primary_key=True),
    Column("forecaster", String, primary_key=True),
    Column("rule", String, primary_key=True),
    Column("value", Float, nullable=True),
    Column("coverage", Float, nullable=True),
    Column("resolution", Integer, nullable=False),
)
