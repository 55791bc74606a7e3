"""The programme: events, their titles and people, the original timetable, and a repair that proves it can be mended."""
