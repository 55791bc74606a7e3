"""Making items: drawing a puzzle, proving that its answer is the only one, offering options, writing it down."""
