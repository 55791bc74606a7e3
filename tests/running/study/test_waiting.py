"""People who meet each other in a study: both places of a session are filled, and the plan says how they wait."""

from dataclasses import replace

import pytest

from mensura.errors import BadParameter, MensuraError
from mensura.running.study.cohorts import Cohort
from mensura.running.study.conduct import conduct
from mensura.running.study.invite import invite
from mensura.running.study.plan import Cast, Stopping, Study
from mensura.running.study.procedure import Procedure
from mensura.running.study.recruiting import Applicant, enrol
from mensura.running.study.registration.checked import check_plan
from mensura.store import open_store

ROOM = {"minutes": 5, "pay": 2.5}


def pairs(**invitation):
    cast = Cast("people", {"": "human"})
    return Study("pairs", ("dilemma",), (cast,), stopping=Stopping(3), seed=1, invitation=invitation)


def test_two_people_are_invited_to_each_session_and_the_plan_travels_with_their_links(tmp_path):
    study = pairs(waiting=ROOM, replacement="tit-for-tat")
    with open_store(tmp_path / "mensura.db") as store:
        conduct(study, store=store)
        made = [store.invitations.get(one.number) for one in invite(study, 3, store=store)]
        places = [(one.sessions[0][-1], next(step.role for step in one.steps if step.session)) for one in made]
        assert places == [("0", "first"), ("0", "second"), ("1", "first")]
        assert made[0].details["waiting"] == {"minutes": 5, "pay": 2.5, "code": "", "match": "links"}
        assert made[0].details["replacement"] == "tit-for-tat"


def test_people_of_one_cohort_are_not_invited_to_wait_for_those_of_another(tmp_path):
    procedure = {"cohorts": {"size": 3, "per_condition": 6, "slots": ["2027-03-01 09:00", "2027-03-02 09:00"]}}
    study = replace(pairs(), procedure=procedure)
    with open_store(tmp_path / "mensura.db") as store:
        conduct(study, store=store)
        condition = study.cells()[0].condition
        cohorts = [Cohort(number, condition, slot, 3) for number, slot in enumerate(procedure["cohorts"]["slots"], 1)]

        def place(number, cohort):
            person = Applicant("Ann", f"p{number}@example.org", {})
            made = enrol(study, Procedure.read(procedure), cohorts, person, cohort=cohort, store=store)
            step = next(one for one in store.invitations.get(made.invited.number).steps if one.session)
            return step.session[-1], step.role

        places = [place(number, cohort) for number, cohort in enumerate((1, 2, 1, 1, 2))]
        assert places == [("0", "first"), ("1", "first"), ("0", "second"), ("2", "first"), ("1", "second")]
        met = {session[-1]: cohorts for session, cohorts in store.invitations.cohorts("pairs").items()}
        assert met == {"0": (1,), "1": (2,), "2": (1,)}


def test_a_plan_with_a_waiting_room_or_a_program_that_means_nothing_is_refused():
    with pytest.raises(BadParameter, match="0 or more"):
        check_plan(pairs(waiting={"minutes": 5, "pay": -1}))
    with pytest.raises(MensuraError, match="tit-for-tot"):
        check_plan(pairs(replacement="tit-for-tot"))
