"""Finish: steps that tidy levels after genes are decoded, before anything is measured. A new step is one file and one line here."""

from levolve.genotypes.finish.step import FinishStep
from levolve.registry import Registry

FINISHES: Registry[type[FinishStep]] = Registry(
    "finish",
    {
        "fill_pockets": "levolve.genotypes.finish.pockets:FillPockets",
        "drop_specks": "levolve.genotypes.finish.specks:DropSpecks",
        "thicken": "levolve.genotypes.finish.contacts:Thicken",
        "smooth": "levolve.genotypes.finish.majority:Smooth",
        "frame": "levolve.genotypes.finish.border:Border",
    },
    "levolve.finishes",
    classes="levolve.genotypes.finish.step:FinishStep",
)
