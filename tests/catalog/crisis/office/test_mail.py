"""Mail: it arrives by the clock, is read and answered; vendors answer only forms."""

from mensura.catalog.crisis.office.office import OfficeState
from mensura.catalog.crisis.settings import BASE


def test_old_mail_is_there_and_new_mail_comes_by_the_clock(office):
    assert list(office.mailbox) == ["b-1", "b-2"]
    assert [letter.id for letter in office.arrive(240)] == ["m-1", "m-2", "m-3"]
    assert office.arrive(240) == []
    assert office.next_arrival() == 400


def test_a_message_is_read_once_for_the_first_time(office, do):
    said = do(office, "read", message="m-1", now=10)
    assert said.ok
    assert "A pipe has burst" in said.words
    assert "Ruth Amadi" in said.words
    do(office, "read", message="m-1", now=99)
    assert office.read == {"m-1": 10}


def test_mail_that_has_not_come_cannot_be_read(office, do):
    said = do(office, "read", message="m-2", now=10)
    assert not said.ok
    assert "no message 'm-2'" in said.words
    assert office.history[-1].call == "read"
    assert not office.history[-1].ok


def test_a_receipt_says_by_which_number_its_order_can_be_changed(office, do):
    said = do(office, "read", message="b-1")
    assert said.data["order"] == "o-1"
    assert "order o-1" in said.words


def test_replies_and_new_messages_are_kept_as_sent(office, do):
    office.arrive(600)
    assert do(office, "reply", message="m-5", text="Behind Orchard House.").ok
    assert do(office, "send", to="Ines Valdez", subject="Thanks", text="For the room.").ok
    assert do(office, "send", to="valdez@orchard.example", subject="Again", text="Thanks.").ok
    assert [(sent.id, sent.to, sent.subject, sent.reply_to) for sent in office.sent] == [
        ("s-1", "ada", "Re: Attendance at my keynote", "m-5"),
        ("s-2", "ines", "Thanks", ""),
        ("s-3", "ines", "Again", ""),
    ]


def test_nobody_can_be_written_to_who_is_not_there(office, do):
    said = do(office, "send", to="Ines Valdes", subject="Hello", text="Hello")
    assert not said.ok
    assert "Did you mean ines valdez?" in said.words
    assert not do(office, "reply", message="zzz", text="Hello").ok
    assert not do(office, "reply", message="b-1", text="  ").ok
    assert office.sent == []


def test_a_vendor_answers_mail_by_pointing_to_its_form(office, do):
    do(office, "reply", message="b-1", text="Please send the microphones to the terrace.", now=10)
    came = office.arrive(15)
    assert [letter.sender for letter in came if letter.id == "r-1"] == ["brightline"]
    assert "form" in office.mailbox["r-1"].body
    assert office.orders["o-1"].room == "great"


def test_people_do_not_write_back(office, do):
    do(office, "send", to="ada", subject="Parking", text="Behind Orchard House.")
    office.arrive(5000)
    assert not any(id.startswith("r-") for id in office.mailbox)


def test_search_finds_messages_with_all_words_the_newest_first(office, do):
    said = do(office, "search", words="great HALL", now=700)
    assert said.data["messages"] == ["m-1", "b-2", "b-1"]
    assert do(office, "search", words="elephant").data["messages"] == []
    assert not do(office, "search", words="  ").ok


def test_scripted_replies_and_letters_arrive_in_the_order_of_their_ticks(office, do):
    do(office, "order", vendor="petal", item="bouquet", quantity=2, event="board", now=100)
    assert [letter.id for letter in office.arrive(1000)] == ["m-2", "r-1", "m-3", "m-4", "m-5", "m-6", "m-7"]


def test_a_scripted_reply_never_takes_the_place_of_a_letter_of_the_world(small, do):
    letter = small.letters[-1].model_copy(update={"id": "r-1"})
    office = OfficeState(small.model_copy(update={"letters": (*small.letters[:-1], letter)}), tools=BASE)
    do(office, "send", to="petal", subject="Hello", text="Flowers, please.")
    office.arrive(7200)
    assert office.mailbox["r-1"] == letter
    assert office.mailbox["r-2"].sender == "petal"
