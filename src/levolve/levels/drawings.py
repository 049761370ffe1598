"""How levels are drawn by notebooks. Pictures belong to a higher layer, so that it is named here, and imported on first use."""

from collections.abc import Callable
from typing import Any

from levolve.registry import Registry

DRAWINGS: Registry[Callable[[Any], bytes]] = Registry("drawing", {"level": "levolve.formats.png:encode"})
