"""Browsers that have opened the studio with its token: each has a session value as its cookie.

Browsers send cookies to every port of a host. So the cookie is never the token, but a random value
that only this process knows. It is not accepted as a token, nor by another studio, and not after the
end of this one. A value that has been used for a while is replaced, and soon afterwards refused.
"""

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

# More browsers have to use the address again.
MOST_LOGINS = 64
# The age at which a value is replaced, and how long the old one is accepted afterwards, because
# requests that are under way have it.
RENEWAL_SECONDS = 1800.0
OVERLAP_SECONDS = 300.0


@dataclass
class Login:
    """A session value: when it was issued, and the one that replaces it."""

    issued: float
    successor: str | None = None
    ends: float | None = None


class Logins:
    """Issues and checks session values.

    Parameters
    ----------
    clock
        Gives the time in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Start without any."""
        self._clock = clock
        # By digest, so that the time of a comparison says nothing about a value.
        self._logins: OrderedDict[bytes, Login] = OrderedDict()

    def issue(self) -> str:
        """Return a new session value."""
        value = secrets.token_urlsafe(24)
        self._logins[_digest(value)] = Login(self._clock())
        while len(self._logins) > MOST_LOGINS:
            self._logins.popitem(last=False)
        return value

    def accepts(self, value: str) -> bool:
        """Whether a value was issued, and was not replaced some time ago."""
        login = self._logins.get(_digest(value))
        if login is not None and login.ends is not None and self._clock() >= login.ends:
            del self._logins[_digest(value)]
            return False
        return login is not None

    def renewed(self, value: str) -> str | None:
        """Return the value that replaces an accepted one; None as long as it is new enough."""
        login = self._logins[_digest(value)]
        if login.successor is None and self._clock() - login.issued >= RENEWAL_SECONDS:
            login.ends = self._clock() + OVERLAP_SECONDS
            login.successor = self.issue()
        return login.successor


def _digest(value: str) -> bytes:
    return sha256(value.encode("utf-8", "surrogatepass")).digest()
