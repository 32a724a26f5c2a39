from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GarbageCollectionPolicy(_message.Message):
    __slots__ = ("keep_most_recently_published", "keep_property_value_groups", "keep_if_used_in_pipeline_groups")
    class KeepMostRecentlyPublished(_message.Message):
        __slots__ = ("num_artifacts",)
        NUM_ARTIFACTS_FIELD_NUMBER: _ClassVar[int]
        num_artifacts: int
        def __init__(self, num_artifacts: _Optional[int] = ...) -> None: ...
    class KeepPropertyValueGroups(_message.Message):
        __slots__ = ("groupings",)
        class Grouping(_message.Message):
            __slots__ = ("property_name", "keep_num", "keep_order")
            class KeepOrder(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
                __slots__ = ()
                KEEP_ORDER_UNSPECIFIED: _ClassVar[GarbageCollectionPolicy.KeepPropertyValueGroups.Grouping.KeepOrder]
                KEEP_ORDER_LARGEST: _ClassVar[GarbageCollectionPolicy.KeepPropertyValueGroups.Grouping.KeepOrder]
                KEEP_ORDER_SMALLEST: _ClassVar[GarbageCollectionPolicy.KeepPropertyValueGroups.Grouping.KeepOrder]
            KEEP_ORDER_UNSPECIFIED: GarbageCollectionPolicy.KeepPropertyValueGroups.Grouping.KeepOrder
            KEEP_ORDER_LARGEST: GarbageCollectionPolicy.KeepPropertyValueGroups.Grouping.KeepOrder
            KEEP_ORDER_SMALLEST: GarbageCollectionPolicy.KeepPropertyValueGroups.Grouping.KeepOrder
            PROPERTY_NAME_FIELD_NUMBER: _ClassVar[int]
            KEEP_NUM_FIELD_NUMBER: _ClassVar[int]
            KEEP_ORDER_FIELD_NUMBER: _ClassVar[int]
            property_name: str
            keep_num: int
            keep_order: GarbageCollectionPolicy.KeepPropertyValueGroups.Grouping.KeepOrder
            def __init__(self, property_name: _Optional[str] = ..., keep_num: _Optional[int] = ..., keep_order: _Optional[_Union[GarbageCollectionPolicy.KeepPropertyValueGroups.Grouping.KeepOrder, str]] = ...) -> None: ...
        GROUPINGS_FIELD_NUMBER: _ClassVar[int]
        groupings: _containers.RepeatedCompositeFieldContainer[GarbageCollectionPolicy.KeepPropertyValueGroups.Grouping]
        def __init__(self, groupings: _Optional[_Iterable[_Union[GarbageCollectionPolicy.KeepPropertyValueGroups.Grouping, _Mapping]]] = ...) -> None: ...
    class PipelineGroup(_message.Message):
        __slots__ = ("owner", "name")
        OWNER_FIELD_NUMBER: _ClassVar[int]
        NAME_FIELD_NUMBER: _ClassVar[int]
        owner: str
        name: str
        def __init__(self, owner: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...
    KEEP_MOST_RECENTLY_PUBLISHED_FIELD_NUMBER: _ClassVar[int]
    KEEP_PROPERTY_VALUE_GROUPS_FIELD_NUMBER: _ClassVar[int]
    KEEP_IF_USED_IN_PIPELINE_GROUPS_FIELD_NUMBER: _ClassVar[int]
    keep_most_recently_published: GarbageCollectionPolicy.KeepMostRecentlyPublished
    keep_property_value_groups: GarbageCollectionPolicy.KeepPropertyValueGroups
    keep_if_used_in_pipeline_groups: _containers.RepeatedCompositeFieldContainer[GarbageCollectionPolicy.PipelineGroup]
    def __init__(self, keep_most_recently_published: _Optional[_Union[GarbageCollectionPolicy.KeepMostRecentlyPublished, _Mapping]] = ..., keep_property_value_groups: _Optional[_Union[GarbageCollectionPolicy.KeepPropertyValueGroups, _Mapping]] = ..., keep_if_used_in_pipeline_groups: _Optional[_Iterable[_Union[GarbageCollectionPolicy.PipelineGroup, _Mapping]]] = ...) -> None: ...
