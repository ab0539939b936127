"""Descriptor options of google.api and google.longrunning, as far as the build writes them.

The stubs that protobuf and googleapis-common-protos publish disagree about the type of an extension.
"""

from typing import Any

from google.api import annotations_pb2, field_behavior_pb2, resource_pb2
from google.longrunning import operations_proto_pb2

HTTP: Any = annotations_pb2.http
"""`google.api.http` of a method."""
FIELD_BEHAVIOR: Any = field_behavior_pb2.field_behavior
"""`google.api.field_behavior` of a field."""
RESOURCE: Any = resource_pb2.resource
"""`google.api.resource` of a message."""
OPERATION_INFO: Any = operations_proto_pb2.operation_info
"""`google.longrunning.operation_info` of a method."""
