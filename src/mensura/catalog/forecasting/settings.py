"""Conditions of the forecasting test that a result can name."""

SETTINGS = {
    "urns": {"questions": "urns", "alternatives": 2, "count": 40},
    "triangle": {"questions": "urns", "alternatives": 3, "count": 40},
    "almanac": {"questions": "almanac", "alternatives": 2, "count": 40},
    "almanac-triangle": {"questions": "almanac", "alternatives": 3, "count": 40},
    "quantities": {"questions": "quantities", "count": 40},
    "bins": {"questions": "quantities", "count": 40, "bins": 10},
    "long": {"questions": "urns", "alternatives": 2, "count": 400, "fixed": True},
    "training": {"questions": "almanac", "alternatives": 3, "count": 15, "rounds": 4},
    "silent": {"questions": "almanac", "alternatives": 2, "count": 40, "feedback": False},
}
