"""Generates src/trainwright/proto/**/*_pb2.py and *_pb2.pyi from proto/**/*.proto.

    python scripts/generate_protos.py            write the generated code
    python scripts/generate_protos.py --check    fail, naming the files, if it is not current

The generated code is checked in, so only a change of a .proto needs this. It needs
grpcio-tools, at one exact version because another protoc writes other code, and the
project's own dependencies.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import sys
import tempfile
from pathlib import Path
from types import ModuleType

from google.protobuf import descriptor_pb2
from google.protobuf.descriptor import FileDescriptor

# Brings protoc 31.1, whose code runs on protobuf >= 6.31.1: the project's oldest.
GRPCIO_TOOLS_VERSION = "1.76.0"

ROOT = Path(__file__).resolve().parent.parent
PROTOS = ROOT / "proto"
SOURCES = ROOT / "src"
# The directory of the generated package below SOURCES, and of the imports in the .proto files.
PACKAGE = "trainwright/proto"
# A directory of .proto files that keep the file names, and so the descriptors, of the library they
# come from: the directory below PROTOS and PACKAGE, and the library's own.
FOREIGN = {
    "mlmd": "ml_metadata/proto",
    "tfdv": "tensorflow_data_validation/skew/protos",
    "tfma": "tensorflow_model_analysis/proto",
}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Generate Python code from proto/*.proto.")
    parser.add_argument("--check", action="store_true", help="change nothing; fail if stale")
    check = parser.parse_args(arguments).check

    with tempfile.TemporaryDirectory() as directory:
        generated = _generate(Path(directory))
    stale = _stale_files(generated)
    if check:
        for name in stale:
            print(f"stale: src/{name}", file=sys.stderr)
        if stale:
            print("Run `python scripts/generate_protos.py` and commit.", file=sys.stderr)
        return 1 if stale else 0

    for name in stale:
        if name in generated:
            (SOURCES / name).parent.mkdir(parents=True, exist_ok=True)
            (SOURCES / name).write_bytes(generated[name])
            print(f"wrote src/{name}")
        else:
            (SOURCES / name).unlink()
            print(f"removed src/{name}")
    return 0


def _generate(directory: Path) -> dict[str, bytes]:
    """Runs protoc into `directory`; returns each file's content by its path below SOURCES."""
    protoc = _load_protoc()
    dependencies = directory / "dependencies.binpb"
    dependencies.write_bytes(_third_party_descriptors().SerializeToString())
    output = directory / "out"
    output.mkdir()
    names = sorted(
        _import_name(path.relative_to(PROTOS).as_posix()) for path in PROTOS.rglob("*.proto")
    )
    status = protoc.main(
        [
            "protoc",
            f"--proto_path={PACKAGE}={PROTOS}",
            *(f"--proto_path={theirs}={PROTOS / ours}" for ours, theirs in FOREIGN.items()),
            f"--descriptor_set_in={dependencies}",
            f"--python_out={output}",
            f"--pyi_out={output}",
            *names,
        ]
    )
    if status != 0:
        raise SystemExit(f"protoc failed with status {status}; its messages are above.")
    return dict(
        _in_our_package(path.relative_to(output).as_posix(), path.read_bytes())
        for path in output.rglob("*_pb2.py*")
    )


def _import_name(name: str) -> str:
    """By which name protoc and other .proto files know the file of this name below PROTOS."""
    directory, _, file = name.partition("/")
    return f"{FOREIGN[directory]}/{file}" if directory in FOREIGN else f"{PACKAGE}/{name}"


def _in_our_package(name: str, content: bytes) -> tuple[str, bytes]:
    """Moves generated code of foreign .proto files, and all imports of it, into PACKAGE."""
    for directory, theirs in FOREIGN.items():
        ours = f"{PACKAGE}/{directory}"
        if name.startswith(f"{theirs}/"):
            name = name.replace(theirs, ours, 1)
        # With dots only modules are named so: descriptors hold the file name, with slashes.
        modules = (theirs.replace("/", "."), ours.replace("/", "."))
        content = content.replace(modules[0].encode(), modules[1].encode())
    return name, content


def _load_protoc() -> ModuleType:
    """Imports grpc_tools.protoc, or says how to get the version that is needed."""
    advice = f"Run `pip install grpcio-tools=={GRPCIO_TOOLS_VERSION}`."
    try:
        protoc = importlib.import_module("grpc_tools.protoc")
    except ImportError:
        raise SystemExit(f"Generating code needs grpcio-tools. {advice}") from None
    installed = importlib.metadata.version("grpcio-tools")
    if installed != GRPCIO_TOOLS_VERSION:
        raise SystemExit(
            f"grpcio-tools {installed} writes other code than {GRPCIO_TOOLS_VERSION}. {advice}"
        )
    return protoc


def _third_party_descriptors() -> descriptor_pb2.FileDescriptorSet:
    """Gathers what our .proto files import.

    tensorflow-metadata installs generated code without its .proto files, so protoc gets
    the descriptors out of that code.
    """
    from google.protobuf import any_pb2, struct_pb2, timestamp_pb2, wrappers_pb2
    from tensorflow_metadata.proto.v0 import path_pb2, schema_pb2

    gathered: dict[str, descriptor_pb2.FileDescriptorProto] = {}

    def gather(file: FileDescriptor) -> None:
        if file.name in gathered:
            return
        for dependency in file.dependencies:
            gather(dependency)
        gathered[file.name] = descriptor_pb2.FileDescriptorProto()
        file.CopyToProto(gathered[file.name])

    google = (any_pb2, descriptor_pb2, struct_pb2, timestamp_pb2, wrappers_pb2)
    for module in (*google, path_pb2, schema_pb2):
        gather(module.DESCRIPTOR)
    return descriptor_pb2.FileDescriptorSet(file=gathered.values())


def _stale_files(generated: dict[str, bytes]) -> list[str]:
    """Names, below SOURCES, the files that differ, are missing, or have lost their .proto."""
    present = {
        path.relative_to(SOURCES).as_posix(): path.read_bytes()
        for path in (SOURCES / PACKAGE).rglob("*_pb2.py*")
        if path.suffix in (".py", ".pyi")
    }
    return sorted(
        name for name in generated.keys() | present if generated.get(name) != present.get(name)
    )


if __name__ == "__main__":
    sys.exit(main())
