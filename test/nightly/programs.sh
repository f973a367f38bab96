#!/bin/sh
# programs.sh FAMILY FIRST COUNT [KIND,...]: random programs on every kind of target; see programs.ts.
set -e
root=$(cd "$(dirname "$0")/../.." && pwd)
bundle=$(mktemp --suffix=.mjs)
trap 'rm -f "$bundle"' EXIT
"$root/node_modules/.bin/esbuild" "$root/test/nightly/programs.ts" --bundle --platform=node --format=esm --loader:.v=text \
  --log-level=error --define:import.meta.dirname="\"$root/test/targets/fuzz\"" --outfile="$bundle"
nice node "$bundle" "$@"
