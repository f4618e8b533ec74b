#!/usr/bin/env bash
# One table of all interpreters on standard output. nbb is installed into a temporary folder.
set -euo pipefail
cd "$(dirname "$0")"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

npm install --silent --no-audit --no-fund --prefix "$folder" nbb@1.6.214 >&2
"${CARGO:-cargo}" build --release --target-dir "${CARGO_TARGET_DIR:-../../target/peers}" >&2
node nbb.mjs "$folder" ../programs/*.clj > "$folder/nbb.tsv"
"${CARGO_TARGET_DIR:-../../target/peers}/release/peers" "$folder/nbb.tsv"
