"""Schemathesis finds nothing: whatever fits the description is served, whatever does not is refused in its words."""

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import schemathesis
import uvicorn
from fastapi.routing import APIRoute
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.config import SchemathesisConfig

from mensura.web.api import changing, reading
from tests.waiting import PATIENCE_SECONDS, until

EXAMPLES = 5
ACCEPTED = ["2xx", "404", "409", "422"]
RUN = r"[A-Za-z0-9_.-]{1,200}"
ADDRESS = r"(\d{1,12}\.){2}\d{1,12}"
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def described(served: Any) -> Any:
    """Load the description from the app itself."""
    config = SchemathesisConfig.from_dict(
        {
            "checks": {
                # Which parameters a test takes, and which values, no schema can say: that is refused by a sentence.
                "positive_data_acceptance": {"expected-statuses": ACCEPTED},
            },
        }
    )
    return schemathesis.openapi.from_asgi("/api/openapi.json", served.app, config=config)


def meet_something(case: Any, served: Any) -> None:
    """Let many of the requests meet something that is there: random names never do."""
    known = [*served.runs, served.people]
    given = case.path_parameters
    size = len(repr(given))
    if re.fullmatch(RUN, str(given.get("run", ""))) and size % 3:
        given["run"] = known[size % len(known)]
    if re.fullmatch(ADDRESS, str(given.get("address", ""))):
        given["address"] = f"0.0.{size % 4}"


OPERATIONS = [
    (method, f"/api/v1{route.path}")
    for route in (*reading.router.routes, *changing.router.routes)
    if isinstance(route, APIRoute)
    for method in sorted(route.methods)
]


@pytest.mark.proof
def test_schemathesis_itself_finds_nothing(served: Any, tmp_path: Path) -> None:
    """Let its own engine try what people forget: bounds, types and methods that are just not right."""
    served.get("/runs")
    # Runs that are started here are written down; nobody needs to wait until they are taken.
    served.app.state.office.background.close()
    settled = tmp_path / "schemathesis.toml"
    settled.write_text(
        f"""
[parameters]
run = "{served.runs[0]}"
address = "0.0.1"
first = "{served.runs[0]}"
second = "{served.runs[1]}"
[checks]
positive_data_acceptance.expected-statuses = {json.dumps(ACCEPTED)}
"""
    )
    with serving(served.app) as address:
        command = [str(Path(sys.executable).with_name("schemathesis")), "--config-file", str(settled), "run"]
        command += [f"{address}/api/openapi.json", "-H", f"Authorization: Bearer {served.tokens['experimenter']}"]
        command += ["--phases", "coverage", "--seed", "1"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=tmp_path)
    assert done.returncode == 0, done.stdout[-6000:]
    assert "19 selected / 19 total" in done.stdout


@contextmanager
def serving(app: Any) -> Iterator[str]:
    """Serve the app on a port of this machine."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until(lambda: server.started or not thread.is_alive())
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join(PATIENCE_SECONDS)


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["right", "wrong"])
def test_the_interface_keeps_its_description(
    described: Any, served: Any, method: str, path: str, mode: GenerationMode
) -> None:
    operation = described[path.replace(":path", "")][method]
    tried = 0

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def call(case: Any) -> None:
        nonlocal tried
        tried += 1
        meet_something(case, served)
        case.call_and_validate(headers=served.headers("experimenter"))

    call()
    assert tried > 0
