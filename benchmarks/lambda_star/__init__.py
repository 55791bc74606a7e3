"""Speed of Λ*."""
