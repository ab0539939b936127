#!/usr/bin/env bash
# Runs every static check, also after one has failed, and says at the end which did.
set -euo pipefail
cd "$(dirname "$0")/.."
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
names=() processes=()
begin() {
    names+=("$1")
    shift
    "$@" > "$results/${#names[@]}" 2>&1 &
    processes+=("$!")
}
# The types keep one processor busy for longer than all others together take on another.
begin "types (pyright strict)" .venv/bin/python -m pyright
begin "lint (ruff check)" .venv/bin/ruff check .
begin "formatting (ruff format)" .venv/bin/ruff format --check .
begin "layers (import-linter)" .venv/bin/lint-imports --no-cache
begin "style limits" .venv/bin/python -m scripts.style
failed=
for number in "${!names[@]}"; do
    wait "${processes[$number]}" || failed="$failed${failed:+, }${names[$number]}"
    printf '==> %s\n' "${names[$number]}"
    cat "$results/$((number + 1))"
done
if [ -n "$failed" ]; then
    printf '==> Checks failed: %s\n' "$failed" >&2
    exit 1
fi
printf '==> All checks passed.\n'
