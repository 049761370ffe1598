"""The version, and the digest of the sources that determine results: the engine.

The same recipe and seed give the same bytes with the same engine, whatever the version is.
"""

VERSION = "0.2.0"
# Written by 'make engine'; a test compares it with the sources (tests/engine_digest.py).
ENGINE = "1fbf4b2e80e5"

WRITTEN_BY = f"levolve {VERSION}, engine {ENGINE}"


def difference(version: str, engine: str) -> str:
    """Return what differs from the version and engine that made something, and what that means.

    Files of levolve 0.1.0 have no engine: it is empty. Without a difference the text is empty.
    """
    if (version, engine) == (VERSION, ENGINE):
        return ""
    maker = f"levolve {version}, {f'engine {engine}' if engine else 'which recorded no engine'}"
    return f"it was made by {maker}; this is {WRITTEN_BY}: {_meaning(version, engine)}"


def _meaning(version: str, engine: str) -> str:
    if not engine:
        return "the engine may differ, and then the same recipe and seed may give other results"
    if engine == ENGINE:
        return "only the version differs, the engine is the same, so that results should be equal"
    which = "only the engine differs" if version == VERSION else "version and engine differ"
    return f"{which}, so that the same recipe and seed may give other results"
