"""Registration: the plan that a study was begun with, what was changed since, and what its tests can measure."""
