"""Recipes: what to evolve and how, as data. Each built-in recipe is one TOML file."""
