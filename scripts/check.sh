#!/usr/bin/env bash
# Runs every static check, also after one has failed, and says at the end which did.
set -euo pipefail
cd "$(dirname "$0")/.."
failed=
run() {
    name=$1; shift
    printf '==> %s\n' "$name"
    "$@" || failed="$failed${failed:+, }$name"
}
run "lint (ruff check)" .venv/bin/ruff check .
run "formatting (ruff format)" .venv/bin/ruff format --check .
run "types (pyright strict)" .venv/bin/python -m pyright
run "layers (import-linter)" .venv/bin/lint-imports --no-cache
run "style limits" .venv/bin/python -m scripts.style
if [ -n "$failed" ]; then
    printf '==> Checks failed: %s\n' "$failed" >&2
    exit 1
fi
printf '==> All checks passed.\n'
