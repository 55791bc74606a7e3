"""Reference detectors: rules that match patterns, and link discovery that also uses who deals with whom."""

from mensura.catalog.detection.detectors.links import discover_links
from mensura.catalog.detection.detectors.picture import Picture
from mensura.catalog.detection.detectors.rules import match_rules

__all__ = ["Picture", "discover_links", "match_rules"]
