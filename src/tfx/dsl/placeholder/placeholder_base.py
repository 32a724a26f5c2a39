"""The base of placeholders and their operators, under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.types.placeholders.placeholder import Placeholder as Placeholder
    from trainwright.types.placeholders.placeholder import Predicate as Predicate
    from trainwright.types.placeholders.placeholder import ValueLikeType as ValueLikeType
    from trainwright.types.placeholders.placeholder import ValueType as ValueType
    from trainwright.types.placeholders.placeholder import encode_value_like as encode_value_like
    from trainwright.types.placeholders.placeholder import logical_and as logical_and
    from trainwright.types.placeholders.placeholder import logical_not as logical_not
    from trainwright.types.placeholders.placeholder import logical_or as logical_or
    from trainwright.types.placeholders.placeholder_operators import (
        DictPlaceholder as DictPlaceholder,
    )
    from trainwright.types.placeholders.placeholder_operators import (
        ListPlaceholder as ListPlaceholder,
    )
    from trainwright.types.placeholders.placeholder_operators import (
        ListSerializationFormat as ListSerializationFormat,
    )
    from trainwright.types.placeholders.placeholder_operators import (
        ProtoSerializationFormat as ProtoSerializationFormat,
    )
    from trainwright.types.placeholders.placeholder_operators import (
        UnaryPlaceholderOperator as UnaryPlaceholderOperator,
    )
    from trainwright.types.placeholders.placeholder_operators import dirname as dirname
    from trainwright.types.placeholders.placeholder_operators import join as join
    from trainwright.types.placeholders.placeholder_operators import join_path as join_path
    from trainwright.types.placeholders.placeholder_operators import make_dict as make_dict
    from trainwright.types.placeholders.placeholder_operators import make_list as make_list
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.types.placeholders.placeholder": (
                "Placeholder",
                "Predicate",
                "ValueLikeType",
                "ValueType",
                "encode_value_like",
                "logical_and",
                "logical_not",
                "logical_or",
            ),
            "trainwright.types.placeholders.placeholder_operators": (
                "DictPlaceholder",
                "ListPlaceholder",
                "ListSerializationFormat",
                "ProtoSerializationFormat",
                "UnaryPlaceholderOperator",
                "dirname",
                "join",
                "join_path",
                "make_dict",
                "make_list",
            ),
        },
    )
