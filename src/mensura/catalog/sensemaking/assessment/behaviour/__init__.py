"""What respondents do besides what CPA and CFA score: directions of error, drawings, surprise, purchases."""
