"""JSON and TOML texts as plain data: strings, numbers, booleans, lists and dictionaries that other
code can trust in depth, size and encoding.

Lines of text files, within the budgets.
"""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from levolve.core.errors import InputError, shown
from levolve.formats.reading.budgets import (
    MOST_BYTES,
    MOST_DEPTH,
    MOST_DIGITS,
    MOST_KEY_PARTS,
    MOST_LINES,
    MOST_PARSED,
    MOST_TOML_BYTES,
    MOST_TOML_VALUES,
    check_amount,
)

# The memory that a sign of JSON stands for, in bytes: an object, a list, and a string or number
# after a comma or, with its key, a colon.
_JSON_COSTS = {"{": 200, "[": 88, ",": 64, ":": 160}
# Every string matches, even one that never ends: otherwise each quotation mark in it would be tried
# as the beginning of another.
_JSON_STRINGS = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
_TOML_STRINGS = re.compile(
    r'"""(?:[^"\\]++|\\.|"(?!""))*+(?:"""|\\?\Z)'
    r"|'''(?:[^']++|'(?!''))*+(?:'''|\Z)"
    r'|"(?:[^"\\\n]++|\\.)*+"?'
    r"|'[^'\n]*+'?"
    r"|#[^\n]*+",
    re.DOTALL,
)
_LONG_NUMBER = re.compile(rf"[0-9][0-9_.]{{{MOST_DIGITS}}}")
_LONG_KEY = re.compile(rf"(?<![\w.-])(?:[\w-]++[ \t]*+\.[ \t]*+){{{MOST_KEY_PARTS}}}", re.ASCII)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_BRACKETS = np.zeros(128, np.int8)
_BRACKETS[[ord("["), ord("{")]] = 1
_BRACKETS[[ord("]"), ord("}")]] = -1
_NO_BRACKET = dict.fromkeys(np.flatnonzero(_BRACKETS == 0).tolist())


Check = Callable[[int, int, str, str], None]


def parse_json(content: str | bytes, what: str, check: Check = check_amount) -> Any:
    """Parse JSON; raise `InputError` if it is invalid, too deep or too large, names a value twice,
    or has infinite numbers or broken characters.

    `check` compares amounts with budgets, such as `LoadBudget.take` of a load with several files.
    """
    check_amount(len(content), MOST_BYTES, "bytes", what)
    text = content if isinstance(content, str) else _decoded(content, what)
    check(
        sum(cost * text.count(sign) for sign, cost in _JSON_COSTS.items()),
        MOST_PARSED,
        "bytes when parsed",
        what,
    )
    _check_structure(_JSON_STRINGS.sub("", text), what)
    try:
        data = json.loads(
            text, parse_constant=_refuse_number, parse_float=_finite, object_pairs_hook=_once
        )
        if _SURROGATE.search(text):
            # Half of a pair of surrogates cannot be encoded.
            json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError as problem:
        raise InputError(
            f"{what}: expected complete characters in strings, got half of a surrogate pair"
        ) from problem
    except (ValueError, RecursionError) as problem:
        raise InputError(f"{what}: expected valid JSON: {problem}") from problem
    return data


def parse_toml(content: str, what: str) -> dict[str, Any]:
    """Parse TOML; raise `InputError` if it is invalid, too deep or too large, or contains infinite
    numbers.
    """
    check_amount(len(content), MOST_TOML_BYTES, "bytes of TOML", what)
    bare = _TOML_STRINGS.sub("_", content)
    check_amount(sum(map(bare.count, ",=[.")), MOST_TOML_VALUES, "values in TOML", what)
    _check_structure(bare, what)
    if _LONG_KEY.search(bare):
        raise InputError(
            f"{what}: expected keys of at most {MOST_KEY_PARTS} parts, got a longer one"
        )
    try:
        return tomllib.loads(content, parse_float=_finite)
    except (ValueError, RecursionError) as problem:
        raise InputError(f"{what}: expected valid TOML: {problem}") from problem


def _decoded(content: bytes, what: str) -> str:
    try:
        return content.decode(json.detect_encoding(content))
    except UnicodeDecodeError as problem:
        raise InputError(
            f"{what}: expected text in UTF-8: {problem.reason} at byte {problem.start}"
        ) from problem


def _check_structure(bare: str, what: str) -> None:
    """Check the nesting and the numbers of a text without its strings."""
    signs = np.frombuffer(bare.translate(_NO_BRACKET).encode("ascii", "ignore"), np.uint8)
    if (
        len(signs) > MOST_DEPTH
        and int(np.cumsum(_BRACKETS[signs], dtype=np.int32).max()) > MOST_DEPTH
    ):
        raise InputError(f"{what}: expected at most {MOST_DEPTH} nested lists and tables, got more")
    if _LONG_NUMBER.search(bare):
        raise InputError(
            f"{what}: expected numbers of at most {MOST_DIGITS} digits, got a longer one"
        )


def _refuse_number(text: str) -> NoReturn:
    raise InputError(f"expected finite numbers, got {text}")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; raise `InputError` for a key that it has twice, of which each program reads
    another.
    """
    found = dict(pairs)
    if len(found) != len(pairs):
        double = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise InputError(f"expected each key once, got a second {shown(double)}")
    return found


def _finite(text: str) -> float:
    number = float(text)
    if not np.isfinite(number):
        _refuse_number(text[:40])
    return number


# The signs that `str.splitlines` splits at.
_ENDS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"


def decode_text(content: bytes, what: str) -> str:
    """Return text in UTF-8 without a byte order mark, of a limited number of bytes and lines."""
    check_amount(len(content), MOST_BYTES, "bytes", what)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise InputError(
            f"{what}: expected text in UTF-8: {problem.reason} at byte {problem.start}"
        ) from problem
    check_lines(text, what)
    return text


def check_lines(text: str, what: str) -> None:
    """Raise `InputError` if a text has more lines than the budget allows."""
    check_amount(sum(text.count(end) for end in _ENDS), MOST_LINES, "lines", what)
