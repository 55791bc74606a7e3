"""Sealing: what nobody may read before its time is stored encrypted (AES-256-GCM) under a separate secret."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import a2b_base64, b2a_base64
from functools import cached_property
from hashlib import blake2b
from secrets import token_bytes

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from mensura.errors import StoreError

MARK = "sealed:"
"""How sealed text begins; no JSON and no number does."""
NONCE = 12


class Sealer:
    """Seals and opens texts under one secret; each is bound to what it is about, so none can take another's place.

    >>> sealer = Sealer(b"a secret of thirty-two bytes ...")
    >>> sealed = sealer.seal("1", about="truth coin0")
    >>> is_sealed(sealed), sealer.open(sealed, about="truth coin0")
    (True, '1')
    """

    def __init__(self, secret: bytes) -> None:
        self.secret = secret

    @cached_property
    def _cipher(self) -> AESGCM:
        return AESGCM(blake2b(self.secret, digest_size=32, person=b"mensura seal").digest())

    @cached_property
    def salt(self) -> bytes:
        """Return the salt for digests of rows: without it the digest of a short answer would be the answer."""
        return blake2b(self.secret, digest_size=32, person=b"mensura salt").digest()

    def seal(self, text: str, *, about: str) -> str:
        """Encrypt a text."""
        nonce = token_bytes(NONCE)
        sealed = nonce + self._cipher.encrypt(nonce, _padded(text.encode("utf-8", "surrogatepass")), about.encode())
        return MARK + b2a_base64(sealed, newline=False).decode()

    def open(self, sealed: str, *, about: str) -> str:
        """Decrypt a text.

        Raises
        ------
        StoreError
            If it was altered, belongs elsewhere or was sealed under another secret.
        """
        try:
            raw = a2b_base64(sealed[len(MARK) :])
            opened = self._cipher.decrypt(raw[:NONCE], raw[NONCE:], about.encode())
            return opened.rstrip(b"\0").decode("utf-8", "surrogatepass")
        except (InvalidTag, ValueError) as error:
            raise StoreError(
                f"The {about} cannot be opened: it was altered, or sealed under another key. `mensura audit` says what "
                "was altered."
            ) from error


def _padded(data: bytes) -> bytes:
    """Fill up to one of few lengths, or the length of a sealed "yes" would tell it from a "no".

    No JSON ends with NUL. Beyond 64 bytes lengths are rounded to within an eighth.
    """
    step = max(64, 1 << max(len(data).bit_length() - 4, 0))
    return data + bytes(-len(data) % step)


def is_sealed(text: str | None) -> bool:
    """Return whether a stored text is sealed."""
    return isinstance(text, str) and text.startswith(MARK)


def new_secret() -> bytes:
    """Draw the secret of a session."""
    return token_bytes(32)


def write_secret(secret: bytes) -> str:
    """Write a secret as text."""
    return urlsafe_b64encode(secret).decode()


def read_secret(text: str) -> bytes:
    """Read a secret that `write_secret` wrote."""
    return urlsafe_b64decode(text)
