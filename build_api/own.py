"""Our own protos: the `openplaybook.v1` service and the standard gRPC health service."""

import tempfile
from importlib import resources
from pathlib import Path

from google.protobuf.descriptor_pb2 import FileDescriptorSet
from grpc_tools import protoc

from build_api.files import Files

PROTOS = Path("src/openplaybook/wire/protos")
"""Where they stand, from the root of the project."""


def add_own_protos(files: Files, root: Path) -> None:
    """Compiles every proto under `PROTOS` and adds it; `ValueError` when one does not compile (protoc says where)."""
    folder = root / PROTOS
    names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.proto"))
    with tempfile.TemporaryDirectory() as scratch:
        output = Path(scratch) / "own.binpb"
        # With what they import, each file stands after its imports.
        arguments = ["protoc", f"--proto_path={folder}", "--include_imports", f"--descriptor_set_out={output}"]
        arguments += [f"--proto_path={path}" for path in _include_paths()]
        if protoc.main([*arguments, *names]):
            raise ValueError(f"a proto under {PROTOS} does not compile")
        compiled = FileDescriptorSet.FromString(output.read_bytes())
    for file in compiled.file:
        if file.name in names:
            files.add_proto(file)


def _include_paths() -> list[str]:
    api = resources.files("google.api").joinpath("http.proto")
    return [str(Path(str(api)).parents[2]), str(resources.files("grpc_tools").joinpath("_proto"))]
