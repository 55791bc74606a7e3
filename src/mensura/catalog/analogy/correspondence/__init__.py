"""The mapping test: give the correspondences between two stories."""
