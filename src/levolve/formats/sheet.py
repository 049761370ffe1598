"""Many levels to look at: a contact sheet as one picture, and a page."""

import html
from collections.abc import Sequence
from importlib import resources
from string import Template

from levolve.formats.drawing import contact_sheet
from levolve.formats.png import picture_bytes
from levolve.levels.level import Level


def sheet_picture(levels: Sequence[Level], captions: Sequence[str]) -> bytes:
    """All levels on one PNG."""
    return picture_bytes(contact_sheet(levels, captions))


def page(title: str, names: Sequence[str], levels: Sequence[Level], captions: Sequence[str]) -> bytes:
    """A page that shows the pictures `NAME.png` beside it, each with a caption and links to its files."""
    figure = Template(_resource("sheet_level.html"))
    figures = [
        figure.substitute(name=html.escape(name), caption=html.escape(caption), width=level.width, height=level.height, solution=level.solution or "")
        for name, level, caption in zip(names, levels, captions, strict=True)
    ]
    return Template(_resource("sheet.html")).substitute(title=html.escape(title), count=len(levels), figures="\n".join(figures)).encode()


def _resource(name: str) -> str:
    return (resources.files("levolve.formats") / name).read_text(encoding="utf-8")
