"""Contents that are no levels: spaces of numbers, arrays and dictionaries, and problems whose
objective is any function.

A new kind of content is one file and one line here.
"""

from typing import TYPE_CHECKING

from levolve.core.registry import Registry
from levolve.core.startup import lazy_names

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
    _HOMES = dict.fromkeys(__all__[1:], f"{__name__}.spaces")
    __getattr__, __dir__ = lazy_names(__name__, _HOMES, __all__)
