"""The patrol: pay for information, act in time; a second test in the same world."""
