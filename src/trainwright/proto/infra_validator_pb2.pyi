from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ServingSpec(_message.Message):
    __slots__ = ("tensorflow_serving", "local_docker", "kubernetes", "model_name")
    TENSORFLOW_SERVING_FIELD_NUMBER: _ClassVar[int]
    LOCAL_DOCKER_FIELD_NUMBER: _ClassVar[int]
    KUBERNETES_FIELD_NUMBER: _ClassVar[int]
    MODEL_NAME_FIELD_NUMBER: _ClassVar[int]
    tensorflow_serving: TensorFlowServing
    local_docker: LocalDockerConfig
    kubernetes: KubernetesConfig
    model_name: str
    def __init__(self, tensorflow_serving: _Optional[_Union[TensorFlowServing, _Mapping]] = ..., local_docker: _Optional[_Union[LocalDockerConfig, _Mapping]] = ..., kubernetes: _Optional[_Union[KubernetesConfig, _Mapping]] = ..., model_name: _Optional[str] = ...) -> None: ...

class TensorFlowServing(_message.Message):
    __slots__ = ("image_name", "tags", "digests")
    IMAGE_NAME_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    DIGESTS_FIELD_NUMBER: _ClassVar[int]
    image_name: str
    tags: _containers.RepeatedScalarFieldContainer[str]
    digests: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, image_name: _Optional[str] = ..., tags: _Optional[_Iterable[str]] = ..., digests: _Optional[_Iterable[str]] = ...) -> None: ...

class LocalDockerConfig(_message.Message):
    __slots__ = ("client_base_url", "client_api_version", "client_timeout_seconds", "host_ip_address")
    CLIENT_BASE_URL_FIELD_NUMBER: _ClassVar[int]
    CLIENT_API_VERSION_FIELD_NUMBER: _ClassVar[int]
    CLIENT_TIMEOUT_SECONDS_FIELD_NUMBER: _ClassVar[int]
    HOST_IP_ADDRESS_FIELD_NUMBER: _ClassVar[int]
    client_base_url: str
    client_api_version: str
    client_timeout_seconds: int
    host_ip_address: str
    def __init__(self, client_base_url: _Optional[str] = ..., client_api_version: _Optional[str] = ..., client_timeout_seconds: _Optional[int] = ..., host_ip_address: _Optional[str] = ...) -> None: ...

class KubernetesConfig(_message.Message):
    __slots__ = ("service_account_name", "active_deadline_seconds", "serving_pod_overrides")
    SERVICE_ACCOUNT_NAME_FIELD_NUMBER: _ClassVar[int]
    ACTIVE_DEADLINE_SECONDS_FIELD_NUMBER: _ClassVar[int]
    SERVING_POD_OVERRIDES_FIELD_NUMBER: _ClassVar[int]
    service_account_name: str
    active_deadline_seconds: int
    serving_pod_overrides: PodOverrides
    def __init__(self, service_account_name: _Optional[str] = ..., active_deadline_seconds: _Optional[int] = ..., serving_pod_overrides: _Optional[_Union[PodOverrides, _Mapping]] = ...) -> None: ...

class PodOverrides(_message.Message):
    __slots__ = ("annotations", "env", "resources")
    class AnnotationsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    ANNOTATIONS_FIELD_NUMBER: _ClassVar[int]
    ENV_FIELD_NUMBER: _ClassVar[int]
    RESOURCES_FIELD_NUMBER: _ClassVar[int]
    annotations: _containers.ScalarMap[str, str]
    env: _containers.RepeatedCompositeFieldContainer[EnvVar]
    resources: Resources
    def __init__(self, annotations: _Optional[_Mapping[str, str]] = ..., env: _Optional[_Iterable[_Union[EnvVar, _Mapping]]] = ..., resources: _Optional[_Union[Resources, _Mapping]] = ...) -> None: ...

class EnvVar(_message.Message):
    __slots__ = ("name", "value", "value_from")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    VALUE_FROM_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: str
    value_from: EnvVarSource
    def __init__(self, name: _Optional[str] = ..., value: _Optional[str] = ..., value_from: _Optional[_Union[EnvVarSource, _Mapping]] = ...) -> None: ...

class EnvVarSource(_message.Message):
    __slots__ = ("secret_key_ref",)
    SECRET_KEY_REF_FIELD_NUMBER: _ClassVar[int]
    secret_key_ref: SecretKeySelector
    def __init__(self, secret_key_ref: _Optional[_Union[SecretKeySelector, _Mapping]] = ...) -> None: ...

class SecretKeySelector(_message.Message):
    __slots__ = ("name", "key")
    NAME_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    name: str
    key: str
    def __init__(self, name: _Optional[str] = ..., key: _Optional[str] = ...) -> None: ...

class Resources(_message.Message):
    __slots__ = ("requests", "limits", "claims")
    class RequestsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    class LimitsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    class ClaimsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    REQUESTS_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    CLAIMS_FIELD_NUMBER: _ClassVar[int]
    requests: _containers.ScalarMap[str, str]
    limits: _containers.ScalarMap[str, str]
    claims: _containers.ScalarMap[str, str]
    def __init__(self, requests: _Optional[_Mapping[str, str]] = ..., limits: _Optional[_Mapping[str, str]] = ..., claims: _Optional[_Mapping[str, str]] = ...) -> None: ...

class ValidationSpec(_message.Message):
    __slots__ = ("max_loading_time_seconds", "num_tries")
    MAX_LOADING_TIME_SECONDS_FIELD_NUMBER: _ClassVar[int]
    NUM_TRIES_FIELD_NUMBER: _ClassVar[int]
    max_loading_time_seconds: int
    num_tries: int
    def __init__(self, max_loading_time_seconds: _Optional[int] = ..., num_tries: _Optional[int] = ...) -> None: ...

class RequestSpec(_message.Message):
    __slots__ = ("tensorflow_serving", "split_name", "num_examples", "make_warmup")
    TENSORFLOW_SERVING_FIELD_NUMBER: _ClassVar[int]
    SPLIT_NAME_FIELD_NUMBER: _ClassVar[int]
    NUM_EXAMPLES_FIELD_NUMBER: _ClassVar[int]
    MAKE_WARMUP_FIELD_NUMBER: _ClassVar[int]
    tensorflow_serving: TensorFlowServingRequestSpec
    split_name: str
    num_examples: int
    make_warmup: bool
    def __init__(self, tensorflow_serving: _Optional[_Union[TensorFlowServingRequestSpec, _Mapping]] = ..., split_name: _Optional[str] = ..., num_examples: _Optional[int] = ..., make_warmup: bool = ...) -> None: ...

class TensorFlowServingRequestSpec(_message.Message):
    __slots__ = ("tag_set", "signature_names")
    TAG_SET_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_NAMES_FIELD_NUMBER: _ClassVar[int]
    tag_set: _containers.RepeatedScalarFieldContainer[str]
    signature_names: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, tag_set: _Optional[_Iterable[str]] = ..., signature_names: _Optional[_Iterable[str]] = ...) -> None: ...
