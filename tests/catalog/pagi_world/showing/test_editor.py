"""The editor: what it answers, and rooms that are built in a browser, by pointer and by key."""

import json
import subprocess
import threading
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from shutil import which
from urllib.error import HTTPError
from urllib.request import urlopen

import numpy as np
import pytest
from click.testing import CliRunner

from mensura.catalog.pagi_world.command import command
from mensura.catalog.pagi_world.rooms.room import draw_room, find_room, list_rooms
from mensura.catalog.pagi_world.showing import local_page
from mensura.catalog.pagi_world.showing.editor import BLANK, THING_FIELDS, RoomEditor, written
from mensura.catalog.pagi_world.showing.local_page import PageServer
from mensura.catalog.pagi_world.world.plan import ThingPlan
from mensura.errors import MensuraError
from mensura.extension import extensions
from mensura.store import open_store
from mensura.web.local import served
from mensura.web.settings import WebSettings
from tests.catalog.pagi_world.rooms.test_rooms import solved
from tests.waiting import until
from tests.web import axe

FLOOR = {"kind": "floatingHorizontalWall", "name": "floor", "at": [0, -1.275], "size": [40, 2.55]}
MOST_ACTIONS = 40
PASSWORD = "a long enough password"


def room(*things, **more):
    return {**BLANK, "things": [FLOOR, *things], "success": {"eaten": "apple"}, **more}


APPLE = {"kind": "apple", "at": [4, 0.45]}


@pytest.mark.parametrize(
    ("asked", "words", "names"),
    [
        (room(APPLE, {"kind": "block", "at": [4, 0.5]}), "lie in each other", ("apple", "block")),
        (room({"kind": "apple", "at": [300, 0.45]}), "nobody can reach that", ("apple",)),
        (room(APPLE, APPLE), "taken twice", ()),
        (room({**APPLE, "picture": "../key.png"}), "outside the folder", ("apple",)),
        (room(), "nobody could reach that", ()),
        (room(APPLE, success={"gone": "pear"}), "nobody could reach that", ()),
        (room({**APPLE, "mass": 0}), "mass lies between", ()),
        (room(APPLE, groups=[["pear"]]), "groups of a room", ()),
        (room(APPLE, groups=7), "groups of a room", ()),
    ],
)
def test_it_says_what_is_wrong_in_a_sentence(asked, words, names):
    faults = RoomEditor().answer({"room": asked})["faults"]
    assert any(words in fault["words"] and tuple(fault["names"]) == names for fault in faults)


def test_it_finds_nothing_wrong_with_the_rooms_that_come_with_it():
    for name in list_rooms():
        said = RoomEditor().answer({"room": find_room(name), "seed": 3})
        assert not [fault for fault in said["faults"] if fault["refused"]], name


def test_another_draw_gives_other_numbers_for_the_same_expressions():
    one, other = (RoomEditor().answer({"room": find_room("jump-the-gap"), "seed": seed}) for seed in (1, 2))
    assert one["values"]["[gap - 20]"] == pytest.approx(one["drawn"]["gap"] - 20)
    assert one["values"].keys() == other["values"].keys()
    assert one["values"]["[gap - 20]"] != other["values"]["[gap - 20]"]


def test_every_property_of_a_thing_has_a_field():
    assert {name for name, _, _ in THING_FIELDS} | {"kind"} == {part.name for part in fields(ThingPlan)}


def test_a_room_is_tried_at_once():
    tried = RoomEditor().answer({"room": find_room("jump-the-gap"), "want": "run", "who": {"subject": "solver"}})
    assert tried["success"]
    assert tried["film"][-1]["time"] == pytest.approx(tried["seconds"], abs=1e-3)
    assert "apple" in tried["film"][0]["things"]
    assert "apple" not in tried["film"][-1]["things"]
    said = RoomEditor().answer({"room": find_room("three-pills"), "want": "run", "who": dict.fromkeys("abc", "solver")})
    assert [text for _, _, text in said["said"]] == ["I don't know", "I was not given the dumbing pill"]


@pytest.mark.parametrize(
    "more", [{"who": {"subject": "nobody"}}, {"seed": -1}, {"want": "money"}, {"room": 3}, {"room": room()}]
)
def test_what_cannot_be_tried_is_refused(more):
    with pytest.raises(MensuraError):
        RoomEditor().answer({"room": room(APPLE), "want": "run", **more})


def test_a_script_that_does_not_fit_is_no_crash():
    other = room(APPLE, name="jump-the-gap")
    with pytest.raises(MensuraError, match="cannot play this room: it misses 'gap'"):
        RoomEditor().answer({"room": other, "want": "run", "who": {"subject": "solver"}})


