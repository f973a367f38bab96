#!/bin/sh
# pack.sh [FOLDER [random FIRST COUNT]]: translates all programs, or so many random ones, into FOLDER (default .gpu) for
# run.py on a machine with a GPU.
set -e
cd "$(dirname "$0")/../.."
bundle=$(mktemp --suffix=.mjs)
trap 'rm -f "$bundle"' EXIT
node_modules/.bin/esbuild test/gpu/pack.ts --bundle --platform=node --format=esm --log-level=warning --outfile="$bundle"
out=${1:-.gpu}
[ $# = 0 ] || shift
node "$bundle" "$out" "$@"
