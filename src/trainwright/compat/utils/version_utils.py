"""The tag of TFX's container image for a version."""

from __future__ import annotations

import re

from trainwright._version import TFX_API_VERSION

_RELEASE = re.compile(r"\d+\.\d+\.\d+(\.dev\d{8})?")
_RELEASE_CANDIDATE = re.compile(r"\d+\.\d+\.\d+-rc\d+")


def get_image_version(version_str: str = TFX_API_VERSION) -> str:
    """The tag of the image that belongs to a version; `latest` for versions that were not released.

    >>> get_image_version("0.25.0-rc1"), get_image_version("0.26.0.dev")
    ('0.25.0rc1', 'latest')
    """
    if _RELEASE.fullmatch(version_str):
        return version_str
    if _RELEASE_CANDIDATE.fullmatch(version_str):
        return version_str.replace("-", "")
    return "latest"
