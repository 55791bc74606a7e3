"""Task environments: bodies, motors and goals under physics, measured in time and energy."""
