r"""Text from files, names and other people, made safe for a terminal.

A terminal obeys control characters: they move the cursor, change the title, or hide what is
printed. Each is replaced by its escape `\uXXXX`, which JSON and TOML read back as the same
character.
"""

import re

# Control characters (C0 except tab and newline, DEL, C1), marks that change the direction of text,
# separators of lines, and lone surrogates.
CONTROLS = r"\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
_CONTROL = re.compile(f"[{CONTROLS}]")
_CONTROL_OR_BREAK = re.compile(f"[{CONTROLS}\t\n]")
_COLOUR_OR_CONTROL = re.compile(rf"(\x1b\[[0-9;]*m)|[{CONTROLS}]")


def printable(text: object) -> str:
    r"""Return a text of one or more lines without control characters.

    >>> printable("a\x1b[31mb")
    'a\\u001b[31mb'
    """
    return _CONTROL.sub(_escape, str(text))


def one_line(text: object) -> str:
    r"""Return a text as one line without control characters; tabs and line breaks are escaped too.

    >>> one_line("a\nlevolve: b")
    'a\\nlevolve: b'
    """
    return _CONTROL_OR_BREAK.sub(_escape, str(text))


def only_colours(text: str) -> str:
    """Return a picture for the terminal in which colours are the only escape sequences."""
    return _COLOUR_OR_CONTROL.sub(lambda match: match[1] or _escape(match), text)


def _escape(match: re.Match[str]) -> str:
    return {"\t": r"\t", "\n": r"\n", "\r": r"\r"}.get(match[0], f"\\u{ord(match[0]):04x}")
