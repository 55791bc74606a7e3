"""Names of participants are masked in what raters see."""

from mensura.running.panel.artefact import names_behind
from mensura.running.study import Cast, Study, conduct, invite
from mensura.store import open_store


def test_whoever_took_a_session_is_masked_by_the_book_of_identities(tmp_path):
    study = Study(name="s", tests=("coin",), casts=(Cast("people", {"": "human"}),))
    with open_store(tmp_path / "lab.db") as store:
        conduct(study, store=store)
        mine, other = invite(study, 2, store=store)
        book = store.invitations
        book.name(mine.number, name="Ann Lee Okafor", contact="a@x.org")
        book.name(other.number, name="Bo Chen", contact="b@x.org")
        session = next(step.session for step in book.get(mine.number).steps if step.session)
        assert names_behind([session], store=store) == ["Ann Lee Okafor", "Ann", "Lee", "Okafor"]
