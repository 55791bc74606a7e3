"""Clients that dial in: the library in Python, and one in C."""

import asyncio
import shutil
import socket
import subprocess
import threading
import time
from pathlib import Path

import pytest

from mensura.catalog.pagi_world.dialogue import pagi_world
from mensura.catalog.pagi_world.protocol.client import RoomClient
from mensura.catalog.pagi_world.protocol.door import PagiDoor
from mensura.running.take import take
from tests.catalog.pagi_world.protocol.dialling import run, served


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def dial(port, **more):
    for _ in range(600):
        try:
            return RoomClient(port=port, **more)
        except ConnectionRefusedError:
            time.sleep(0.05)
    raise AssertionError("nobody listens")


def test_a_client_that_dials_in_takes_a_room():
    port, heard = free_port(), []

    def client():
        agent = dial(port)
        heard.append(agent.sensor("BP"))
        agent.reflex("grip", "L4_p>0.5", agent.message("addForce", "LHG"))
        agent.force("LHvec", 1.9 / 0.32968 * 60, 1.8 / 0.32968 * 60)
        agent.step(24)
        agent.force("LHvec", -1.9 / 0.32968 * 0.67032 * 60, -1.8 / 0.32968 * 0.67032 * 60)
        while not agent.over:
            heard.append(agent.step(30))
        agent.close()

    thread = threading.Thread(target=client)
    thread.start()
    taken = take(pagi_world, PagiDoor("127.0.0.1", port), seed=1, parameters={"room": "catch-ball"})
    thread.join(30)
    assert taken.truths["result"]["success"]
    assert heard[0]["x"] == 0


def test_a_client_keeps_its_place_over_sessions_and_no_step_of_one_falls_into_the_next():
    port, heard = free_port(), []

    def client():
        agent = dial(port)
        for _ in range(2):
            heard.append(agent.step(1))
            while not agent.over:
                agent.step(700)
            agent.over = False
        agent.close()

    thread = threading.Thread(target=client)
    thread.start()
    door = PagiDoor("127.0.0.1", port)
    taken = [take(pagi_world, door, seed=seed, parameters={"room": "large-or-strong"}) for seed in (1, 2)]
    thread.join(30)
    assert heard == [1, 1]
    assert [one.record.status for one in taken] == ["finished", "finished"]


def test_three_clients_dial_in_and_solve_what_needs_words():
    port = free_port()

    def client():
        agent = dial(port)
        agent.say("I don't know")
        agent.step(2)
        # A client does not know which role it has; who spoke alone is who can speak.
        role = agent.sensor("BP")["x"]
        spoke = [one["content"].partition(",")[0] for one in agent.heard if one["type"] == "heard"]
        if {"a": -6, "b": 0, "c": 6}[spoke[0]] == role:
            agent.say("I was not given the dumbing pill")
        while not agent.over:
            agent.step(60)
        agent.close()

    threads = [threading.Thread(target=client) for _ in range(3)]
    for thread in threads:
        thread.start()
    cast = {role: PagiDoor("127.0.0.1", port) for role in "abc"}
    taken = take(pagi_world, cast, seed=1, parameters={"room": "three-pills"})
    for thread in threads:
        thread.join(30)
    assert taken.truths["result"]["success"]


PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <arpa/inet.h>
#include <sys/socket.h>
int main(int count, char **given) {
  struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons(atoi(given[1]))};
  inet_pton(AF_INET, "127.0.0.1", &place.sin_addr);
  int line;
  for (int tries = 0; tries < 600; tries++) {
    line = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(line, (struct sockaddr *)&place, sizeof place) == 0) break;
    close(line); usleep(50000);
  }
  const char *say = "setReflex,retract,R2_tmp>100,addForce|RHV|60\nstep,600\n";
  write(line, say, strlen(say));
  char heard[65536]; int size = 0, got;
  while ((got = read(line, heard + size, sizeof heard - 1 - size)) > 0) {
    heard[size += got] = 0;
    if (strstr(heard, "\nover,")) break;
  }
  puts(heard);
  return strstr(heard, "The room is solved") ? 0 : 1;
}
"""


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_a_client_in_c_takes_a_room(tmp_path):
    (tmp_path / "agent.c").write_text(PROGRAM)
    subprocess.run(["cc", "-o", tmp_path / "agent", tmp_path / "agent.c"], check=True, capture_output=True)
    port = free_port()
    agent = subprocess.Popen([tmp_path / "agent", str(port)], stdout=subprocess.PIPE, text=True)
    taken = take(pagi_world, PagiDoor("127.0.0.1", port), seed=1, parameters={"room": "hot-plate"})
    heard, _ = agent.communicate(timeout=120)
    assert taken.truths["result"]["success"]
    assert agent.returncode == 0, heard


def test_a_client_that_leaves_is_lost_and_not_wrong():
    port = free_port()
    thread = threading.Thread(target=lambda: dial(port).close())
    thread.start()
    taken = take(pagi_world, PagiDoor("127.0.0.1", port), seed=1, parameters={"room": "catch-ball"})
    thread.join(30)
    assert taken.record.status == "lost"


DOCS = Path(__file__).parents[4] / "docs" / "pagi_world.md"
RUNS = {"c": ("cc", "agent.c"), "java": ("java", "Agent.java"), "javascript": ("node", "agent.js")}


@pytest.mark.parametrize("language", RUNS)
def test_the_agent_of_the_docs_takes_a_room_in_each_language(language, tmp_path):
    program, name = RUNS[language]
    if shutil.which(program) is None:
        pytest.skip(f"there is no {program}")
    source = DOCS.read_text().split(f"```{language}\n")[1].split("```")[0]
    (tmp_path / name).write_text(source)
    command = [program, str(tmp_path / name)]
    if language == "c":
        subprocess.run(["cc", "-o", tmp_path / "agent", tmp_path / name], check=True, capture_output=True)
        command = [str(tmp_path / "agent")]

    async def go():
        async with served(room="hot-plate") as (server, dial):
            port = (await dial()).writer.get_extra_info("peername")[1]
            agent = await asyncio.create_subprocess_exec(*command, str(port), stdout=subprocess.PIPE)
            heard, _ = await asyncio.wait_for(agent.communicate(), 60)
            return heard.decode(), server.results

    heard, results = run(go())
    assert "over,The room is solved." in heard.splitlines()
    assert results[0]["success"]


def test_a_client_writes_what_it_perceives_as_sentences():
    heard = {}

    async def go():
        async with served(physics="paper") as (_, dial):
            port = (await dial()).writer.get_extra_info("peername")[1]

            def client():
                agent = RoomClient(port=port)
                agent.sensor("B4")
                agent.sensor("S")
                agent.say("good day")
                agent.reflex("look", "A=0", agent.message("setState", "seen", floatContent=-1))
                agent.step(1)
                heard["said"] = agent.sentences()
                agent.close()

            await asyncio.to_thread(client)

    run(go())
    assert heard["said"] == [
        '(P I 0 (holds (and (touches B4 "floor") (temperature B4 0.0)) 0))',
        "(P I 0 (holds (S 0.0 0.0) 0))",
        "(P I 0 (happens (action I (reflex look)) 0))",
        '(P I 0 (happens (action subject (says "good day")) 0))',
    ]
