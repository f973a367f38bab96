#!/bin/sh
# pack.sh [FOLDER]: translates all programs into FOLDER (default .gpu) for run.py on a machine with a GPU.
set -e
cd "$(dirname "$0")/../.."
bundle=$(mktemp --suffix=.mjs)
trap 'rm -f "$bundle"' EXIT
node_modules/.bin/esbuild test/gpu/pack.ts --bundle --platform=node --format=esm --log-level=warning --outfile="$bundle"
node "$bundle" "${1:-.gpu}"
