"""Instances, and the agents of one instance, on a cluster: the same bits as here."""

import json

import pytest
from click.testing import CliRunner

from mensura.catalog.constraints.hub.actors import ActorAgent
from mensura.cli.main import cli
from mensura.errors import BadParameter


@pytest.fixture
def told(tmp_path):
    def take(who, *more):
        words = ["run", "constraints", "--as", who, "--problem", "random:n=4,m=3,p2=0.4", "--latency", "0,100"]
        words += ["--sessions", "2", "--seed", "5", "--store", str(tmp_path / "runs.db"), "--json", *more]
        done = CliRunner().invoke(cli, words, catch_exceptions=False)
        assert done.exit_code == 0, done.output
        found = json.loads(done.stdout)["instances"]
        return [{name: value for name, value in one.items() if name != "instance"} for one in found]

    return take


@pytest.mark.cluster
@pytest.mark.proof
def test_instances_and_agents_on_a_cluster_give_the_same_bits(told):
    here = told("awcs")
    assert {one["verdict"] for one in here} <= {"solved", "unsolvable"}
    assert told("awcs", "--on", "ray") == here
    assert told("actor:awcs") == here
    assert told("actor:awcs", "--concurrency", "1") == here


def test_an_actor_is_an_algorithm_by_name():
    with pytest.raises(BadParameter, match=r"actor:awcs"):
        ActorAgent("actor")
