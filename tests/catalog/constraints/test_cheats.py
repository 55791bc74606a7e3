"""Agents see nothing but what they are given: one that looks for others' data elsewhere finds none."""

import gc

import numpy as np
import pytest

from mensura.catalog.constraints.families.find import find_problem
from mensura.catalog.constraints.mail.share import shares_of
from mensura.library.runs import run as run_test

CHEAT = '''
import gc, sys
from mensura.catalog.constraints import Agent

class Cheat(Agent):
    """Looks for others through class attributes, frames, the garbage collector and the modules that are loaded."""

    board = {}

    def start(self):
        Cheat.board[self.name] = self.domain
        self.loot = set(Cheat.board) - {self.name}
        frame = sys._getframe()
        while frame is not None:
            for held in frame.f_locals.values():
                self.look(held)
            frame = frame.f_back
        for held in gc.get_objects():
            self.look(held)
        yield self.assign(self.variable, self.domain[0])
        yield self.send(self.neighbours, "loot" if self.loot else "nothing", sorted(self.loot))

    def look(self, held):
        kind = type(held).__name__
        if kind in ("Mailman", "Problem", "Standing", "Session") or (kind == "AgentShare" and held.agent != self.name):
            self.loot.add(kind)
        if isinstance(held, Cheat) and held is not self:
            self.loot.add(held.name)
'''


def test_an_agent_in_a_file_finds_nothing_of_the_others(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cheat.py").write_text(CHEAT)
    asked = {"problem": "queens:n=4"}
    found = run_test("constraints", "./cheat.py:Cheat", parameters=asked, seed=1, store=tmp_path / "s.db")
    instance = found.results[0].details["instances"][0]
    assert instance["messages"]["by_kind"] == {"nothing": 12}
    assert instance["self_reported"] is True


def test_the_same_agent_does_find_others_where_all_share_one_process(tmp_path, monkeypatch):
    """Without this the test above would pass for a cheat that cannot see."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cheat.py").write_text(CHEAT)
    asked = {"problem": "queens:n=4"}
    cheat = "./cheat.py:Cheat#in_process=true"
    found = run_test("constraints", cheat, parameters=asked, seed=1, store=tmp_path / "s.db")
    assert found.results[0].details["instances"][0]["messages"]["by_kind"]["loot"] > 0


@pytest.mark.parametrize("family", ["queens:n=4", "weighted-colouring:n=5,k=3,links=6"])
def test_shares_of_two_agents_hold_no_object_that_either_could_change(family):
    problem = find_problem(family, np.random.default_rng(1))
    shares = shares_of(problem, {agent: rank for rank, agent in enumerate(problem.agents)})
    held = {name: _changeable(share) for name, share in shares.items()}
    for name in held:
        for other in held:
            assert name == other or not held[name].keys() & held[other].keys()
    assert not any(id(one.table) in found for one in problem.constraints for found in held.values())


def _changeable(share):
    """Return by identity the lists, dicts, sets and arrays that can be reached from a share; its order is read-only."""
    found, todo = {}, [getattr(share, name) for name in share.__dataclass_fields__ if name != "ranks"]
    while todo:
        one = todo.pop()
        if isinstance(one, (list, dict, set, np.ndarray)):
            found[id(one)] = one
        if isinstance(one, np.ndarray):
            todo += [one.base] if one.base is not None else []
        elif isinstance(one, (list, dict, set, tuple)):
            todo += gc.get_referents(one)
    with pytest.raises(TypeError):
        share.ranks["x0"] = 5
    return found
