"""What a body senses: sight, touch, its own place and motion."""
