"""Ways through levels: shortest and longest paths, tours, dead ends and structure."""
