"""Rating artefacts by a rubric: what every rater of a panel takes, person, program or model."""
