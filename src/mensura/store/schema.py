"""The tables of a store, as they are in the newest version; `migrations` leads there."""

from typing import Any

from sqlalchemy import BigInteger, Boolean, Column, Float, ForeignKey, Integer, MetaData, Table, Text

metadata = MetaData()
KINDS: dict[str, Any] = {
    # SQLite numbers rows only where the type is INTEGER.
    "serial": BigInteger().with_variant(Integer, "sqlite"),
    "text": Text(),
    "whole": BigInteger(),
    "real": Float(),
    "flag": Boolean(),
}


def _table(name: str, *columns: str) -> Table:
    """Make a table of columns written as `name kind`; a kind with a question mark may be NULL."""
    return Table(name, metadata, *(_column(*column.split()) for line in columns for column in line.split(", ")))


def _column(name: str, kind: str, *more: str) -> Column[object]:
    said = dict(zip(more, [*more[1:], ""], strict=False))
    return Column(
        name,
        KINDS[kind.rstrip("?")],
        *([ForeignKey(said["of"])] if "of" in said else []),
        primary_key=kind == "serial" or "key" in said,
        nullable=kind.endswith("?"),
        unique="unique" in said or None,
        server_default=said["default"].strip("'") if "default" in said else None,
    )


meta = _table("meta", "name text key, value text")
runs = _table(
    "runs",
    "number serial, id text unique, test text, parameters text, cast text, condition text, instance_hash text",
    "environment_hash text, seed text?, seed_mark text default '', seed_public flag, trace text, created real",
    "details text, opened real?, register text default ''",
)
sessions = _table(
    "sessions",
    "number serial, id text unique, run whole of runs.number, course whole, phase whole, session whole",
    "item text default '', cast text, status text, created real, ended real?, last_words text, secret text?",
    "head text?",
)
contents = _table("contents", "address text key, body text")
events = _table(
    "events",
    "session whole key of sessions.number, number whole key, kind text, role text, key text, tick whole, value text?",
    "reward real?, until whole?, nonce text?, notes text?, content text? of contents.address, time real?, sealed text?",
)
truths = _table(
    "truths",
    "session whole key of sessions.number, key text key, version whole key, value text, source text, time real?",
)
results = _table(
    "results",
    "number serial, session whole of sessions.number, scoring text, instance_hash text, environment_hash text",
    "scores text, details text, account text default {}, time real",
)
links = _table("links", "session whole key of sessions.number, place whole key, listed text, head text")
exclusions = _table(
    "exclusions", "number serial, session text, excluded flag, reason text, planned flag, who text, time real"
)

deeds = _table("deeds", "number serial, session text, kind text, body text, who text, time real")

accounts = _table("accounts", "number serial, name text unique, password text, role text, created real, disabled flag")
keys = _table(
    "keys",
    "number serial, secret_hash text unique, account whole of accounts.number, kind text, label text, created real",
    "expires real, used real default 0",
)
second_factors = _table(
    "second_factors", "account whole key of accounts.number, secret text, since real?, used whole, recovery text"
)
# A study is known by its name, as runs and invitations know it; one without members is open by the roles of accounts.
members = _table(
    "members", "study text key, account whole key of accounts.number, role text, since real, added_by text"
)
invitations = _table(
    "invitations",
    "number serial, token_hash text unique, label text, steps text, step whole, status text, created real",
    "created_by text, expires real?, entered real?, consented real?, finished real?, details text",
)
# Names live apart from data: nothing else refers to this table, and exports leave it out unless it is asked for.
identities = _table("identities", "invitation whole key of invitations.number, name text, contact text, notes text")
# The token is public: it stands wherever people are recruited. From the secret personal links are derived.
recruiting_links = _table(
    "recruiting_links",
    "study text key, token text unique, secret text, created real, created_by text, closed real?",
)
# Only the latest sign of each: of a participant who has a page open, of a process that plays for programs.
signs = _table("signs", "name text key, holder text, seen real")
# What is left to those who ask very often, where several processes count together.
limits = _table("limits", "name text key, remaining real, time real")
# Made of documents by a key of all that could change them; what is lost can be made again.
graphs = _table("graphs", "key text key, body text")
panels = _table("panels", "number serial, name text unique, rubric text, details text, created real, closed real?")
artefacts = _table("artefacts", "number serial, panel text, code text, content text, condition text, source text")
assignments = _table(
    "assignments",
    "number serial, panel text, rater text, subject text, kind text, session text, work text, created real",
)
ratings = _table(
    "ratings",
    "number serial, artefact whole of artefacts.number, rater text, item text, value real?, comment text, kind text",
    "time real",
)
audit = _table("audit", "number serial, time real, who text, did text, what text, details text")
