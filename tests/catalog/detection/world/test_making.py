"""Worlds: the same chance gives the same world, and parameters do what they say."""

from dataclasses import fields

import numpy as np
import pytest

from mensura.catalog.detection.hypotheses.scorer import score_hypotheses
from mensura.catalog.detection.hypotheses.specification_file import read_specification
from mensura.catalog.detection.hypotheses.things import parse_things
from mensura.catalog.detection.world import WorldParameters, make_world
from mensura.catalog.detection.world.evidence import FALSE
from mensura.catalog.detection.world.exploitation import ATTACK, WORK
from mensura.catalog.detection.world.holders import Holders
from mensura.catalog.detection.world.parameters import parameters_from
from mensura.catalog.detection.world.patterns import KINDS, LIBRARY, as_data
from mensura.catalog.detection.world.tables import evidence_tables, plain, truth_tables
from mensura.catalog.detection.world.truth import application_days
from mensura.catalog.detection.world.writing import ABOUT
from mensura.errors import BadParameter, UnknownName


def world(seed=1, **given):
    return make_world(WorldParameters(**{"individuals": 400} | given), np.random.default_rng(seed))


def test_the_same_seed_makes_the_same_world_and_another_seed_another():
    first, second, third = world(1), world(1), world(2)
    assert first.truth == second.truth
    assert np.array_equal(first.evidence.actor, second.evidence.actor)
    assert first.truth != third.truth


PARAMETERS = {each.name: each for each in fields(WorldParameters)}


def test_about_a_hundred_parameters_are_all_documented():
    assert 90 <= len(PARAMETERS) <= 130
    assert all(each.metadata["about"].endswith(".") for each in PARAMETERS.values())


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"individuals": 3}, "individuals must be at least 10"),
        ({"individuals": 100.5}, "must be a whole number"),
        ({"observe_call": 1.5}, "at most 1"),
        ({"pace": float("nan")}, "must be a number"),
        ({"team_size_least": 7}, "team_size_least must not exceed"),
        ({"team_size_most": 9}, "teams come from one group"),
    ],
)
def test_impossible_parameters_are_refused(given, words):
    with pytest.raises(BadParameter, match=words):
        WorldParameters(**given)


def test_an_unknown_parameter_is_refused_with_the_nearest():
    with pytest.raises(UnknownName, match="Did you mean days"):
        parameters_from({"day": 3})


@pytest.mark.cells(35)
@pytest.mark.parametrize("name", PARAMETERS)
def test_every_parameter_changes_the_world(name):
    """Each parameter, moved away from its default, gives another world or another description of it."""
    about, default = PARAMETERS[name].metadata, PARAMETERS[name].default
    low, high = about["low"], about["high"]
    moved = {
        "team_size_most": 5,
        "group_size_least": 7,
        "aliases_most": 5,
        "signal_to_noise": 0.5,
        "covertness": 3.0,
        "capabilities_per_mode_least": 2,
        "destructive_modes_per_target": 4,
        "target_mode_known": 0.5,
        "method_known": 0.3,
        "threat_abort_rate": 0.9,
        "attack_in_evidence": 0.9,
        "person_in_evidence": 1.0,
        "observe_incident": 1.0,
        "group_in_evidence": 1.0,
    }.get(name)
    if moved is None:
        moved = default / 2 if default / 2 >= low and default else (high if high is not None else default + 1)
        moved = round(moved) if PARAMETERS[name].type is int else moved
    assert moved != default
    assert snapshot(**{name: moved}) != snapshot()


def snapshot(**given):
    made = world(**given)
    tables = {**evidence_tables(made, np.random.default_rng(0)), **truth_tables(made)}
    return str(made.truth), made.hidden_methods, str({name: plain(columns) for name, columns in tables.items()})


def test_truth_is_a_valid_reference_that_scores_one_against_itself():
    specification = read_specification("counter-terrorism")
    made = world()
    reference = parse_things(enumerate(made.truth.reference, 1), specification=specification)
    score = score_hypotheses(specification, reference=reference, hypotheses=reference)
    assert all(found.counts.f == pytest.approx(1.0) for found in score.types.values())
    assert score.types["VulnerabilityExploitationCase"].references == len(made.exploitations.attacks)


