"""What it costs that no power cut loses an answer."""
