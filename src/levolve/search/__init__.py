"""Search: how levels are encoded, what a search maximises, and how it proposes, varies and
selects.
"""
