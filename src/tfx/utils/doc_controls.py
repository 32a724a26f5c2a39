"""`trainwright.compat.utils.doc_controls` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.utils.doc_controls import EXTRA_DOCS as EXTRA_DOCS
    from trainwright.compat.utils.doc_controls import (
        do_not_doc_in_subclasses as do_not_doc_in_subclasses,
    )
    from trainwright.compat.utils.doc_controls import (
        do_not_doc_inheritable as do_not_doc_inheritable,
    )
    from trainwright.compat.utils.doc_controls import do_not_generate_docs as do_not_generate_docs
    from trainwright.compat.utils.doc_controls import documented as documented
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.utils.doc_controls": (
                "EXTRA_DOCS",
                "do_not_doc_in_subclasses",
                "do_not_doc_inheritable",
                "do_not_generate_docs",
                "documented",
            ),
        },
    )
