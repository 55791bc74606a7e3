"""A server that begins to serve has brought to mind what open links lead to, and has done nothing else."""

from pathlib import Path

from starlette.testclient import TestClient

from mensura.web.participant.warm_up import warm_up

BROKEN = """
from mensura.dialogue import test

@test("broken-v1")
def broken(rng):
    raise OSError("The stage is on fire.")
    yield
"""


def test_a_session_of_each_run_with_open_links_is_warmed_up(app, links):
    links("coin")
    links("coin")
    links("corridor")
    assert warm_up(app.state.laboratory) == 3


def test_a_warm_up_stores_nothing_and_nobody_has_entered(app, store, links, enter):
    [link] = links("coin")
    with TestClient(app) as client:
        assert client.get("/health").json() == {"ok": True}
        assert store.events.last_number(link.session) == 0
        assert [one.entered for one in app.state.laboratory.store.invitations.all()] == [None]
        assert enter(link.path).kind == "ask"


def test_links_that_are_closed_are_left_out(app, links):
    links("coin")
    app.state.laboratory.store.invitations.close(1)
    assert warm_up(app.state.laboratory) == 0


def test_a_session_that_has_begun_goes_on_where_it_was(app, store, links, enter):
    [link] = links("coin")
    enter(link.path).answer("heads")
    stored = store.events.last_number(link.session)
    assert warm_up(app.state.laboratory) == 1
    assert store.events.last_number(link.session) == stored
    assert enter(link.path).kind == "ask"


def test_a_test_that_fails_does_not_keep_the_server_from_serving(app, links, enter, tmp_path: Path):
    file = tmp_path / "broken.py"
    file.write_text(BROKEN)
    links(f"{file}:broken")
    [link] = links("coin")
    with TestClient(app) as client:
        assert client.get("/health").status_code == 200
        assert enter(link.path).kind == "ask"
