"""Logs, metrics, spans, redaction."""
