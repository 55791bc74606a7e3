"""Belonging: runs beside a study, what raters see of it, and invitations belong to it."""

from collections.abc import Callable

from mensura.store import Store
from mensura.store.people.belonging import NONE
from mensura.store.people.invitations import Step
from mensura.store.people.panels import Assignment, Origin, PanelHead


def test_what_stands_beside_a_study_and_what_is_rated_of_it_belong_to_it(
    store: Store, begin: Callable[..., str]
) -> None:
    taken = begin(store, "taken", details={"study": "coins"})
    alone = begin(store, "alone")
    assert store.belongings.now().of_session(taken) == {"coins"}
    survey = begin(store, "asked", details={"survey_for": "taken"})
    rated = begin(store, "rated", details={"rater": "Ria"})
    head = PanelHead("panel", {}, {}, 1.0, None)
    store.panels.create(head, {"AAA": {}, "BBB": {}}, {"AAA": Origin("few", taken), "BBB": Origin("few", "a file")})
    store.panels.assign(Assignment("panel", "Ria", "human", "rating", rated, (("AAA", ("clear",)),)))
    _, person = store.invitations.add([Step("session", session=survey)])
    _, rater = store.invitations.add([Step("session", session=rated)])
    _, other = store.invitations.add([Step("session", session=alone)], details={"study": "dice"})
    found = store.belongings.now()
    assert found.of_session(survey) == found.of_session(rated) == found.of_panel("panel") == {"coins"}
    assert found.of_invitation(person) == found.of_invitation(rater) == {"coins"}
    assert found.of_invitation(other) == {"dice"}
    assert found.of_session(alone) == found.of_panel("nothing") == NONE
