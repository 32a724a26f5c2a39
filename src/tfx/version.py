"""The version: TFX's whose API this is, and behind the plus sign this project's own."""

from trainwright._version import TFX_API_VERSION
from trainwright._version import __version__ as _own_version

__version__ = f"{TFX_API_VERSION}+trainwright.{_own_version}"
