"""The hidden test: are originals found that were reworded so that they would not be?"""
