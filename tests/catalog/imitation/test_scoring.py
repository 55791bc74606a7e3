"""Scores of games, by hand: verdicts, losses, how long an illusion lasts, and what does not count."""

from math import isnan, log

import numpy as np
import pytest

from mensura.catalog.imitation.dialogue import imitation
from mensura.catalog.imitation.facts import SURE, facts_of
from mensura.catalog.imitation.game import read_games
from mensura.catalog.imitation.showing.competition import competitions
from mensura.catalog.imitation.showing.gathered import Gathered
from mensura.dialogue import Refused, Text
from mensura.dialogue.record import POOLED
from mensura.exhibit import Group
from tests.catalog.imitation.games import game, judge, played, scored


def facts(seed=1, **given):
    return scored(seed, **given).details[POOLED]["games"][0]


def test_a_right_verdict_counts_one_and_a_wrong_one_nothing():
    truth = game(judge=judge(verdict="A")).truth
    assert scored(judge=judge(verdict=truth)).values["right"] == 1
    assert scored(judge=judge(verdict="B" if truth == "A" else "A")).values["right"] == 0


@pytest.mark.parametrize("stated", [0.0, 0.2, 1.0])
def test_losses_are_of_the_stated_probability(stated):
    found = scored(judge=judge(probability=stated))
    happened = game(judge=judge()).truth == "A"
    off = (1 - stated) if happened else stated
    assert found.values["quadratic"] == pytest.approx(off**2)
    assert found.values["logarithmic"] == pytest.approx(-log(min(max(1 - off, 0.01), 0.99)))


def test_belief_is_turned_so_that_it_is_of_the_pretender():
    for seed in range(8):
        found = game(seed, judge=judge(questions=["a?"], beliefs=[0.9], probability=0.9))
        expected = 0.9 if found.side == "A" else 0.1
        assert found.beliefs[0].value == pytest.approx(expected)
        assert found.verdicts[0].belief == pytest.approx(expected)


def believing(*values, seed=1):
    """Play a game whose judge believes this of the pretender after each exchange."""
    side = game(seed, judge=judge()).side
    stated = [value if side == "A" else 1 - value for value in values]
    return facts(seed, judge=judge(questions=["a?"] * len(values), beliefs=stated, probability=stated[-1]))


def test_the_worst_moment_is_the_lowest_belief_and_stands_beside_the_mean():
    seed, values = 1, (0.8, 0.2, 0.5)
    side = game(seed, judge=judge()).side
    stated = [value if side == "A" else 1 - value for value in values]
    found = scored(seed, judge=judge(questions=["a?"] * 3, beliefs=stated))
    assert found.values["worst_moment"] == pytest.approx(0.2)
    assert found.values["mean_belief"] == pytest.approx(0.5)


def test_an_illusion_lasts_until_the_judge_is_sure():
    lasted = believing(0.8, 0.05, 0.6)
    tick = lasted["beliefs"][1][1]
    assert (lasted["lasted"], lasted["ended"]) == (tick, True)
    whole = believing(0.8, 0.5, SURE + 0.01)
    assert (whole["lasted"], whole["ended"]) == (whole["seconds"], False)


def test_nothing_is_pretended_by_a_human_alone():
    seed = next(seed for seed in range(20) if game(seed, form="one", messages=1).truth == "human")
    found = scored(seed, form="one")
    assert isnan(found.values["worst_moment"])
    assert found.details[POOLED]["games"][0]["lasted"] is None


def test_a_void_game_scores_nothing_and_says_why():
    found = scored(judge=lambda ask: Refused())
    assert all(isnan(value) for value in found.values.values())
    assert found.details[POOLED]["games"][0]["void"] == "the judge left"


def mute(ask):
    return "" if isinstance(ask.space, Text) else ask.space.draw(np.random.default_rng(1))


