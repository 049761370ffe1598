"""Contents that are no levels: spaces of numbers, arrays and dictionaries, and problems whose objective is any function.

A new kind of content is one file and one line here.
"""

import importlib
from typing import TYPE_CHECKING, Any

from levolve.registry import Registry

if TYPE_CHECKING:
    from levolve.contents.content import Content
    from levolve.contents.spaces import Array, Constant, Dictionary, Integer, Number, OneOf, Row

CONTENTS: "Registry[type[Content]]" = Registry(
    "content",
    {
        "function": "levolve.contents.function:FunctionContent",
    },
    "levolve.contents",
    classes="levolve.contents.content:Content",
)

__all__ = ["CONTENTS", "Array", "Constant", "Dictionary", "Integer", "Number", "OneOf", "Row"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 the type depends on the name
    # Spaces are imported on first use: they need NumPy.
    if name not in __all__:
        message = f"module 'levolve.contents' has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(importlib.import_module("levolve.contents.spaces"), name)
