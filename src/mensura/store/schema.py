"""The tables of a store, as they are in the newest version; `migrations` leads there."""

from sqlalchemy import BigInteger, Boolean, Column, Float, ForeignKey, Integer, MetaData, Table, Text

metadata = MetaData()
# SQLite numbers rows only where the type is INTEGER.
Serial = BigInteger().with_variant(Integer, "sqlite")

meta = Table("meta", metadata, Column("name", Text, primary_key=True), Column("value", Text, nullable=False))

runs = Table(
    "runs",
    metadata,
    Column("number", Serial, primary_key=True),
    Column("id", Text, nullable=False, unique=True),
    Column("test", Text, nullable=False),
    Column("parameters", Text, nullable=False),
    Column("cast", Text, nullable=False),
    Column("condition", Text, nullable=False),
    Column("instance_hash", Text, nullable=False),
    Column("environment_hash", Text, nullable=False),
    Column("seed", Text),
    Column("seed_mark", Text, nullable=False, server_default=""),
    Column("seed_public", Boolean, nullable=False),
    Column("trace", Text, nullable=False),
    Column("created", Float, nullable=False),
    Column("details", Text, nullable=False),
    Column("opened", Float),
    Column("register", Text, nullable=False, server_default=""),
)

sessions = Table(
    "sessions",
    metadata,
    Column("number", Serial, primary_key=True),
    Column("id", Text, nullable=False, unique=True),
    Column("run", BigInteger, ForeignKey("runs.number"), nullable=False),
    Column("course", BigInteger, nullable=False),
    Column("phase", BigInteger, nullable=False),
    Column("session", BigInteger, nullable=False),
    Column("item", Text, nullable=False, server_default=""),
    Column("cast", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("created", Float, nullable=False),
    Column("ended", Float),
    Column("last_words", Text, nullable=False),
    Column("secret", Text),
    Column("head", Text),
)

contents = Table("contents", metadata, Column("address", Text, primary_key=True), Column("body", Text, nullable=False))

events = Table(
    "events",
    metadata,
    Column("session", BigInteger, ForeignKey("sessions.number"), primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("tick", BigInteger, nullable=False),
    Column("value", Text),
    Column("reward", Float),
    Column("until", BigInteger),
    Column("nonce", Text),
    Column("notes", Text),
    Column("content", Text, ForeignKey("contents.address")),
    Column("time", Float),
    Column("sealed", Text),
)

truths = Table(
    "truths",
    metadata,
    Column("session", BigInteger, ForeignKey("sessions.number"), primary_key=True),
    Column("key", Text, primary_key=True),
    Column("version", BigInteger, primary_key=True),
    Column("value", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("time", Float),
)

results = Table(
    "results",
    metadata,
    Column("number", Serial, primary_key=True),
    Column("session", BigInteger, ForeignKey("sessions.number"), nullable=False),
    Column("scoring", Text, nullable=False),
    Column("instance_hash", Text, nullable=False),
    Column("environment_hash", Text, nullable=False),
    Column("scores", Text, nullable=False),
    Column("details", Text, nullable=False),
    Column("account", Text, nullable=False, server_default="{}"),
    Column("time", Float, nullable=False),
)

links = Table(
    "links",
    metadata,
    Column("session", BigInteger, ForeignKey("sessions.number"), primary_key=True),
    Column("place", BigInteger, primary_key=True),
    Column("listed", Text, nullable=False),
    Column("head", Text, nullable=False),
)
