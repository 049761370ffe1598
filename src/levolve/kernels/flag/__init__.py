"""Reach the Flag on the compiled floor: what is hopeless, exact search, all states of play, and the two kinds of evolution."""
