"""Contents that are no levels: spaces of numbers, arrays and dictionaries, and problems whose
objective is any function.

A new kind of content is one file and one line here.
"""

from typing import TYPE_CHECKING

from levolve.core.lazy import lazy_names
from levolve.core.registry import Registry

if TYPE_CHECKING:
    from levolve.contents.content import Content
    from levolve.contents.spaces import Array, Constant, Dictionary, Integer, Number, OneOf, Row

CONTENTS: "Registry[type[Content]]" = Registry(
    "content",
    {
        "function": "levolve.contents.content:FunctionContent",
    },
    "levolve.contents",
    classes="levolve.contents.content:Content",
)

__all__ = ["CONTENTS", "Array", "Constant", "Dictionary", "Integer", "Number", "OneOf", "Row"]


# Spaces are imported on first use: they need NumPy.
if not TYPE_CHECKING:
    _HOMES = {name: f"{__name__}.spaces" for name in __all__ if name != "CONTENTS"}
    __getattr__, __dir__ = lazy_names(__name__, _HOMES, __all__)
