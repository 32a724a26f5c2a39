"""TFX's names for what is in `trainwright`: `from tfx import v1 as tfx`.

Everything is the same object under both names, but for LocalDagRunner, which keeps TFX's order of
the components of users. Importing this loads neither TensorFlow nor anything else that takes long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfx import _missing_modules
from tfx._names import lazy_tfx_names
from tfx.version import __version__ as __version__
from trainwright import _absl_modules, _tfma_names
from trainwright._estimator_repairs import offer_estimators
from trainwright._keras_choice import choose_for_this_process
from trainwright._rivals import warn_of_rivals

warn_of_rivals()
_missing_modules.install()
_absl_modules.install()
choose_for_this_process()
offer_estimators()
_tfma_names.install()

# From here on written by scripts/generate_names.py from scripts/names.toml.

if TYPE_CHECKING:
    from tfx import components as components
    from tfx import dsl as dsl
    from tfx import extensions as extensions
    from tfx import orchestration as orchestration
    from tfx import proto as proto
    from tfx import scripts as scripts
    from tfx import types as types
    from tfx import utils as utils
    from tfx import v1 as v1
    from tfx import version as version
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        public_modules=("components", "dsl", "orchestration", "proto", "types", "utils", "v1"),
        other_modules=("extensions", "scripts", "version"),
    )
