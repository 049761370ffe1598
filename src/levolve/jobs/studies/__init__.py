"""Studies: many runs that answer a question. `comparison` compares recipes, `meta` evolves the
settings of one.
"""
