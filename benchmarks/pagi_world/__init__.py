"""How fast rooms go: ticks of bodies, water, sight, replays."""
