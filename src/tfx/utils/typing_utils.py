"""Types of what flows between nodes, and checks against them."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.utils.typing_utils import ArtifactMultiDict as ArtifactMultiDict
    from trainwright.compat.utils.typing_utils import ArtifactMultiMap as ArtifactMultiMap
    from trainwright.compat.utils.typing_utils import (
        ArtifactMutableMultiMap as ArtifactMutableMultiMap,
    )
    from trainwright.compat.utils.typing_utils import MultiMap as MultiMap
    from trainwright.compat.utils.typing_utils import MutableMultiMap as MutableMultiMap
    from trainwright.types.type_hints import is_artifact_list as is_artifact_list
    from trainwright.types.type_hints import is_artifact_multimap as is_artifact_multimap
    from trainwright.types.type_hints import is_compatible as is_compatible
    from trainwright.types.type_hints import (
        is_homogeneous_artifact_list as is_homogeneous_artifact_list,
    )
    from trainwright.types.type_hints import (
        is_list_of_artifact_multimap as is_list_of_artifact_multimap,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.utils.typing_utils": (
                "ArtifactMultiDict",
                "ArtifactMultiMap",
                "ArtifactMutableMultiMap",
                "MultiMap",
                "MutableMultiMap",
            ),
            "trainwright.types.type_hints": (
                "is_artifact_list",
                "is_artifact_multimap",
                "is_compatible",
                "is_homogeneous_artifact_list",
                "is_list_of_artifact_multimap",
            ),
        },
    )
