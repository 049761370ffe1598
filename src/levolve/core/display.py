"""`Displayed`: how results are shown by notebooks, such as Jupyter: a picture with a caption."""

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

# Functions that draw objects of low layers as PNG; the package, which may use all layers, adds
# them.
DRAWERS: dict[str, Callable[[Any], bytes]] = {}


class Displayed:
    """A mixin for results that have a picture. A subclass implements `_picture`; the caption is the
    short text of `repr`.
    """

    def _picture(self) -> bytes | None:
        """Return a PNG, or None if there is nothing to show yet."""
        return None

    def _repr_png_(self) -> bytes | None:
        return self._picture()

    def _repr_html_(self) -> str:
        content = self._picture()
        caption = escape(repr(self).strip("<>"))
        image = (
            ""
            if content is None
            else (
                f'<img alt="{caption}" src="data:image/png;base64,{b64encode(content).decode()}" '
                'style="max-width:100%">'
            )
        )
        return f'<figure style="margin:0">{image}<figcaption>{caption}</figcaption></figure>'


def html_table(rows: Sequence[Mapping[str, object]]) -> str:
    """Return rows with the same keys as an HTML table; all texts are escaped."""
    if not rows:
        return ""
    head = "".join(f"<th>{escape(str(name))}</th>" for name in rows[0])
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(str(value))}</td>' for value in row.values())}</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
