"""Signing: the laboratory puts its name to the head of a run's chain (Ed25519), and is bound by it."""

import json
import os
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from mensura.errors import BadFile, StoreError
from mensura.json_file import loads
from mensura.store.sealed.keyring import key_folder

NAME = "laboratory.key"


def sign(heads: Mapping[str, str]) -> dict[str, Any]:
    """Sign the heads of runs with the laboratory's key, which is made at the first signature."""
    key = _own_key()
    signed = {"heads": dict(sorted(heads.items())), "time": time.time()}
    public = urlsafe_b64encode(key.public_key().public_bytes_raw()).decode()
    return {**signed, "key": public, "signature": urlsafe_b64encode(key.sign(_message(signed))).decode()}


def check_signature(signature: Mapping[str, Any] | str, heads: Mapping[str, str]) -> str:
    """Return the public key that signed these very heads; the signature may be the JSON of it.

    Raises
    ------
    BadFile
        If the signature is damaged, or is of other heads.
    """
    try:
        signature = loads(signature) if isinstance(signature, str) else signature
        key = Ed25519PublicKey.from_public_bytes(urlsafe_b64decode(signature["key"]))
        signed = {"heads": signature["heads"], "time": signature["time"]}
        key.verify(urlsafe_b64decode(signature["signature"]), _message(signed))
    except (InvalidSignature, ValueError, KeyError, TypeError, AttributeError):
        raise BadFile("The signature is damaged, or was not made by the key that it names.") from None
    for run, head in heads.items():
        if signature["heads"].get(run) != head:
            raise BadFile(f"The signature is valid, but for another head than {run} has now.")
    return str(signature["key"])


def public_key() -> str:
    """Return the laboratory's public key, by which others know its signatures."""
    return urlsafe_b64encode(_own_key().public_key().public_bytes_raw()).decode()


def _message(signed: Mapping[str, Any]) -> bytes:
    return json.dumps(signed, sort_keys=True, separators=(",", ":")).encode()


def _own_key() -> Ed25519PrivateKey:
    path = key_folder() / NAME
    try:
        if not path.exists():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            made = urlsafe_b64encode(Ed25519PrivateKey.generate().private_bytes_raw()).decode()
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(made + "\n")
        return Ed25519PrivateKey.from_private_bytes(urlsafe_b64decode(Path(path).read_text().strip()))
    except (OSError, ValueError) as error:
        raise StoreError(f"The laboratory's key at {path} cannot be read or made: {error}.") from error
