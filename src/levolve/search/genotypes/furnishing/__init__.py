"""Furnishing: keys, doors, treasure, monsters and other things in levels of any genotype."""

from __future__ import annotations

from typing import TYPE_CHECKING

from levolve.core.registry import Registry

if TYPE_CHECKING:
    from levolve.search.genotypes.furnishing.furnisher import Furnisher

FURNISHERS: Registry[type[Furnisher]] = Registry(
    "furnisher",
    {
        "assumed_fill": f"{__name__}.furnisher:AssumedFill",
        "plain_indices": f"{__name__}.furnisher:PlainIndices",
    },
    "levolve.furnishers",
    classes=f"{__name__}.furnisher:Furnisher",
)
