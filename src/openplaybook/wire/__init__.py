"""Descriptors to REST router, JSON codec, gRPC server and google.rpc errors; imports no other room."""
