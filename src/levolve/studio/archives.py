"""Files to download: one as it is, several as a zip archive."""

import io
import zipfile
from pathlib import Path

from starlette.responses import Response

from levolve.formats.files import encode_all
from levolve.formats.look import Look
from levolve.levels.level import Level


def attachment(content: bytes, name: str) -> Response:
    """Return a file that the browser saves under a name."""
    return Response(content, media_type="application/octet-stream", headers={"content-disposition": f'attachment; filename="{name}"'})


def level_attachment(level: Level, name: str, suffix: str, look: Look) -> Response:
    """Return a level as a file `name.suffix`; as a zip archive, if the format needs several files."""
    files = encode_all(level, Path(f"{name}.{suffix}"), look)
    if len(files) == 1:
        return attachment(next(iter(files.values())), f"{name}.{suffix}")
    return attachment(zipped({path.name: content for path, content in files.items()}), f"{name}.zip")


def zipped(files: dict[str, bytes]) -> bytes:
    """Return a zip archive of files by name."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            # A fixed time: the same level gives the same bytes.
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content)
    return buffer.getvalue()
