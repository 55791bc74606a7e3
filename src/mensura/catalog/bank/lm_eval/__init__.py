"""Tasks of the Language Model Evaluation Harness (lm-eval), taken as banks."""
