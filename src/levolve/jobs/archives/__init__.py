"""Archives of illumination: the best level of every cell of a grid over measures; the job that
fills one; its files and its heat map.
"""
