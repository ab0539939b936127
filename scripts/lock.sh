#!/bin/sh
# Pins dependencies with hashes for every platform and Python from 3.11 up. `--upgrade` takes newer versions.
set -eu
cd "$(dirname "$0")/.."
command -v uv >/dev/null 2>&1 || { echo "make lock needs uv: pip install uv" >&2; exit 1; }
compile() {
    uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
        --custom-compile-command 'make lock' -q "$@"
}
compile "$@" pyproject.toml requirements/build.in --all-extras --group test --group check -o requirements/dev.txt
# With what code may import, so that the demo can draw.
compile pyproject.toml --extra code-interpreter -c requirements/dev.txt -o requirements/run.txt
# What an image of the server holds: with PostgreSQL, OpenTelemetry, Google's identities, and what code may import.
compile pyproject.toml --extra postgres --extra otel --extra google --extra code-interpreter -c requirements/dev.txt -o requirements/server.txt
compile requirements/build.in -c requirements/dev.txt -o requirements/build.txt
for peer in requirements/bench-*.in; do
    [ ! -e "$peer" ] || compile "$@" "$peer" -o "${peer%.in}.txt"
done
echo "==> requirements/*.txt are locked."
