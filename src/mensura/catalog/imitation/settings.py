"""Conditions of the game that a result can name."""

SETTINGS: dict[str, dict[str, object]] = {
    "gender": {"form": "gender"},
    "machine-human": {"form": "machine-human"},
    "one": {"form": "one"},
    "jury": {"form": "jury"},
    "jury-deliberating": {"form": "jury", "deliberation": 300},
    "loebner": {"form": "loebner"},
    "free": {"talk": "free"},
    "end-only": {"belief": "end"},
    "persona": {"told": "persona"},
    "honest": {"honest": True},
    "barred": {"barred": True},
    "typing": {"typing": True},
    "undelayed": {"delays": False},
}
