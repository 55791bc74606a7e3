"""A test as a Gymnasium or PettingZoo environment."""
