"""pyribs illuminates mazes with our genotype, variation and measures; the result becomes one of our
archives, whose levels have proofs.
"""

from levolve.bridges.ribs import VariationEmitter, add_levels, empty_archive, from_ribs
from levolve.jobs.archives.illuminate import illumination_recipe

recipe = illumination_recipe("maze", size=(12, 12), axes="walls,exit_path", grid="20x20")
archive = empty_archive(recipe, seed=1)
emitter = VariationEmitter(archive, recipe, batch_size=128, seed=1)
for _ in range(40):
    add_levels(archive, recipe, emitter.ask())
    emitter.tell()
found = from_ribs(archive, recipe)
print(found)
print(found.levels[0].to_text())
