"""What the notebooks show beside boards: the charts of `bloodrage_training.report.charts`, and whole pages."""

import re
from base64 import b64encode
from html import escape

from bloodrage_training.report.page import page


class Chart:
    """A chart in the style of the report: put it at the end of a cell, or give it to `display`."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_html_(self) -> str:
        style = re.search("<style>.*?</style>", page("", ""), re.DOTALL)
        assert style is not None
        head, rest = self.svg.split(">", 1)
        # As an image it keeps its style to itself, and the notebook's away.
        paper = "<style>svg { background: var(--paper); }</style>"
        document = f'{head} xmlns="http://www.w3.org/2000/svg" width="800">{style[0]}{paper}{rest}'
        label = re.search('aria-label="(.*?)"', head)
        data = b64encode(document.encode()).decode()
        return f'<img src="data:image/svg+xml;base64,{data}" width="800" alt="{label[1] if label else ""}">'


class Page:
    """A page that stands alone, in a frame of the notebook."""

    def __init__(self, html: str, height: int = 760) -> None:
        self.html, self.height = html, height

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self.html)}" width="100%" height="{self.height}" style="border:0"></iframe>'
