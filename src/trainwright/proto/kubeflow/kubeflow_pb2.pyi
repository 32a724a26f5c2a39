from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ConfigValue(_message.Message):
    __slots__ = ("value", "environment_variable")
    VALUE_FIELD_NUMBER: _ClassVar[int]
    ENVIRONMENT_VARIABLE_FIELD_NUMBER: _ClassVar[int]
    value: str
    environment_variable: str
    def __init__(self, value: _Optional[str] = ..., environment_variable: _Optional[str] = ...) -> None: ...

class KubeflowGrpcMetadataConfig(_message.Message):
    __slots__ = ("grpc_service_host", "grpc_service_port")
    GRPC_SERVICE_HOST_FIELD_NUMBER: _ClassVar[int]
    GRPC_SERVICE_PORT_FIELD_NUMBER: _ClassVar[int]
    grpc_service_host: ConfigValue
    grpc_service_port: ConfigValue
    def __init__(self, grpc_service_host: _Optional[_Union[ConfigValue, _Mapping]] = ..., grpc_service_port: _Optional[_Union[ConfigValue, _Mapping]] = ...) -> None: ...

class KubeflowMetadataConfig(_message.Message):
    __slots__ = ("mysql_db_service_host", "mysql_db_service_port", "mysql_db_name", "mysql_db_user", "mysql_db_password", "grpc_config")
    MYSQL_DB_SERVICE_HOST_FIELD_NUMBER: _ClassVar[int]
    MYSQL_DB_SERVICE_PORT_FIELD_NUMBER: _ClassVar[int]
    MYSQL_DB_NAME_FIELD_NUMBER: _ClassVar[int]
    MYSQL_DB_USER_FIELD_NUMBER: _ClassVar[int]
    MYSQL_DB_PASSWORD_FIELD_NUMBER: _ClassVar[int]
    GRPC_CONFIG_FIELD_NUMBER: _ClassVar[int]
    mysql_db_service_host: ConfigValue
    mysql_db_service_port: ConfigValue
    mysql_db_name: ConfigValue
    mysql_db_user: ConfigValue
    mysql_db_password: ConfigValue
    grpc_config: KubeflowGrpcMetadataConfig
    def __init__(self, mysql_db_service_host: _Optional[_Union[ConfigValue, _Mapping]] = ..., mysql_db_service_port: _Optional[_Union[ConfigValue, _Mapping]] = ..., mysql_db_name: _Optional[_Union[ConfigValue, _Mapping]] = ..., mysql_db_user: _Optional[_Union[ConfigValue, _Mapping]] = ..., mysql_db_password: _Optional[_Union[ConfigValue, _Mapping]] = ..., grpc_config: _Optional[_Union[KubeflowGrpcMetadataConfig, _Mapping]] = ...) -> None: ...
