"""The files being assembled, with look-ups by full name."""

from collections.abc import Iterator

from google.protobuf.descriptor import FileDescriptor
from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorProto, FileDescriptorSet


class Files:
    """File descriptors by file name; messages in them can be looked up and changed in place."""

    def __init__(self) -> None:
        self._files: dict[str, FileDescriptorProto] = {}

    def add(self, descriptor: FileDescriptor) -> None:
        """Adds a loaded file and everything it imports; files already there stay as they are."""
        if descriptor.name in self._files:
            return
        for dependency in descriptor.dependencies:
            self.add(dependency)
        proto = FileDescriptorProto()
        descriptor.CopyToProto(proto)
        self._files[descriptor.name] = proto

    def add_proto(self, proto: FileDescriptorProto) -> None:
        """Adds a file that was made here; its imports must be there, and its name must not."""
        if proto.name in self._files:
            raise ValueError(f"{proto.name} is there already")
        missing = [name for name in proto.dependency if name not in self._files]
        if missing:
            raise ValueError(f"{proto.name} imports files that are not there: {', '.join(missing)}")
        self._files[proto.name] = proto

    def remove(self, name: str) -> None:
        """Takes a file away, and the imports of it."""
        del self._files[name]
        for file in self._files.values():
            if name in file.dependency:
                file.dependency.remove(name)

    def of_package(self, package: str) -> Iterator[FileDescriptorProto]:
        """The files of one proto package, by name."""
        return (self._files[name] for name in sorted(self._files) if self._files[name].package == package)

    def messages(self, package: str) -> Iterator[tuple[str, DescriptorProto, FileDescriptorProto]]:
        """Every message of a package, nested ones too, without map entries: path within the package
        (`Tool.DataStoreTool`), descriptor, file."""
        for file in self.of_package(package):
            for message in file.message_type:
                for path, descriptor in _walk(message, message.name):
                    yield path, descriptor, file

    def message(self, package: str, path: str) -> tuple[DescriptorProto, FileDescriptorProto]:
        """One message of a package and its file; `KeyError` when there is none."""
        for found, descriptor, file in self.messages(package):
            if found == path:
                return descriptor, file
        raise KeyError(f"{package}.{path}")

    def to_set(self) -> FileDescriptorSet:
        """All files, each after its imports, otherwise by name. Imports are put in order too: proto-plus keeps them in
        a set, and the same packages must give the same bytes."""
        for proto in self._files.values():
            proto.dependency.sort()
        ordered: dict[str, FileDescriptorProto] = {}

        def visit(name: str) -> None:
            if name not in ordered:
                for dependency in self._files[name].dependency:
                    visit(dependency)
                ordered[name] = self._files[name]

        for name in sorted(self._files):
            visit(name)
        return FileDescriptorSet(file=ordered.values())


def _walk(message: DescriptorProto, path: str) -> Iterator[tuple[str, DescriptorProto]]:
    yield path, message
    for nested in message.nested_type:
        if not nested.options.map_entry:
            yield from _walk(nested, f"{path}.{nested.name}")


def import_file(file: FileDescriptorProto, name: str) -> None:
    """Makes a file import another one, once."""
    if name != file.name and name not in file.dependency:
        file.dependency.append(name)
