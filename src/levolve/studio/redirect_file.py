"""`RedirectFile`: a private file that opens the studio in a browser.

The address contains the token, and all users of a computer see the command lines of its processes. So
the browser is given the path of this file, which only its owner can read.
"""

import os
import shutil
import tempfile
from html import escape
from pathlib import Path

PAGE = (
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>levolve studio</title>'
    '<meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url={address}">'
    '</head><body><a href="{address}">Open the studio</a></body></html>\n'
)


class RedirectFile:
    """A file in a private folder; it is removed when it has been used, or at the end.

    Parameters
    ----------
    address
        Where it leads.
    """

    def __init__(self, address: str) -> None:
        """Write the file."""
        self.path = Path(tempfile.mkdtemp(prefix="levolve-studio-")) / "open.html"
        with os.fdopen(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(PAGE.format(address=escape(address)))

    def remove(self) -> None:
        """Remove the file and its folder, if they are still there."""
        shutil.rmtree(self.path.parent, ignore_errors=True)
