"""The translation test: does closeness fall as texts come back from further languages, or more damaged?"""
