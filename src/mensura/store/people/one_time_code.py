"""One-time codes: six digits made of a shared secret and the time (TOTP, RFC 6238 over HOTP, RFC 4226)."""

import hmac
from base64 import b32decode, b32encode
from secrets import token_bytes
from urllib.parse import quote

STEP_SECONDS = 30
DIGITS = 6
SECRET_BYTES = 20


def new_factor() -> str:
    """Draw a shared secret, in the letters that authenticator apps take."""
    return b32encode(token_bytes(SECRET_BYTES)).decode()


def step_at(moment: float) -> int:
    """Return the number of the half minute that a moment lies in."""
    return int(moment // STEP_SECONDS)


def code_at(secret: str, step: int, *, digits: int = DIGITS, algorithm: str = "sha1") -> str:
    """Return the code of a half minute.

    >>> code_at("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", 0)
    '755224'
    """
    made = hmac.new(b32decode(secret), step.to_bytes(8, "big"), algorithm).digest()
    start = made[-1] & 0x0F
    number = int.from_bytes(made[start : start + 4], "big") & 0x7FFFFFFF
    return str(number % 10**digits).zfill(digits)


def grouped(secret: str) -> str:
    """Write a secret in groups of four, to be typed.

    >>> grouped("GEZDGNBVGY")
    'GEZD GNBV GY'
    """
    return " ".join(secret[start : start + 4] for start in range(0, len(secret), 4))


def otpauth(secret: str, account: str) -> str:
    """Return the address that authenticator apps open.

    >>> otpauth("GEZDGNBV", "Ann Lee")
    'otpauth://totp/Mensura:Ann%20Lee?secret=GEZDGNBV&issuer=Mensura'
    """
    return f"otpauth://totp/Mensura:{quote(account, safe='')}?secret={secret}&issuer=Mensura"
