"""Features: values of a batch of n levels that are computed once and shared by measures and objectives.

A feature is a function of a `Batch`: `exit_steps(batch)` returns `(n,)` steps. A new feature is a function decorated with `@feature`, in any module.
"""

from levolve.measures.features.feature import Feature, feature
from levolve.measures.features.goals import efforts, stops, unwinnable, winnable
from levolve.measures.features.layout import groups, layouts, pockets, shapes, way
from levolve.measures.features.likeness import divergences, originality
from levolve.measures.features.structure import ends, reconvergences, regions
from levolve.measures.features.tours import tour_steps, tours
from levolve.measures.features.walks import distances, exit_members, exit_steps, members, stranded

__all__ = [
    "Feature",
    "distances",
    "divergences",
    "efforts",
    "ends",
    "exit_members",
    "exit_steps",
    "feature",
    "groups",
    "layouts",
    "members",
    "originality",
    "pockets",
    "reconvergences",
    "regions",
    "shapes",
    "stops",
    "stranded",
    "tour_steps",
    "tours",
    "unwinnable",
    "way",
    "winnable",
]
