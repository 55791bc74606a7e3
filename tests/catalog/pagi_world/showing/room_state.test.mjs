// The logic of the editor, without a page: undo and redo, groups, ranges, names.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";

// Scripts of pages are modules by how they are served, which older versions of Node do not see in their names.
const place = new URL("../../../../src/mensura/catalog/pagi_world/pages/room_state.js", import.meta.url);
const { readRange, RoomState, writtenRange } = await import(`data:text/javascript,${encodeURIComponent(await readFile(place, "utf8"))}`);

const SHAPES = { all: ["rules"], not: ["rule"], eaten: ["thing"], below: ["place", "number"], tilts: ["thing", "side"], near: ["place", "place", "number"] };
const FLOOR = { kind: "floatingHorizontalWall", name: "floor", at: [0, -1.275], size: [40, 2.55] };
const made = (...things) => new RoomState({ name: "mine", agents: [{ role: "subject", at: [0, 1.14] }], things: [FLOOR, ...things], success: { eaten: "apple" } }, SHAPES);
const APPLE = { kind: "apple", at: [4, 0.45] };

test("undo and redo give back what was, and forget what was undone once something else is done", () => {
  const state = made(APPLE);
  const [first, steps] = [JSON.stringify(state.room), []];
  for (const act of [() => state.add("block", [1, 1]), () => state.move([1, 0]), () => state.rotate(15), () => state.remove()]) {
    act();
    assert.ok(state.keep());
    steps.push(JSON.stringify(state.room));
  }
  for (const text of [...steps.slice(0, -1).reverse(), first]) {
    assert.ok(state.go(-1));
    assert.equal(JSON.stringify(state.room), text);
  }
  assert.ok(!state.go(-1));
  for (const text of steps) assert.ok(state.go(1) && JSON.stringify(state.room) === text);
  assert.ok(!state.go(1));
  state.go(-1);
  state.add("key", [0, 3]);
  state.keep();
  assert.ok(!state.has(1));
  assert.ok(!state.keep(), "nothing has changed since");
});

test("steps of one drag are undone at once", () => {
  const state = made(APPLE);
  state.choose("things.1");
  for (let i = 0; i < 5; i += 1) {
    state.move([0.5, 0]);
    state.keep("move things.1 7");
  }
  assert.deepEqual(state.things[1].at, [6.5, 0.45]);
  state.go(-1);
  assert.deepEqual(state.things[1].at, [4, 0.45]);
});

test("groups are chosen, moved, copied and taken apart together, and survive a name and a removal", () => {
  const state = made(APPLE, { kind: "block", at: [6, 0.5] }, { kind: "key", at: [8, 1] });
  state.chosen = ["things.1", "things.2"];
  state.group();
  state.choose("things.3");
  state.choose("things.2");
  assert.deepEqual(state.chosen, ["things.1", "things.2"]);
  state.choose("things.3", { more: true });
  assert.equal(state.chosen.length, 3);
  state.choose("things.1", { more: true });
  assert.deepEqual(state.chosen, ["things.3"]);
  state.choose("things.1");
  state.move([1, 2]);
  assert.deepEqual([state.things[1].at, state.things[2].at], [[5, 2.45], [7, 2.5]]);
  state.duplicate();
  assert.deepEqual(state.room.groups, [["apple", "block"], ["apple 2", "block 2"]]);
  state.rename("things.1", "pear");
  assert.deepEqual(state.room.groups[0], ["pear", "block"]);
  assert.deepEqual(state.room.success, { eaten: "pear" });
  state.choose("things.5");
  state.ungroup();
  assert.deepEqual(state.room.groups, [["pear", "block"]]);
  state.chosen = ["things.2"];
  state.remove();
  assert.equal(state.room.groups, undefined);
});

test("a range is made in a field, shifted whole, and goes when nothing uses it", () => {
  const state = made(APPLE);
  state.things[1].at = state.typedAll("2 to 6, 0.45", ["apple_x", "apple_y"], state.things[1].at);
  state.keep();
  assert.deepEqual([state.things[1].at, state.room.draws], [["[apple_x]", 0.45], { apple_x: { from: 2, to: 6 } }]);
  assert.equal(state.shown(state.things[1].at), "2 to 6, 0.45");
  state.choose("things.1");
  state.move([1, 0]);
  assert.deepEqual(state.room.draws.apple_x, { from: 3, to: 7 });
  state.things[1].at = state.typedAll("[1, 2], 0.45", ["apple_x", "apple_y"], state.things[1].at);
  assert.deepEqual(state.room.draws, { apple_x: { from: 1, to: 2 } });
  // A copy leaves the range of its original alone.
  state.duplicate([2, 0]);
  assert.deepEqual(state.things[2].at, ["[apple_x + 2]", 0.45]);
  assert.equal(state.shown(state.things[2].at), "apple_x + 2, 0.45");
  state.move([-2, 0], ["things.2"]);
  assert.deepEqual(state.things[2].at, ["[apple_x]", 0.45]);
  state.keep();
  state.remove(["things.1", "things.2"]);
  state.keep();
  assert.equal(state.room.draws, undefined);
  // One with a name of its own stays though nothing uses it now.
  state.setRanges("gap = 4 to 7");
  state.add("block", [0, 0]);
  state.item(state.chosen[0]).at = ["[gap]", 0];
  state.keep();
  state.remove();
  state.keep();
  assert.deepEqual(state.room.draws, { gap: { from: 4, to: 7 } });
  // One that is made by hand stays until it is removed.
  state.setRanges("gap = 4 to 7");
  state.keep();
  state.add("block", [0, 5]);
  state.keep();
  assert.deepEqual(state.room.draws, { gap: { from: 4, to: 7 } });
});

