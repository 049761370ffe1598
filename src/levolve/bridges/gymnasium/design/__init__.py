"""Level design as an environment: an agent edits the tiles of a level and is rewarded by an objective.

This is the task of PCGRL (Khalifa, Bontrager, Earle, Togelius 2020), with any recipe's levels and objective.
"""
