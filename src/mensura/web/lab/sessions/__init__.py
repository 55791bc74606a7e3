"""Single sessions as experimenters see them: transcript, playback, and what may be told when."""
