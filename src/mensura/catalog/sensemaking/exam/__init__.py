"""The exam as typed data: groups, places, roads, regions, rules and the trials of the seven tasks."""
