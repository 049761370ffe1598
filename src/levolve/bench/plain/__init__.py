"""Straightforward versions of levolve's algorithms, as one would write them without thinking of speed, to compare with."""
