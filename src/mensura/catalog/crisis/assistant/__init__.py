"""The assistant: what it was built to know is the same for everyone; what it learned can be put in or left out."""
