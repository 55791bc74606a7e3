"""Whether a person wears headphones: tones that only loudspeakers make quiet."""
