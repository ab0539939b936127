"""Makes each beta package contain its stable one, so that beta shapes can hold everything."""

from google.protobuf.descriptor_pb2 import DescriptorProto, EnumDescriptorProto, FieldDescriptorProto

from build_api.files import Files
from build_api.sources import Source


def complete_beta(files: Files, stable: Source, beta: Source) -> list[str]:
    """Copies fields, enums and enum values that only the stable version has to the beta version, under the same
    numbers; says what was copied. `ValueError` where a number means something else in the two versions."""
    copied: list[str] = []
    beta_messages = {path: message for path, message, _ in files.messages(beta.package)}
    for path, message, _ in files.messages(stable.package):
        if path not in beta_messages:
            raise ValueError(f"{beta.package} lacks the message {path}")
        copied += _complete_message(message, beta_messages[path], path, stable, beta)
    beta_enums = {enum.name: enum for file in files.of_package(beta.package) for enum in file.enum_type}
    for file in files.of_package(stable.package):
        for enum in file.enum_type:
            if enum.name not in beta_enums:
                raise ValueError(f"{beta.package} lacks the enum {enum.name}")
            copied += _complete_enum(enum, beta_enums[enum.name], enum.name)
    return copied


def _complete_message(
    message: DescriptorProto, other: DescriptorProto, path: str, stable: Source, beta: Source
) -> list[str]:
    copied: list[str] = []
    enums = {enum.name: enum for enum in other.enum_type}
    for enum in message.enum_type:
        if enum.name in enums:
            copied += _complete_enum(enum, enums[enum.name], f"{path}.{enum.name}")
        else:
            other.enum_type.add().CopyFrom(enum)
            copied.append(f"{path}.{enum.name}")
    fields = {field.number: field for field in other.field}
    for field in message.field:
        moved = FieldDescriptorProto()
        moved.CopyFrom(field)
        if field.type_name:
            moved.type_name = field.type_name.replace(f".{stable.package}.", f".{beta.package}.")
        if field.number not in fields:
            if field.HasField("oneof_index"):
                raise ValueError(f"{path}.{field.name}: a oneof member that beta lacks needs a rule of its own")
            other.field.append(moved)
            copied.append(f"{path}.{field.name}")
        elif _shape(moved) != _shape(fields[field.number]):
            raise ValueError(f"{path}: field {field.number} differs between {stable.version} and {beta.version}")
    return copied


def _complete_enum(enum: EnumDescriptorProto, other: EnumDescriptorProto, path: str) -> list[str]:
    names = {value.number: value.name for value in other.value}
    copied: list[str] = []
    for value in enum.value:
        if value.number not in names:
            other.value.add().CopyFrom(value)
            copied.append(f"{path}.{value.name}")
        elif names[value.number] != value.name:
            raise ValueError(f"{path}: value {value.number} is {value.name} in one version and not in the other")
    return copied


def _shape(field: FieldDescriptorProto) -> tuple[str, int, int, str]:
    return field.name, field.type, field.label, field.type_name
