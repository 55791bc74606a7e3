"""The world of the crisis: a conference, its campus, its people and its vendors, as data."""
