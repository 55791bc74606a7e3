"""What raters and experimenters see of panels on pages."""
