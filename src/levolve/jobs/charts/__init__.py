"""Charts of runs, packs, archives and studies, in one style."""
