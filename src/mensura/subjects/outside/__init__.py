"""Subjects outside this process: programs, sockets, web addresses and how they are talked to."""
