"""Lines of text files, within the budgets."""

from levolve.errors import InputError
from levolve.formats.reading.budgets import MOST_BYTES, MOST_LINES, check_amount

# The signs that `str.splitlines` splits at.
_ENDS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"


def decode_text(content: bytes, what: str) -> str:
    """Return text in UTF-8 without a byte order mark, of a limited number of bytes and lines."""
    check_amount(len(content), MOST_BYTES, "bytes", what)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        message = f"{what}: expected text in UTF-8: {problem.reason} at byte {problem.start}"
        raise InputError(message) from problem
    check_lines(text, what)
    return text


def check_lines(text: str, what: str) -> None:
    """Raise `InputError` if a text has more lines than the budget allows."""
    check_amount(sum(text.count(end) for end in _ENDS), MOST_LINES, "lines", what)