def competition(**given):
    """Return the table of a competition and its note."""
    found = scored(form="loebner", programs=2, **given)
    (shown,) = competitions([Gathered.of(Group("all", "", {}, [found]))])
    return {row[0].split()[-1].strip("()"): row for row in shown.rows}, " ".join(shown.notes)


@pytest.mark.parametrize("silent", ["machine1", "human1"])
def test_nobody_passes_a_competition_in_games_in_which_a_witness_never_spoke(silent):
    rows, note = competition(messages=2, **{silent: mute})
    assert rows["machine1"][3:] == ["0 of 0", None]
    assert "4 games" in note
    assert rows["machine2"][3].endswith("of 4")
    assert isinstance(rows["machine2"][4], bool)


def test_an_answer_by_keywords_is_no_score_of_the_game():
    assert "direct_share" not in scored().values
    assert "direct_share" not in {one.name for one in imitation.scores}


def test_a_run_says_with_its_score_which_games_are_void():
    from mensura.catalog.imitation.pooled import pooled

    sessions = {f"run/{n}.0.0": scored(form="loebner", messages=1, programs=2, human1=mute, machine1=mute)
                for n in range(2)}  # fmt: skip
    right = pooled(sessions)["right"]
    assert right.n == 2
    assert right.note.endswith("8 games are void: neither machine1 nor human1 spoke (8).")


def test_players_who_reveal_themselves_are_flagged_and_kept():
    told = facts(machine=lambda ask: "Honestly, I am a robot.", judge=judge(questions=["Who are you?"]))
    assert told["revealing"] == ["machine"]
    assert not told["void"]


def test_silent_witnesses_are_flagged():
    assert facts(machine=lambda ask: "", judge=judge(questions=["Who are you?"]))["silent"] == ["machine"]


def test_messages_that_decided_and_blunders_are_read_by_number():
    found = game(judge=judge(questions=["a?"], message="A2", blunders="a2, B2 and Z9"))
    assert found.verdicts[0].message == "A2"
    assert found.verdicts[0].blunders == ("A2", "B2")


def test_a_hung_jury_identifies_nobody():
    cast = {"juror1": judge(verdict="human"), "juror2": judge(verdict="machine")}
    found = scored(form="jury", jurors=2, **cast)
    assert isnan(found.values["right"])
    assert found.details[POOLED]["games"][0]["decision"] == "hung"


def test_the_facts_hold_no_word_that_was_said():
    taken = played(machine=lambda ask: "A Zanzibarian secret.", judge=judge(questions=["Well?"]))
    from mensura.running.scoring.scoring import score_record

    assert "Zanzibarian" not in str(score_record(imitation, taken.record, taken.truths).details)


def test_kinds_of_questions_and_answers_are_counted():
    found = facts(machine="evasive")
    assert sum(found["questions"].values()) == 5
    assert found["direct"] < 0.5
    assert sum(found["kinds"].values()) == 5


def answered(**given):
    """Return a game, its record, and the first message of a witness in it."""
    taken = played(judge=judge(), **given)
    (found,) = read_games(taken.record, taken.truths)
    return found, taken.record, next(one for one in found.messages if not one.judge)


@pytest.mark.parametrize(("seconds", "pasted"), [(3.0, 1), (150.0, 0), (None, 0)])
def test_an_essay_that_nobody_types_so_fast_is_flagged_and_kept(seconds, pasted):
    found, record, message = answered()
    message.text, message.seconds = "An essay of many words. " * 20, None
    others = facts_of(found, record)["pasted"]
    message.seconds = seconds
    assert facts_of(found, record)["pasted"] == others + pasted
    assert message in found.messages


def test_a_message_is_late_only_where_it_was_to_be_delayed():
    found, record, message = answered()
    message.released = message.sent + 60
    other = facts_of(found, record)["late"]
    message.released = message.sent
    assert facts_of(found, record)["late"] == other + 1
    assert facts(delays=False)["late"] == 0
