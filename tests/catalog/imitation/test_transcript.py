"""Transcripts of games, and the way from games with planted blunders to what these cost."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from mensura.catalog.imitation.players.blunderer import BLUNDERS, Blunderer
from mensura.catalog.imitation.room import Hearing
from mensura.catalog.imitation.showing.stored import series_of
from mensura.catalog.imitation.showing.transcript import transcript_lines, transcript_page
from mensura.catalog.imitation.watson.blunder import BeliefSeries, blunder_effect
from mensura.cli.main import cli
from mensura.dialogue import Probability
from tests.catalog.imitation.games import game, judge


def told():
    return game(
        machine=lambda ask: "<script>alert(1)</script>" if ask.key.startswith("message") else None,
        judge=judge(questions=["One?", "Two?"], message="A2", blunders="A2 B4"),
    )


def test_a_transcript_has_messages_beliefs_marks_and_the_truth():
    lines = "\n".join(transcript_lines(told()))
    for words in ("was the woman", "[A2]", "decided for judge", "blunder, by 1 of 1", "belief that", "decision:"):
        assert words in lines, words


def test_a_page_shows_words_as_words_and_a_curve():
    page = transcript_page([told()], title="Games")
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page
    assert "<svg" in page
    assert 'class="answer blunder' in page


@pytest.fixture
def run_of_blunders(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    given = ["run", "imitation", "--as", "machine=blunderer:book", "--as", "human=parrot", "--as", "judge=keyword"]
    result = CliRunner().invoke(cli, [*given, "--sessions", "40", "--seed", "2", "--json"])
    assert result.exit_code == 0, result.output
    return tmp_path


def test_the_beliefs_of_games_are_printed_for_the_estimate(run_of_blunders):
    lines = CliRunner().invoke(cli, ["imitation", "series", "last"]).stdout
    series = [json.loads(line) for line in lines.splitlines()]
    assert {len(one["errors"]) for one in series} == {0, 1, 3}
    (run_of_blunders / "games.jsonl").write_text(lines)
    found = json.loads(CliRunner().invoke(cli, ["imitation", "blunder", "games.jsonl", "--json"]).stdout)
    assert {"drop", "recovery", "spread_drop"} <= set(found)


def shaken(by):
    """Make a judge whose belief in a witness falls by so much at a blunder, and comes back at the next answer."""

    def answer(ask):
        if isinstance(ask.prompt, Hearing) and isinstance(ask.space, Probability):
            erred = [talk.side for talk in ask.prompt.talks if talk.lines[-1].text == BLUNDERS[2]]
            return 0.5 if not erred else 0.5 - by if erred == ["A"] else 0.5 + by
        return asking(ask)

    asking = judge(questions=["Well?"] * 6)
    return answer


@pytest.mark.parametrize("effect", [0.3, 0.0])
def test_what_a_planted_blunder_costs_is_recovered_from_games_and_nothing_where_it_costs_nothing(effect):
    series = []
    for seed in range(45):
        machine = Blunderer("eliza", turns=4, errors=2)
        played = game(seed, machine=machine, judge=shaken(effect), messages=6, seconds=9000, delays=False)
        one = series_of(played)
        series.append(BeliefSeries(np.array(one["belief"]), tuple(one["errors"])))
    found = blunder_effect(series, later=1)
    assert found.drop.value == pytest.approx(effect)
    assert found.recovery.value == pytest.approx(effect)
    assert found.spread_drop.n > 4


def test_transcripts_are_written_as_a_page(run_of_blunders):
    result = CliRunner().invoke(cli, ["imitation", "transcript", "last", "--game", "1", "--out", "game.html"])
    assert result.exit_code == 0, result.output
    assert "Witness A" in (run_of_blunders / "game.html").read_text()
    wrong = CliRunner().invoke(cli, ["imitation", "transcript", "last", "--game", "99"])
    assert "there is no game 99" in f"{wrong.output}{wrong.exception}"


def test_verdicts_are_shown_by_the_day_of_the_game_where_there_are_several():
    from mensura.catalog.imitation.showing.gathered import Gathered
    from mensura.catalog.imitation.showing.judgement import dates

    def games(*days):
        return [
            {"date": day, "unit": str(place), "decision": "A", "truth": "AB"[place % 2]}
            for place, day in enumerate(days)
        ]

    once, twice = (
        Gathered("eliza", None, games(*days), ()) for days in (["2026-01-05"] * 3, ["2026-01-05"] * 2 + ["2026-02-01"])
    )
    assert dates([once]) == []
    (shown,) = dates([twice])
    assert [(row[1], row[2], row[4].value) for row in shown.rows] == [("2026-01-05", 2, 0.5), ("2026-02-01", 1, 1.0)]


def test_a_game_from_the_store_knows_its_day():
    from mensura.dialogue import Event, make_record

    events = [Event(1, "ask", "judge", "message/1", 0, "text", time=86_400.0 * 365)]
    assert make_record(events, test="imitation-v1", parameters={}).began == 86_400.0 * 365


def test_people_who_judge_are_told_apart_by_their_courses():
    from mensura.catalog.imitation.showing.gathered import Gathered
    from mensura.catalog.imitation.showing.judgement import judges
    from mensura.dialogue import Scores
    from mensura.dialogue.record import POOLED
    from mensura.exhibit import Group

    def session(course, number):
        verdict = {"judge": "human", "role": "judge", "right": course % 2 == 0}
        game = {"session": f"{course}.0.{number}", "void": "", "verdicts": [verdict], "system": "eliza", "truth": "A"}
        return Scores({}, {POOLED: {"games": [{**game, "pretends": True}]}})

    scores = [session(course, number) for course in range(6) for number in range(3)]
    (shown,) = judges([Gathered.of(Group("eliza", "", {}, scores))])
    _, count, right, worst, best = shown.rows[0]
    assert (count, right.value, right.n, worst, best) == (6, 0.5, 6, 0.0, 1.0)


def test_a_blunder_after_which_no_belief_was_given_makes_no_game_with_fewer_errors():
    found = game(machine=Blunderer("book", arm="spread", turns=3), judge=judge(questions=["One?", "Two?", "Three?"]))
    assert series_of(found)["errors"] == [1, 2, 3]
    found.beliefs.pop()
    assert series_of(found) is None
