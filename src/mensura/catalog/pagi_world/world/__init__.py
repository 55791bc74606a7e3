"""What is in a room and how it moves: things, bodies with hands, joints, contacts."""