test("what an expression says is moved by adding to it, whatever it ends with", () => {
  const state = made();
  const cases = { "[gap - 20]": "[gap - 18]", "[gap * 2]": "[gap * 2 + 2]", "[gap - 2]": "[gap]", "[2 ^ - 3]": "[2 ^ - 3 + 2]", "[a / (b - 3)]": "[a / (b - 3) + 2]", "[x - 3 ^ 2]": "[x - 3 ^ 2 + 2]" };
  for (const [before, after] of Object.entries(cases)) {
    state.values[before] = 7;
    assert.equal(state.shifted(before, 2), after);
    assert.equal(state.number(after), 9);
  }
});

test("names go with a thing wherever rules and joints say them, and nowhere else", () => {
  const state = made({ kind: "beam", name: "left", at: [0, 4] }, APPLE);
  Object.assign(state.room, {
    success: { all: [{ tilts: ["left", "left"] }, { not: { below: ["left", -3] } }, { near: ["left", "subject.L", 2] }] },
    joints: [{ kind: "pivot", second: "left", at: [0, 4] }],
    measures: { far: { kind: "distance", between: ["left", "body"] } },
  });
  state.things.push({ kind: "button", target: "left", at: [3, 0] });
  state.rename("things.1", "seesaw");
  state.rename("agents.0", "ann");
  assert.deepEqual(state.room.success, { all: [{ tilts: ["seesaw", "left"] }, { not: { below: ["seesaw", -3] } }, { near: ["seesaw", "ann.L", 2] }] });
  assert.equal(state.room.joints[0].second, "seesaw");
  assert.equal(state.things[3].target, "seesaw");
  assert.deepEqual(state.room.measures.far.between, ["seesaw", "body"]);
  // A name that is taken is for the check to refuse, and nothing else follows it.
  state.rename("things.2", "seesaw");
  assert.equal(state.things[2].name, "seesaw");
  assert.equal(state.room.joints[0].second, "seesaw");
});

test("joints move and are copied with what they hold, and go with it", () => {
  const state = made({ kind: "plank", at: [0, 4] }, { kind: "block", at: [0, 3] });
  state.room.joints = [{ kind: "pivot", second: "plank", at: [0, 4] }, { kind: "weld", first: "plank", second: "block", at: [0, 3.5] }];
  state.chosen = ["things.1", "things.2"];
  state.move([1, 0]);
  assert.deepEqual(state.room.joints.map(({ at }) => at), [[1, 4], [1, 3.5]]);
  state.duplicate([5, 0]);
  assert.deepEqual(state.room.joints.slice(2).map(({ first, second, at }) => [first, second, at]), [[undefined, "plank 2", [6, 4]], ["plank 2", "block 2", [6, 3.5]]]);
  state.remove();
  assert.equal(state.room.joints.length, 2);
});

test("things are put on the grid and aligned by their edges", () => {
  const state = made({ kind: "block", at: [1.3, 2.2] }, { kind: "apple", at: ["[x]", 5.1] });
  state.values["[x]"] = 3;
  state.chosen = ["things.1", "things.2"];
  state.snap(0.5);
  assert.deepEqual([state.things[1].at, state.things[2].at], [[1.5, 2], ["[x]", 5]]);
  const boxes = { "things.1": [1.5, 2, 0.5, 0.5], "things.2": [3, 5, 0.45, 0.45] };
  state.align("left", boxes);
  assert.deepEqual([state.things[1].at, state.things[2].at], [[1.5, 2], ["[x - 1.55]", 5]]);
});

test("a room that says little is not made to say more", () => {
  const little = { name: "little", editing: true };
  const state = new RoomState(little, SHAPES);
  assert.equal(state.keys.length, 1);
  assert.ok(!state.keep());
  assert.deepEqual(state.data(), little);
  const empty = { name: "empty", things: [], agents: [{}], editing: true };
  const other = new RoomState(empty, SHAPES);
  assert.deepEqual([other.keys.length, other.data()], [1, empty]);
  state.move([1, 0], state.keys);
  assert.deepEqual(state.data().agents, [{ at: [-1.7, -3] }]);
});

test("somebody is always left to act", () => {
  const state = made(APPLE);
  state.chosen = state.keys;
  state.remove();
  assert.equal(state.room.agents.length, 1);
  assert.equal(state.things.length, 0);
});

test("ranges are read as they are written", () => {
  const cases = { "4 to 7": { from: 4, to: 7 }, "whole 1 to 6": { whole: [1, 6] }, "one of left, right": { one: ["left", "right"] }, "shuffle of a, 2": { shuffle: ["a", 2] }, "pick n: no, yes": { pick: "n", values: ["no", "yes"] }, "2 * gap": "[2 * gap]", 7: 7 };
  for (const [text, range] of Object.entries(cases)) {
    assert.deepEqual(readRange(text), range);
    assert.equal(writtenRange(range), text);
  }
  assert.deepEqual(readRange("shuffle a, b"), { shuffle: ["a", "b"] });
  const odd = { from: "[a]", to: "[b]" };
  assert.deepEqual(readRange(writtenRange(odd)), odd);
  const state = made();
  for (const text of ["4 to 7", "", "gap = 4 to 7; 3"]) assert.match(state.setRanges(text), /gap = 4 to 7/);
  assert.equal(state.room.draws, undefined);
  assert.equal(state.setRanges("gap = 4 to 7; twice = 2 * gap"), "");
  assert.deepEqual(state.room.draws, { gap: { from: 4, to: 7 }, twice: "[2 * gap]" });
});
