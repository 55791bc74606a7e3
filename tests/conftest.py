"""A real PostgreSQL server, started once and shared by all workers of a test run."""

import os
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """Start the server and give the URL of its first database."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pgserver = pytest.importorskip("pgserver", reason="pgserver brings the PostgreSQL that these tests start")
    # Not below pytest's own folder: that one is closed to the user under which the server runs when we are root.
    name = os.environ.get("PYTEST_XDIST_TESTRUNUID", uuid4().hex)
    folder = Path(tempfile.gettempdir()) / f"mensura-postgres-{name[:12]}"
    server = pgserver.get_server(folder, cleanup_mode="delete")
    yield server.get_uri()
    server.cleanup()


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    """Give the URL of a new, empty database of the server; use it in tests marked `postgres`."""
    import psycopg

    name = f"test_{uuid4().hex}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield postgres_server.replace("/postgres?", f"/{name}?")
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
