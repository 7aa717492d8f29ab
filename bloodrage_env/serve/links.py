"""Links to seats and tables for other devices, also as QR codes."""

from typing import Any
from urllib.parse import urlsplit

from .visitors import is_loopback


class Links:
    """Creates links.

    `open_to_others` says whether other devices reach the server. `address` is then its address, such as
    `http://192.168.1.5:8017`, or None if it is unknown. `title` is the title of the game.
    """

    def __init__(self, title: str, open_to_others: bool, address: str | None) -> None:
        self._title = title
        self._open_to_others = open_to_others
        self._address = address

    def link(self, host: str, path: str) -> dict[str, Any]:
        """Return the `link` to a path of this server, its `code` (`qr_code`), `open` (whether other devices reach the
        server), and the `title`.

        `host` is the Host header of the request, which `Guard` has checked. The link uses it unless other devices do
        not know that name.
        """
        parts = urlsplit(f"//{host}")
        name = parts.hostname or ""
        at = at_port(name, parts.port)
        if self._open_to_others and self._address and is_loopback(name):
            at = self._address
        link = f"{at}{path}"
        return {"link": link, "code": qr_code(link), "open": self._open_to_others, "title": self._title}


def at_port(name: str, port: int | None) -> str:
    """Return the address of a server from the name or IP address of its host."""
    host = f"[{name}]" if ":" in name else name
    return f"http://{host}" if port is None else f"http://{host}:{port}"


def qr_code(text: str) -> list[str] | None:
    """Return the rows of a QR code, "1" for dark and "0" for light, or None if segno is not installed."""
    try:
        import segno
    except ModuleNotFoundError:
        return None
    return ["".join(map(str, row)) for row in segno.make_qr(text, error="l").matrix]
