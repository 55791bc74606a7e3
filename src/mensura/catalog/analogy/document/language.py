"""Whether a text is English: by the share of its commonest words."""

import re
import unicodedata

COMMON = {
    "English": "the of and to in is that it for was on with as by be are this at from or an not have which but they we "
    "he she his her has had were will would can a i you their its been",
    "German": "der die das und ist nicht ein eine zu den mit von dem sich auf für als auch es werden aus hat dass",
    "French": "le la les des est et une un dans que qui pour pas sur avec par ce plus sont au du il elle ne se",
    "Spanish": "el la los las de que y en un una es por con para del se no su al lo como más fue",
    "Italian": "il lo gli di che è e un una per con del della non sono si nel da al come più i le",
    "Portuguese": "o os as de que e do da em um uma para com não por mais dos na no se foi ao é",
    "Dutch": "de het een en van is dat op te in zijn voor met niet aan er om door ook als bij",
}
WORDS = {name: frozenset(text.split()) for name, text in COMMON.items()}
LEAST = 20
"""Shorter texts are not judged."""
SHARE = 0.15
"""In English prose 35 to 50 of 100 words are among its commonest."""


def foreign(text: str) -> str:
    """Return in a few words what language a text seems to be in; "" for English, and for texts too short to say."""
    letters = [sign for sign in text[:20_000] if sign.isalpha()]
    if len(letters) >= LEAST and sum("LATIN" in unicodedata.name(sign, "") for sign in letters) < len(letters) / 2:
        return f"written in {unicodedata.name(letters[len(letters) // 2], 'other').split()[0].title()} letters"
    words = re.findall(r"[^\W\d_]+", text[:20_000].lower())
    if len(words) < LEAST:
        return ""
    shares = {name: sum(word in known for word in words) / len(words) for name, known in WORDS.items()}
    best = max(shares, key=lambda name: shares[name])
    if shares["English"] >= SHARE and (best == "English" or shares["English"] >= shares[best] * 0.8):
        return ""
    return f"probably {best}" if best != "English" and shares[best] >= SHARE else "not English by its commonest words"
