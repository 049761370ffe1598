"""How a contract is stated: a law, and whether it holds."""

from collections.abc import Callable


def need(law: str, *, holds: bool) -> None:
    """Raise `AssertionError` with the law unless it holds."""
    if not holds:
        raise AssertionError(law)


def raises(kind: type[Exception], call: Callable[[], object]) -> bool:
    """Whether a call raises an error of this kind."""
    try:
        call()
    except kind:
        return True
    return False
