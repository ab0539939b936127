"""JSON Schema for tools: conversion from OpenAPI's dialects, validation, messages a model can act on."""
