"""How many games can be played at once, how fast scripted games and the bench of schemas are."""
