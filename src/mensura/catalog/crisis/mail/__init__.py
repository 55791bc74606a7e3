"""Mail: templates with variables and date anchors, and the ways people write."""
