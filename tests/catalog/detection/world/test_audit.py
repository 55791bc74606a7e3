"""The audit finds what is planted, and nothing in worlds as they are made."""

from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from mensura.catalog.detection.generating import generate
from mensura.catalog.detection.world import WorldParameters, make_world
from mensura.catalog.detection.world.audit import audit
from mensura.catalog.detection.world.tables import evidence_tables


def worlds(seeds, **given):
    for seed in seeds:
        yield make_world(WorldParameters(**{"individuals": 500} | given), np.random.default_rng(seed))


def test_no_simple_sign_tells_what_is_hidden():
    signs = audit(worlds(range(16)), np.random.default_rng(1))
    assert not [each for each in signs if each.tells]
    assert {each.hidden for each in signs} == {
        "threat group",
        "name of a threat",
        "one of several names",
        "report of an exploitation",
        "report of an attack",
    }


def test_a_planted_sign_is_found():
    def betrayed(world):
        sizes = np.diff(world.society.group_start)
        return replace(world, society=replace(world.society, threat=sizes < np.median(sizes)))

    found = audit(map(betrayed, worlds(range(4))), np.random.default_rng(1))
    assert [each.sign for each in found if each.tells and each.hidden == "threat group"] == ["names listed"]
    assert found[0].area < 0.1


def test_an_area_and_its_chance_agree_with_mann_and_whitney():
    from scipy.stats import mannwhitneyu

    (world,) = worlds([3])
    found = {(each.hidden, each.sign): each for each in audit([world], np.random.default_rng(1))}
    listed = evidence_tables(world, np.random.default_rng(1))["memberships"]["group"].numbers
    count, threat = np.bincount(listed, minlength=world.society.groups), world.society.threat
    direct = mannwhitneyu(count[threat], count[~threat], use_continuity=False, method="asymptotic")
    sign = found["threat group", "names listed"]
    assert sign.area == pytest.approx(direct.statistic / (threat.sum() * (~threat).sum()))
    assert sign.p == pytest.approx(min(1, len(found) * direct.pvalue))


def test_nobody_deals_with_themselves():
    for world in worlds(range(3)):
        table = world.transactions
        assert not np.any((table.actor == table.other) & (table.actor >= 0))


def test_the_command_prints_every_sign_and_fails_where_one_tells():
    done = CliRunner().invoke(generate, ["--audit", "8", "--seed", "1", "--individuals", "400"])
    assert done.exit_code == 0
    assert "threat group              names listed" in done.output
    assert "0 of 24 signs tell what is hidden" in done.output
    asked = CliRunner().invoke(generate, [])
    assert asked.exit_code == 2
    assert "--out DIR" in asked.output