@pytest.mark.parametrize("name", list_rooms())
def test_loading_and_saving_leaves_a_room_equal(name, tmp_path):
    path = tmp_path / "room.json"
    RoomEditor(path=path).answer({"room": find_room(name), "want": "save"})
    text = path.read_text()
    assert json.loads(text) == find_room(name) == find_room(str(path))
    RoomEditor(path=path).answer({"room": json.loads(text), "want": "save"})
    assert path.read_text() == text


def test_what_is_refused_is_not_written_over_what_can_be_played(tmp_path):
    path = tmp_path / "room.json"
    path.write_text(written(room(APPLE)))
    with pytest.raises(MensuraError, match=r"Not saved.*taken twice"):
        RoomEditor(path=path).answer({"room": room(APPLE, APPLE), "want": "save"})
    assert json.loads(path.read_text()) == room(APPLE)


def test_undo_groups_ranges_and_names_keep_the_room_whole():
    """Run the logic of the page in Node, with its own assertions."""
    node = which("node")
    if node is None:
        pytest.skip("Node is not installed")
    script = __file__.replace("test_editor.py", "room_state.test.mjs")
    run = subprocess.run([node, "--test", script], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


@contextmanager
def edited(begin=BLANK, path=None):
    editor = RoomEditor(begin, path)
    server = PageServer(editor, editor.answer, 0)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.address
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.parametrize(
    ("arguments", "name", "path"),
    [
        ([], "my-room", None),
        (["jump-the-gap", "-o", "mine.json"], "jump-the-gap", "mine.json"),
        (["made.json"], "made", "made.json"),
        (["-o", "made.json"], "made", "made.json"),
    ],
)
def test_the_command_opens_a_room_and_says_where_it_is_saved(arguments, name, path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "made.json").write_text(written(room(APPLE, name="made")))
    pages = []
    monkeypatch.setattr(local_page, "serve_page", lambda page, **more: pages.append(page))
    ran = CliRunner().invoke(command, ["edit", "--no-open", *arguments])
    assert ran.exit_code == 0, ran.output
    assert pages[0].room["name"] == name
    assert pages[0].path == (path and Path(path))
    assert CliRunner().invoke(command, ["edit", "nowhere"]).exit_code == 1


def test_the_page_is_only_for_who_has_its_address():
    with edited() as address:
        with urlopen(address) as page:
            assert b"Build a room" in page.read()
        home = address.rsplit("/", 2)[0]
        for place in (home + "/", home + "/secret/", address + "../command.py", address + "nothing.js"):
            with pytest.raises(HTTPError):
                urlopen(place)
        with pytest.raises(HTTPError) as refused:
            urlopen(address + "ask", b"asked=%5B")
        assert "not JSON" in json.loads(refused.value.read())["fault"]


class Hand:
    """A person's hand: every press of pointer or key, every text typed and every turn of the wheel is an action."""

    def __init__(self, page):
        self.page, self.actions = page, 0

    def click(self, selector):
        self.actions += 1
        self._seen(selector).click()

    def click_at(self, spot):
        self.actions += 1
        self.page.mouse.click(*self._screen(spot))

    def drag(self, spot, to):
        self.actions += 1
        self.page.mouse.move(*self._screen(spot))
        self.page.mouse.down()
        self.page.mouse.move(*self._screen(to), steps=4)
        self.page.mouse.up()

    def key(self, key):
        self.actions += 1
        self.page.keyboard.press(key)

    def type(self, text):
        """Type into the field that has the keyboard, over what is selected there."""
        self.actions += 1
        self.page.keyboard.type(text)

    def choose(self, selector, option):
        """Open a menu, and choose from it."""
        self.actions += 2
        self._seen(selector).select_option(option)

    def into(self, selector, text):
        """Press on a field and type into it."""
        self.actions += 2
        self._seen(selector).fill(text)

    def _seen(self, selector):
        """Turn the wheel where that is needed to see it."""
        found = self.page.locator(selector).first
        box, size = found.bounding_box(), self.page.viewport_size
        if not 0 <= box["y"] <= size["height"] - box["height"]:
            self.actions += 1
            found.evaluate("(one) => one.scrollIntoView({ block: 'center' })")
        return found

    def _screen(self, spot):
        place = self.page.evaluate(
            "async (spot) => { const { stage } = await import(document.querySelector('script[src*=editor]').src);"
            " const box = stage.canvas.getBoundingClientRect(), [left, top] = stage.room.toScreen(spot);"
            " return [box.left + left, box.top + top]; }",
            list(spot),
        )
        assert 0 < place[1] < self.page.viewport_size["height"]
        return place


@contextmanager
def opened(chromium, address, width=1280, ready="[data-state=ready], [data-state=refused]"):
    faults = []
    context = chromium.new_context(viewport={"width": width, "height": 900})
    page = context.new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(address)
    page.wait_for_selector(ready)
    yield page
    context.close()
    assert faults == []


@pytest.mark.browser
def test_jump_the_gap_is_rebuilt_in_forty_actions(chromium, tmp_path):
    path = tmp_path / "jump.json"
    original = find_room("jump-the-gap")
    with edited(path=path) as address, opened(chromium, address) as page:
        hand = Hand(page)
        hand.drag((0, 1.14), (-2, 1.14))
        hand.click_at((0, -1.275))
        hand.key("Enter")
        hand.type("near floor")
        hand.key("Tab")
        hand.type("gap - 20, -1.275")
        hand.key("Control+d")
        page.wait_for_selector("#ed-title:text-is('near floor 2')")
        hand.type("far floor")
        hand.key("Tab")
        hand.type("gap + width + 20, -1.275")
        hand.click("[data-kind=apple]")
        hand.key("Tab")
        hand.type("gap + width + beyond, 0.45")
        hand.click("[data-kind=lavaField]")
        hand.type("lava")
        hand.key("Tab")
        hand.type("gap + width / 2, -12")
        hand.key("Tab")
        hand.type("width + 4, 2")
        hand.click(".ed-range")
        hand.type("; ".join(f"{name} = {ends['from']} to {ends['to']}" for name, ends in original["draws"].items()))
        hand.key("Enter")
        hand.choose(".ed-success select", "eaten")
        hand.choose(".ed-failure select", "below")
        hand.into(".ed-failure .ed-short", "-6")
        hand.into(".ed-room [data-field=name] input", "jump-the-gap")
        hand.key("Tab")
        hand.type(original["instructions"])
        hand.key("Tab")
        hand.type("15")
        hand.key("Control+s")
        page.wait_for_selector(f".ed-said:text-is('Saved to {path}.')")
    assert hand.actions <= MOST_ACTIONS, hand.actions
    rebuilt = find_room(str(path))
    assert rebuilt["instructions"] == original["instructions"]
    for seed in range(20):
        one, other = (draw_room(found, np.random.default_rng(seed)) for found in (rebuilt, original))
        assert replace(one, things=sorted(one.things, key=str)) == replace(other, things=sorted(other.things, key=str))
    assert all(solved(str(path), seed) for seed in (1, 2, 3))


@pytest.mark.browser
def test_a_room_is_built_tried_and_saved_by_keys_alone(chromium, tmp_path):
    path = tmp_path / "keys.json"
    with edited(path=path) as address, opened(chromium, address) as page:
        keys = page.keyboard.press
        page.locator(".ed-stage").focus()
        keys("a")
        keys("Tab")
        keys("Enter")
        # An apple in the middle, whose name has the keyboard.
        page.wait_for_function("document.activeElement.value === ''")
        keys("Escape")
        for key in ("ArrowRight", "ArrowRight", "Shift+ArrowUp", "Period", "Control+d"):
            keys(key)
        page.wait_for_selector("#ed-title:text-is('apple 2')")
        page.keyboard.type("pear")
        keys("Tab")
        page.keyboard.type("2 to 6, 3")
        keys("Escape")
        for key in ("n", "p", "Shift+N", "Control+g"):
            keys(key)
        page.locator(".ed-success select").select_option("eaten")
        page.wait_for_selector("[data-state=ready]")
        page.locator(".ed-stage").focus()
        before = page.inner_text(".ed-ranges")
        keys("r")
        page.wait_for_function("before => document.querySelector('.ed-ranges').innerText !== before", arg=before)
        keys("Control+z")
        keys("Control+Shift+z")
        keys("Control+s")
        page.wait_for_selector(".ed-said:has-text('Saved')")
        keys("?")
        assert "duplicate it" in page.inner_text(".ed-help")
        assert axe.faults_of(page) == []
        keys("Control+Enter")
        page.wait_for_selector(".ed-result:has-text('olved after')")
    built = find_room(str(path))
    names = [thing.get("name", thing["kind"]) for thing in built["things"]]
    assert names == ["floor", "apple", "pear"]
    assert built["things"][2]["at"] == ["[pear_x]", 3]
    assert built["draws"] == {"pear_x": {"from": 2, "to": 6}}
    assert len(built["groups"]) == 1
    assert built["things"][1]["angle"] == -15


@contextmanager
def in_the_laboratory(chromium, place):
    with open_store(place) as store:
        store.accounts.add("Erin", password=PASSWORD, role="experimenter")
    with (
        served(WebSettings(store=place)) as home,
        opened(chromium, home + "/lab/login", width=390, ready="form") as page,
    ):
        page.get_by_label("Name").fill("Erin")
        page.get_by_label("Password").fill(PASSWORD)
        page.keyboard.press("Enter")
        page.wait_for_url("**/lab*")
        page.goto(home + "/lab/pages/room-editor")
        page.wait_for_selector("[data-state=refused]")
        page.locator(".ed-begin").select_option("jump-the-gap")
        page.wait_for_selector("[data-state=ready]")
        yield page


@contextmanager
def alone(chromium, place):
    with edited(find_room("jump-the-gap")) as address, opened(chromium, address, width=390) as page:
        yield page


@pytest.mark.browser
@pytest.mark.parametrize("where", [alone, in_the_laboratory])
def test_a_phone_shows_the_room_and_moves_things(where, chromium, tmp_path):
    if where is in_the_laboratory and "room-editor" not in extensions("mensura.pages"):
        pytest.skip("the package must be installed anew")
    with where(chromium, str(tmp_path / "mensura.db")) as page:
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        hand = Hand(page)
        page.locator(".ed-stage").scroll_into_view_if_needed()
        hand.drag((-2, 1.14), (-4, 1.14))
        page.wait_for_selector("[data-state=ready]")
        assert json.loads(page.locator(".ed-json").text_content())["agents"][0]["at"] == [-4, 1.14]
        assert axe.faults_of(page) == []
        with page.expect_download() as found:
            page.locator(".ed-save").click()
        found.value.save_as(tmp_path / "room.json")
        page.locator(".ed-open").set_input_files(tmp_path / "room.json")
        page.wait_for_selector("[data-state=ready]")
        (tmp_path / "bad.json").write_text("[]")
        page.locator(".ed-open").set_input_files(tmp_path / "bad.json")
        page.wait_for_selector(".ed-fault:has-text('holds no room')")
    assert find_room(str(tmp_path / "room.json"))["agents"][0]["at"] == [-4, 1.14]


@pytest.mark.browser
def test_things_are_dragged_in_turned_and_made_larger(chromium):
    handle = (
        "async (i) => { const { stage } = await import(document.querySelector('script[src*=editor]').src);"
        " return stage.handles()[i].place; }"
    )
    with edited(room(APPLE)) as address, opened(chromium, address) as page:
        hand = Hand(page)
        spot = page.locator("[data-kind=bacon]").bounding_box()
        page.mouse.move(spot["x"] + 9, spot["y"] + 9)
        page.mouse.down()
        page.mouse.move(*hand._screen((2, 2)), steps=3)
        page.mouse.up()
        # What is said of the room above the stage moves it.
        page.wait_for_selector("[data-state=ready]")
        turn, size = (page.evaluate(handle, i) for i in (0, 1))
        hand.drag(size, (size[0] + 0.5, size[1] - 1))
        page.wait_for_selector("[data-state=ready]")
        hand.drag(page.evaluate(handle, 0), (2 - (turn[1] - 2), 2))
        # It is written when the room has been read again.
        bacon = {"kind": "bacon", "at": [2, 2], "size": [2.2, 2.5], "angle": 90}
        until(lambda: json.loads(page.locator(".ed-json").text_content())["things"][-1] == bacon)
        for _ in range(3):
            page.get_by_role("button", name="Undo").click()
        page.wait_for_selector("[data-state=ready]")
        until(lambda: json.loads(page.locator(".ed-json").text_content()) == room(APPLE))


@pytest.mark.browser
def test_what_is_wrong_is_shown_where_it_is(chromium):
    things = (APPLE, {"kind": "block", "at": [4, 0.5]}, {"kind": "triggerBox", "at": [0, 6]})
    with edited(room(*things)) as address, opened(chromium, address) as page:
        assert "apple and block lie in each other." in page.inner_text(".ed-fault")
        page.get_by_role("button", name="Show").click()
        assert page.inner_text("#ed-title") == "2 things"
        page.locator(".ed-list").get_by_text("triggerBox").click()
        page.get_by_label("OE", exact=True).check()
        page.locator(".ed-list").get_by_text("apple").click()
        page.locator("[data-field=name] input").first.fill("block")
        page.keyboard.press("Enter")
        page.wait_for_selector(".ed-fault.wrong:has-text('taken twice')")
        page.keyboard.press("Escape")
        page.keyboard.press("Control+z")
        page.wait_for_selector(".ed-fault.doubtful")
        told = json.loads(page.locator(".ed-json").text_content())
    assert told["things"][3]["events"] == ["OE"]
    assert told["things"][1] == APPLE
