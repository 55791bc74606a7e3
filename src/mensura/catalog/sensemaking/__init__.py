"""AHA, the geospatial sensemaking exam: taking it, solving it, and assessing a model against people."""