def test_cases_in_evidence_are_valid_hypotheses_that_know_only_a_part():
    specification = read_specification("counter-terrorism")
    made = world(individuals=1000)
    reference, evidence = (
        parse_things(enumerate(records, 1), specification=specification)
        for records in (made.truth.reference, made.truth.in_evidence)
    )
    attacks = score_hypotheses(specification, reference=reference, hypotheses=evidence).types[
        "VulnerabilityExploitationCase"
    ]
    assert 0 < attacks.counts.recall < 0.5


def test_application_dates_come_from_the_transactions_below():
    made = world()
    first, last = application_days(made.exploitations, made.transactions)
    by_uid = [each for each in made.truth.reference if each["type"] == "VulnerabilityExploitationCase"]
    for record, event in zip(by_uid, made.exploitations.attacks, strict=True):
        days = [
            int(day)
            for day, kind, of in zip(
                made.transactions.day, made.transactions.kind, made.transactions.event, strict=True
            )
            if of == event and KINDS[kind] == "application"
        ]
        assert record["minAssetApplicationEndingDate"] == min(days) == first[event]
        assert record["maxAssetApplicationEndingDate"] == max(days) == last[event]


def test_teams_come_from_their_group_and_modes_are_supported_by_their_target():
    made = world()
    for event in range(len(made.exploitations)):
        group, mode = made.exploitations.group[event], made.exploitations.mode[event]
        team = made.exploitations.team(event)
        assert set(team) <= set(made.society.members(int(group)))
        assert len(set(team)) == len(team)
        target = made.exploitations.target[event]
        assert mode in made.means.productive[target] or mode in made.means.destructive[target]
        attack = made.exploitations.context[event] == ATTACK
        assert bool(mode >= made.means.productive_modes) == attack


def test_threat_groups_also_work_and_others_use_the_same_resources():
    made = world(individuals=1000)
    assert {0, 1, 2} == set(made.exploitations.context.tolist())
    destructive = set(np.concatenate(made.means.needs[made.means.productive_modes :]).tolist())
    peaceful = set(np.concatenate(made.means.needs[: made.means.productive_modes]).tolist())
    assert destructive & peaceful


def test_choice_of_methods_depends_on_team_and_mode_and_not_at_all_when_blurred():
    def middlemen(sharpness):
        made = world(individuals=4000, method_sharpness=sharpness, step_skip=0.0)
        table = made.transactions
        within = table.event >= 0
        context = made.exploitations.context[table.event[within]]
        kinds = table.kind[within]
        share = {}
        for which in (ATTACK, WORK):
            transfers = np.sum((kinds == KINDS.index("transfer")) & (context == which))
            share[which] = transfers / np.sum((kinds == KINDS.index("purchase")) & (context == which))
        return share[ATTACK] / share[WORK]

    assert middlemen(1.0) > 1.5
    assert 0.8 < middlemen(0.0) < 1.25


def test_an_asset_that_someone_in_the_team_has_from_the_start_is_not_acquired():
    made = world(individuals=1000, step_skip=0.0, intrinsic_resources_mean=3.0)
    holders = Holders(made.means, made.society, made.exploitations)
    has = {tuple(pair) for pair in made.society.holdings.tolist()}
    acquired = {
        (int(event), int(item))
        for event, kind, item in zip(
            made.transactions.event, made.transactions.kind, made.transactions.item, strict=True
        )
        if event >= 0 and KINDS[kind] in ("purchase", "training")
    }
    held = 0
    for event in range(len(made.exploitations)):
        team = made.exploitations.team(event).tolist()
        for asset in made.means.needs[made.exploitations.mode[event]].tolist():
            who = int(holders.of(np.array([event]), np.array([asset]))[0])
            owned = any((person, asset) in has for person in team)
            assert who in team
            assert bool(holders.held(np.array([event]), np.array([asset]))[0]) == owned
            if owned:
                held += 1
                assert (who, asset) in has
                assert (event, asset) not in acquired
    assert held > 50


