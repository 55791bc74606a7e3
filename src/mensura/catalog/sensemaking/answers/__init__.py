"""What one subject answered, person or model, and what is wrong with it."""
