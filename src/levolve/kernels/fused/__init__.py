"""Kernels of whole searches: many generations of packed genes per call, composed of a strategy, its
operators and a score.

Each strategy is a template: a function of small kernels (how parents are selected, which genes two
parents exchange, how a child mutates, how levels are scored) that returns a kernel of the whole
loop. Only combinations that are used are compiled. All random numbers come from the same streams as
in the strategies' own steps, so that both give the same bytes.
"""
