"""What is measured of hypotheses once they are paired."""
