"""What many tests share: a real PostgreSQL server, one Chromium for each worker of a test run, a language model."""

import fcntl
import gc
import json
import os
import tempfile
import threading
import warnings
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, settings
from sqlalchemy import event
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

from tests.hand_clock import HandClock
from tests.serving import serving

# Tests run beside one another, and threads of one algebra library only wait for one another, busily: half of what the
# estimates of responses took. It is read when numpy is first imported, which is after this.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# The same for PyTorch, whose threads wait even more busily for one another.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# How long an example takes depends on what else the machine does.
# The same fifty examples at every run: whoever changes something else is not stopped by a rare one. Proofs look at
# hundreds, and at others each time, of tests that do not name a number.
settings.register_profile(
    "busy", deadline=None, max_examples=50, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", settings.get_profile("busy"), max_examples=500, derandomize=False)
settings.load_profile("busy")

# What is collected lives as long as the run: looking through it again and again for garbage took a third of collecting.
gc.disable()

PATIENCE_MS = 120_000
"""How long a page may take: a fault takes longer to show, and a busy machine is none."""

COUNTED = {"dialogue", "scores", "stats"}
"""The folders whose own tests must run nearly all of their lines."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests by which coverage is counted; simulations are slow, all the more so while lines are counted."""
    _leave_cells_to_proofs(items)
    root = Path(__file__).parents[1]
    for item in items:
        # What is below src has the name of the package before that of its folder.
        first, second, *rest = item.path.relative_to(root).parts
        folder = rest[0] if first == "src" else second
        if folder in COUNTED and not {"slow", "proof"} & {mark.name for mark in item.iter_markers()}:
            item.add_marker("counted")


def _leave_cells_to_proofs(items: list[pytest.Item]) -> None:
    """Of a table marked `cells(n)` keep n cells, evenly spread over it; the others are proofs."""
    tables: dict[tuple[Path, str], list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("cells") and not item.get_closest_marker("proof"):
            tables.setdefault((item.path, item.name.partition("[")[0]), []).append(item)
    for table in tables.values():
        kept = table[0].get_closest_marker("cells").args[0]  # type: ignore[union-attr]
        chosen = {round(place * (len(table) - 1) / max(kept - 1, 1)) for place in range(kept)}
        for place, item in enumerate(table):
            if place not in chosen:
                item.add_marker("proof")


class DoctestsWhereTheyAre:
    """Look for examples only in modules that have some: looking through all objects of all took a third of collecting.

    A plugin, not functions of this file: those would be asked about the files beside it only, not about `src`.
    """

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self, file_path: Path) -> Any:
        found = yield
        if file_path.suffix == ".py" and ">>>" not in file_path.read_text():
            return [one for one in found if type(one).__name__ != "DoctestModule"]
        return found


def pytest_addoption(pluginmanager: pytest.PytestPluginManager) -> None:
    for name in ("tests.workers", "tests.skipped"):
        pluginmanager.import_plugin(name)


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(DoctestsWhereTheyAre())


def pytest_collection_finish() -> None:
    """Look for garbage again, though not among what was collected, and less often: it took a tenth of the time."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
    gc.enable()


def pytest_unconfigure() -> None:
    """Give back what was set aside, or compiled modules would report it as leaked."""
    gc.unfreeze()


@pytest.fixture(scope="session", autouse=True)
def keys_apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the keys of all stores that tests make out of the user's own folder; programs they start inherit it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        patch.delenv("MENSURA_KEY_FILE", raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def cheap_passwords() -> Iterator[None]:
    """Hash passwords as always, but at the least cost that argon2 allows: the cost is for those who guess."""
    from mensura.store.people import accounts

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(accounts, "COST", {"iterations": 1, "lanes": 1, "memory_cost": 8})
        yield


@pytest.fixture(scope="session", autouse=True)
def statements_once() -> Iterator[None]:
    """Let the many stores of a run share their compiled statements: making them anew took a third of a small run."""
    from mensura.store import database

    compiled, made = LRUCache(2000), database.create_engine

    def sharing(*words: Any, **options: Any) -> Any:
        engine = made(*words, **options)
        engine._compiled_cache = compiled
        if engine.dialect.name == "sqlite":
            event.listen(engine, "connect", _without_waiting)
        return engine

    with pytest.MonkeyPatch.context() as patch:
        # All files are read by one kind of SQLite; statements are kept by the object that speaks with it.
        patch.setattr(SQLiteDialect_pysqlite, "__eq__", lambda self, other: type(self) is type(other))
        patch.setattr(SQLiteDialect_pysqlite, "__hash__", lambda self: hash(type(self)))
        patch.setattr(database, "create_engine", sharing)
        yield


def _without_waiting(connection: Any, record: Any) -> None:
    connection.execute("PRAGMA synchronous=OFF")


@pytest.fixture(scope="session", autouse=True)
def no_power_cuts() -> Iterator[None]:
    """Let nobody wait for the disk: only a power cut would tell, and tests of those look at what is asked of the disk.

    Programs that tests start do wait.
    """
    with pytest.MonkeyPatch.context() as patch:
        for name in ("os.fsync", "os.fdatasync", "mensura.store.flush.fdatasync"):
            # A file that is closed is refused as always.
            patch.setattr(name, lambda file: os.fstat(file) and None, raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let one worker compile what several need, and the others read its machine code: in a new clone it is a minute."""
    from numba.core.dispatcher import Dispatcher

    compiled, here, depth = Dispatcher.compile, threading.RLock(), 0

    def alone(self: Any, signature: Any) -> Any:
        nonlocal depth
        with here:
            if depth == 0:
                fcntl.flock(lock, fcntl.LOCK_EX)
            depth += 1
            try:
                return compiled(self, signature)
            finally:
                depth -= 1
                if depth == 0:
                    fcntl.flock(lock, fcntl.LOCK_UN)

    # The folders of all workers lie in one.
    with (
        (tmp_path_factory.getbasetemp().parent / "compiling").open("w") as lock,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(Dispatcher, "compile", alone)
        yield


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


def _patient(make: Callable[..., Any]) -> Callable[..., Any]:
    """Make contexts or pages that wait for a busy machine."""

    def made(**options: Any) -> Any:
        one = make(**options)
        one.set_default_timeout(PATIENCE_MS)
        return one

    return made


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """Start Debian's Chromium once for all tests: a second driver in the same thread would be refused."""
    from mensura.report.paper import find_browser

    tools = pytest.importorskip("playwright.sync_api", reason="playwright drives the browser")
    place = find_browser()
    if place is None:
        pytest.skip("Chromium is not installed; `make browser` installs it when run as root")
    with tools.sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        started = playwright.chromium.launch(executable_path=place, args=options)
        # Both ways to a page: one cannot ask Playwright for other patience once for all.
        started.new_context = _patient(started.new_context)
        started.new_page = _patient(started.new_page)
        yield started
        started.close()


@pytest.fixture
def hand_clock(monkeypatch: pytest.MonkeyPatch) -> HandClock:
    """Stop the time of day; the test says when it goes on."""
    return HandClock(monkeypatch)


@pytest.fixture
def in_a_loop() -> Callable[[Callable[[], Coroutine[Any, Any, Any]]], Any]:
    """Give what runs a coroutine in a thread of its own: the main one may belong to the browser's driver."""

    def run(main: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        import anyio

        with ThreadPoolExecutor(1) as pool:
            return pool.submit(anyio.run, main).result()

    return run


class ChatModel(ThreadingHTTPServer):
    """A language model of this machine: says what `answer` makes of each request, and keeps those it answered.

    With `left` set it answers so many more, and is out of service then.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Completing)
        self.requests: list[dict[str, Any]] = []
        self.answer: Callable[[dict[str, Any]], Any] = lambda request: None
        self.usage: Callable[[dict[str, Any]], tuple[int, int] | None] = lambda request: (10, 5)
        self.left: int | None = None
        self.native = False
        """Whether it acts by calling the functions that it is offered."""

    @property
    def name(self) -> str:
        """What a subject is called that it plays."""
        return f"llm:small@http://127.0.0.1:{self.server_address[1]}/v1"


class _Completing(BaseHTTPRequestHandler):
    """The protocol of chat completions, as far as it is needed."""

    protocol_version = "HTTP/1.1"
    server: ChatModel

    def do_GET(self) -> None:
        """List the models that there are."""
        body = json.dumps({"data": [{"id": "small"}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.server.left == 0:
            self.send_error(503)
            return
        if self.server.left is not None:
            self.server.left -= 1
        self.server.requests.append(request)
        answer = self.server.answer(request)
        message: dict[str, Any] = {"role": "assistant", "content": json.dumps({"answer": answer})}
        if self.server.native:
            function = {"name": answer["call"], "arguments": json.dumps(answer["arguments"])}
            call = {"id": f"c{len(self.server.requests)}", "type": "function", "function": function}
            message = {"role": "assistant", "content": None, "tool_calls": [call]}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        tokens = self.server.usage(request)
        usage = None if tokens is None else {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}
        body = json.dumps({"model": "small", "choices": [choice], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words: Any) -> None:
        """Say nothing."""


@pytest.fixture
def chat_model() -> Iterator[ChatModel]:
    """Start a language model that answers as the test wants it to."""
    pytest.importorskip("openai", reason="language models are reached by their makers' clients")
    with serving(ChatModel()) as model:
        yield model
