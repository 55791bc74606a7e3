"""Reference detectors: pattern matching by rules, link discovery, and alerts of what is still in preparation."""

from mensura.catalog.detection.detectors.foresight import foresee_attacks
from mensura.catalog.detection.detectors.links import discover_links, suspects_in
from mensura.catalog.detection.detectors.picture import Picture
from mensura.catalog.detection.detectors.rules import match_rules

__all__ = ["Picture", "discover_links", "foresee_attacks", "match_rules", "suspects_in"]
