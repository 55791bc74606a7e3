"""The form on which people calibrate schemas: who is meant, and how sure are they?"""
