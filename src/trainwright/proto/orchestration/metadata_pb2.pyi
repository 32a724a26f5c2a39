import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from trainwright.proto.mlmd import metadata_store_pb2 as _metadata_store_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MLMDConnectionConfig(_message.Message):
    __slots__ = ("database_connection_config", "mlmd_store_client_config")
    DATABASE_CONNECTION_CONFIG_FIELD_NUMBER: _ClassVar[int]
    MLMD_STORE_CLIENT_CONFIG_FIELD_NUMBER: _ClassVar[int]
    database_connection_config: _metadata_store_pb2.ConnectionConfig
    mlmd_store_client_config: _metadata_store_pb2.MetadataStoreClientConfig
    def __init__(self, database_connection_config: _Optional[_Union[_metadata_store_pb2.ConnectionConfig, _Mapping]] = ..., mlmd_store_client_config: _Optional[_Union[_metadata_store_pb2.MetadataStoreClientConfig, _Mapping]] = ...) -> None: ...

class MLMDServiceConfig(_message.Message):
    __slots__ = ("owner", "name", "mlmd_service_target")
    OWNER_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    MLMD_SERVICE_TARGET_FIELD_NUMBER: _ClassVar[int]
    owner: str
    name: str
    mlmd_service_target: str
    def __init__(self, owner: _Optional[str] = ..., name: _Optional[str] = ..., mlmd_service_target: _Optional[str] = ...) -> None: ...

class NodeFilterOptions(_message.Message):
    __slots__ = ("min_create_time", "max_create_time", "types")
    MIN_CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    MAX_CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    TYPES_FIELD_NUMBER: _ClassVar[int]
    min_create_time: _timestamp_pb2.Timestamp
    max_create_time: _timestamp_pb2.Timestamp
    types: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, min_create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., max_create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., types: _Optional[_Iterable[str]] = ...) -> None: ...
