"""What a subject is shown: maps, bars, percents to set, and the words and rules of the exam."""
