"""Breeding: interactive evolution, in which a person picks favourites from a sheet of levels and
the picks steer the next one.

The form comes from Adams, Parekh and Louis (2017). Picks are one more evaluator: they become
scores, which a strategy takes like any others.
"""
