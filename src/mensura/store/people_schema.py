"""The tables of the laboratory: accounts and keys, invitations, identities, exclusions, panels, the audit trail."""

from sqlalchemy import BigInteger, Boolean, Column, Float, ForeignKey, Table, Text

from mensura.store.schema import Serial, metadata

accounts = Table(
    "accounts",
    metadata,
    Column("number", Serial, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("password", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("created", Float, nullable=False),
    Column("disabled", Boolean, nullable=False),
)

keys = Table(
    "keys",
    metadata,
    Column("number", Serial, primary_key=True),
    Column("secret_hash", Text, nullable=False, unique=True),
    Column("account", BigInteger, ForeignKey("accounts.number"), nullable=False),
    Column("kind", Text, nullable=False),
    Column("label", Text, nullable=False),
    Column("created", Float, nullable=False),
    Column("expires", Float, nullable=False),
)

invitations = Table(
    "invitations",
    metadata,
    Column("number", Serial, primary_key=True),
    Column("token_hash", Text, nullable=False, unique=True),
    Column("label", Text, nullable=False),
    Column("steps", Text, nullable=False),
    Column("step", BigInteger, nullable=False),
    Column("status", Text, nullable=False),
    Column("created", Float, nullable=False),
    Column("created_by", Text, nullable=False),
    Column("expires", Float),
    Column("entered", Float),
    Column("consented", Float),
    Column("finished", Float),
    Column("details", Text, nullable=False),
)

# Names live apart from data: nothing else refers to this table, and exports leave it out unless it is asked for.
identities = Table(
    "identities",
    metadata,
    Column("invitation", BigInteger, ForeignKey("invitations.number"), primary_key=True),
    Column("name", Text, nullable=False),
    Column("contact", Text, nullable=False),
    Column("notes", Text, nullable=False),
)

# Only the latest sign of each: of a participant who has a page open, of a process that plays for programs.
signs = Table(
    "signs",
    metadata,
    Column("name", Text, primary_key=True),
    Column("holder", Text, nullable=False),
    Column("seen", Float, nullable=False),
)

exclusions = Table(
    "exclusions",
    metadata,
    Column("number", Serial, primary_key=True),
    Column("session", Text, nullable=False),
    Column("excluded", Boolean, nullable=False),
    Column("reason", Text, nullable=False),
    Column("planned", Boolean, nullable=False),
    Column("who", Text, nullable=False),
    Column("time", Float, nullable=False),
)

artefacts = Table(
    "artefacts",
    metadata,
    Column("number", Serial, primary_key=True),
    Column("panel", Text, nullable=False),
    Column("code", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("condition", Text, nullable=False),
    Column("source", Text, nullable=False),
)

ratings = Table(
    "ratings",
    metadata,
    Column("number", Serial, primary_key=True),
    Column("artefact", BigInteger, ForeignKey("artefacts.number"), nullable=False),
    Column("rater", Text, nullable=False),
    Column("item", Text, nullable=False),
    Column("value", Float),
    Column("comment", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("time", Float, nullable=False),
)

panels = Table(
    "panels",
    metadata,
    Column("number", Serial, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("rubric", Text, nullable=False),
    Column("details", Text, nullable=False),
    Column("created", Float, nullable=False),
    Column("closed", Float),
)

assignments = Table(
    "assignments",
    metadata,
    Column("number", Serial, primary_key=True),
    Column("panel", Text, nullable=False),
    Column("rater", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("session", Text, nullable=False),
    Column("work", Text, nullable=False),
    Column("created", Float, nullable=False),
)

audit = Table(
    "audit",
    metadata,
    Column("number", Serial, primary_key=True),
    Column("time", Float, nullable=False),
    Column("who", Text, nullable=False),
    Column("did", Text, nullable=False),
    Column("what", Text, nullable=False),
    Column("details", Text, nullable=False),
)
