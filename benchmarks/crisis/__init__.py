"""Speed of the crisis."""
