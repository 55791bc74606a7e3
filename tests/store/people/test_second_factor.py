"""One-time codes against the vectors of their RFCs, and a second factor that is used once, sealed and recoverable."""

import json
from base64 import b32encode

import pytest
from sqlalchemy import select

from mensura.errors import BadParameter, Conflict
from mensura.store import Store
from mensura.store.people.accounts import Account
from mensura.store.people.one_time_code import STEP_SECONDS, code_at, step_at
from mensura.store.schema import second_factors

SEED = b"12345678901234567890"
# RFC 4226, appendix D: HOTP of the counters 0 to 9.
COUNTED = ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"]
# RFC 6238, appendix B: seconds since 1970, and the code of eight digits by each hash.
TIMED = {
    59: ("94287082", "46119246", "90693936"),
    1111111109: ("07081804", "68084774", "25091201"),
    1111111111: ("14050471", "67062674", "99943326"),
    1234567890: ("89005924", "91819424", "93441116"),
    2000000000: ("69279037", "90698825", "38618901"),
    20000000000: ("65353130", "77737706", "47863826"),
}


def test_codes_are_those_of_the_rfcs() -> None:
    secret = b32encode(SEED).decode()
    assert [code_at(secret, counter) for counter in range(10)] == COUNTED
    for moment, codes in TIMED.items():
        for algorithm, size, code in zip(("sha1", "sha256", "sha512"), (20, 32, 64), codes, strict=True):
            longer = b32encode((SEED * 4)[:size]).decode()
            assert code_at(longer, step_at(moment), digits=8, algorithm=algorithm) == code


@pytest.fixture
def olga(store: Store) -> Account:
    """Give an account."""
    return store.accounts.add("Olga", password="long enough, surely", role="member")


def test_nothing_is_asked_for_before_a_code_shows_that_it_works(store: Store, olga: Account) -> None:
    factors = store.second_factors
    with pytest.raises(Conflict, match="begin to set it up"):
        factors.confirm(olga, "123456")
    secret = factors.begin(olga)
    assert not factors.is_on(olga)
    wrong = next(
        code for code in ("000000", "111111") if code not in {code_at(secret, step) for step in range(99, 102)}
    )
    with pytest.raises(BadParameter, match="not the code"):
        factors.confirm(olga, wrong, now=100 * STEP_SECONDS)
    factors.confirm(olga, code_at(secret, 100), now=100 * STEP_SECONDS)
    assert factors.is_on(olga)
    with pytest.raises(Conflict, match="already"):
        factors.begin(olga)


def test_a_code_works_once_and_only_near_its_time(store: Store, olga: Account) -> None:
    factors, now = store.second_factors, 100 * STEP_SECONDS
    secret = factors.begin(olga)
    factors.confirm(olga, code_at(secret, 100), now=now)
    assert not factors.check(olga, code_at(secret, 100), now=now), "the code that confirmed it is used up"
    assert not factors.check(olga, code_at(secret, 102), now=now)
    spaced = code_at(secret, 101)[:3] + " " + code_at(secret, 101)[3:]
    assert factors.check(olga, spaced, now=now)
    assert not factors.check(olga, code_at(secret, 101), now=now)
    assert not factors.check(olga, code_at(secret, 100), now=now), "nor does an earlier one work after a later one"
    for nonsense in ("", "12345", "1234567", "１２３４５６", "-12345", "abcdef"):
        assert not factors.check(olga, nonsense, now=now + 60)


def test_a_recovery_code_works_once_and_nothing_is_stored_in_the_clear(store: Store, olga: Account) -> None:
    factors, now = store.second_factors, 100 * STEP_SECONDS
    secret = factors.begin(olga)
    codes = factors.confirm(olga, code_at(secret, 100), now=now)
    assert len(set(codes)) == factors.left(olga) == 10
    assert factors.check(olga, codes[3].upper().replace("-", " "))
    assert not factors.check(olga, codes[3])
    assert factors.left(olga) == 9
    with store.database.reading() as connection:
        row = connection.execute(select(second_factors)).one()
    assert secret not in row.secret
    assert not set(codes) & set(json.loads(row.recovery))
    factors.end(olga)
    assert not factors.check(olga, codes[4])
