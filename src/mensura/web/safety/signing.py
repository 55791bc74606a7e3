"""Signing: what leaves the server and must come back unchanged. The key lives in the store, so restarts keep it."""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import cached_property
from hashlib import blake2b
from secrets import token_hex
from typing import TYPE_CHECKING

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

if TYPE_CHECKING:
    from mensura.store import Store

KEY = "web_key"


class Signer:
    """Signs texts, each for one purpose.

    >>> signer = Signer("a secret key")
    >>> signature = signer.sign("hello", purpose="greeting")
    >>> signer.holds("hello", signature, purpose="greeting"), signer.holds("hello", signature, purpose="parting")
    (True, False)
    """

    def __init__(self, key: str) -> None:
        self._key = key.encode()

    @classmethod
    def of_store(cls, store: "Store") -> "Signer":
        """Use the key of a store; all processes that serve it share one, and it outlives them."""
        return cls(store.database.settle(KEY, token_hex(32)))

    def sign(self, text: str, *, purpose: str) -> str:
        """Return the signature of a text."""
        made = hmac.digest(self._key, f"{purpose}\0{text}".encode(), "sha256")
        return urlsafe_b64encode(made[:24]).decode()

    def holds(self, text: str, signature: str, *, purpose: str) -> bool:
        """Return whether a signature is ours; takes as long for a wrong one as for a right one."""
        return hmac.compare_digest(self.sign(text, purpose=purpose).encode(), signature.encode())

    def hide(self, text: str, *, purpose: str) -> str:
        """Return a text encrypted, the same text always alike, for addresses that must not tell what they lead to."""
        return urlsafe_b64encode(self._cipher.encrypt(text.encode(), [purpose.encode()])).decode().rstrip("=")

    def reveal(self, hidden: str, *, purpose: str) -> str | None:
        """Return the text of `hide`; None where it was changed or is not ours."""
        try:
            raw = urlsafe_b64decode(hidden + "=" * (-len(hidden) % 4))
            return self._cipher.decrypt(raw, [purpose.encode()]).decode()
        except (InvalidTag, ValueError):
            return None

    @cached_property
    def _cipher(self) -> AESSIV:
        return AESSIV(blake2b(self._key, digest_size=64, person=b"mensura hide").digest())

    def wrap(self, text: str, *, purpose: str) -> str:
        """Return a text with its signature in front, for cookies and addresses."""
        return f"{self.sign(text, purpose=purpose)}.{text}"

    def unwrap(self, wrapped: str, *, purpose: str) -> str | None:
        """Return the text of `wrap` back; None where it was changed or is not ours."""
        signature, dot, text = wrapped.partition(".")
        return text if dot and self.holds(text, signature, purpose=purpose) else None
