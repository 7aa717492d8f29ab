"""Links to seats and tables for other devices, and the same as QR codes."""

from typing import Any
from urllib.parse import urlsplit

from .visitors import is_loopback


class Links:
    """Makes links. `open_to_others`: whether others in the network reach the server; `address` is then where, such as
    `http://192.168.1.5:8017`, None if that is not known. `title` is that of the game.
    """

    def __init__(self, title: str, open_to_others: bool, address: str | None) -> None:
        self._title = title
        self._open_to_others = open_to_others
        self._address = address

    def link(self, host: str, path: str) -> dict[str, Any]:
        """`link` to a path of this server, its `code` (`qr_code`), `open`: whether other devices reach the server, and
        the `title`.

        `host` is the header of the request, which `Guard` has checked: the link names the server as the visitor does,
        unless other devices do not know it by that name.
        """
        parts = urlsplit(f"//{host}")
        name = parts.hostname or ""
        at = at_port(name, parts.port)
        if self._open_to_others and self._address and is_loopback(name):
            at = self._address
        link = f"{at}{path}"
        return {"link": link, "code": qr_code(link), "open": self._open_to_others, "title": self._title}


def at_port(name: str, port: int | None) -> str:
    """The address of a server by the name or the IP address of its host."""
    host = f"[{name}]" if ":" in name else name
    return f"http://{host}" if port is None else f"http://{host}:{port}"


def qr_code(text: str) -> list[str] | None:
    """The rows of a QR code, "1" for dark and "0" for light; None if segno is not installed."""
    try:
        import segno
    except ModuleNotFoundError:
        return None
    return ["".join(map(str, row)) for row in segno.make_qr(text, error="l").matrix]
