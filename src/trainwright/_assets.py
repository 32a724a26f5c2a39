"""Style sheets and scripts: files of the package, which pages and pictures take in whole."""

from __future__ import annotations

from functools import cache


@cache
def read_asset(package: str, name: str) -> str:
    """The text of a file beside the modules of a package.

    Example: `read_asset("trainwright.html_views", "page.css")`
    """
    from importlib import resources  # takes longer to import than most commands have

    return resources.files(package).joinpath(name).read_text(encoding="utf-8")