def test_the_order_of_reports_within_a_day_does_not_tell_what_they_belong_to():
    made = world(individuals=3000)
    part_of_something = made.evidence.event >= 0
    day = made.evidence.reported
    first = np.searchsorted(day, day, side="left")
    size = np.searchsorted(day, day, side="right") - first
    place = (np.arange(len(day)) - first + 0.5) / size
    assert place[part_of_something].mean() == pytest.approx(0.5, abs=0.02)
    assert place[made.evidence.state == FALSE].mean() == pytest.approx(0.5, abs=0.04)


def test_observability_secrecy_and_falsehood_move_the_evidence_as_they_say():
    full = world(observability=10.0, threat_secrecy=0.0, false_transactions=0.0, duplicate_reports=0.0)
    assert len(full.evidence) == len(full.transactions)
    half = world(observability=0.5)
    assert len(half.evidence) < 0.6 * len(world().evidence)
    hidden = world(threat_secrecy=1.0)
    behind = hidden.evidence.event[hidden.evidence.event >= 0]
    assert not np.any(hidden.exploitations.context[behind] == ATTACK)
    invented = world(false_transactions=0.5)
    share = np.sum(invented.evidence.state == FALSE) / np.sum(invented.evidence.state != FALSE)
    assert share == pytest.approx(0.5, abs=0.02)


def test_without_corruption_every_report_is_true():
    made = world(corruption=0.0)
    assert not made.evidence.state.any()


def test_signal_to_noise_sets_the_clutter():
    made = world(signal_to_noise=0.1)
    attack = made.transactions.event >= 0
    signal = np.sum(made.exploitations.context[made.transactions.event[attack]] == ATTACK)
    assert np.sum(~attack) == pytest.approx(signal / 0.1, abs=1)


def test_aliases_give_one_person_several_names_and_names_do_not_give_persons_away():
    made = world(threat_alias_share=1.0)
    persons = [each for each in made.truth.reference if each["type"] == "ThreatIndividualEC"]
    assert all(len(each["hasMember"]) > 1 for each in persons)
    first = made.society.identity[made.society.alias_start[:-1]]
    assert abs(np.corrcoef(np.arange(len(first)), first)[0, 1]) < 0.15


def test_reports_come_in_order_and_nothing_is_reported_before_it_happened():
    made = world(individuals=1000, corrupt_day=1.0, day_error=20.0, observability=2.0)
    reports, events = made.evidence, made.exploitations
    assert np.all(np.diff(reports.reported) >= 0)
    assert np.all(reports.reported >= reports.day)
    part = reports.event >= 0
    assert np.all(reports.reported[part] >= np.floor(events.start[reports.event[part]]))
    struck = part & (reports.kind == KINDS.index("incident"))
    assert struck.any()
    end = (events.start + events.length)[reports.event[struck]]
    assert np.all(reports.reported[struck] >= np.floor(end))


def test_every_table_has_exactly_the_documented_columns():
    made = world()
    for tables, documented in (
        (evidence_tables(made, np.random.default_rng(0)), ABOUT["evidence"]),
        (truth_tables(made), ABOUT["truth"]),
    ):
        assert {name: list(columns) for name, columns in tables.items()} == {
            name: list(columns) for name, columns in documented.items()
        }


def test_hidden_methods_are_left_out_of_the_library_given_to_the_detector():
    data = as_data(left_out=frozenset({("plan", "in cells")}))
    assert "in cells" not in data["tasks"]["plan"]
    assert set(data["tasks"]) == set(LIBRARY)
    steps = [step["do"] for task in data["tasks"].values() for method in task.values() for step in method["steps"]]
    assert set(steps) <= set(LIBRARY) | set(KINDS)


def test_the_smallest_world_works():
    made = make_world(WorldParameters(individuals=10), np.random.default_rng(1))
    assert len(made.truth.reference) >= 24
