"""Pictures of graphs and of mappings."""
