"""Descriptors to REST router, JSON codec, gRPC server and google.rpc errors; imports no other room."""

import os

# Read when gRPC is imported. Our children become other programs at once, so it need not be made fit for forks; it would
# say at each that it could not.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
