"""Scripts of several modules as one, for pages in a single file."""

import re
from collections.abc import Sequence
from pathlib import Path


def script(modules: Sequence[Path]) -> str:
    """Modules as one, since a page in a single file can't import: each must come after what it uses."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in modules)
    return re.sub(r"^export ", "", re.sub(r"^import .*;\n", "", text, flags=re.M), flags=re.M)
