#!/bin/sh
# programs.sh FAMILY FIRST COUNT [KIND,...]: random programs on every kind of target; see programs.ts.
# programs.sh bundle FILE: only writes the script that does this, to be run by Node from the top of a checkout.
set -e
root=$(cd "$(dirname "$0")/../.." && pwd)
bundle=$2
[ "$1" = bundle ] || { bundle=$(mktemp --suffix=.mjs); trap 'rm -f "$bundle"' EXIT; }
# Modules look for files of the checkout beside themselves.
"$root/node_modules/.bin/esbuild" "$root/test/nightly/programs.ts" --bundle --platform=node --format=esm --loader:.v=text \
  --log-level=error --define:import.meta.dirname=bundleFolder --outfile="$bundle" \
  --banner:js='const bundleFolder = `${process.env.ARC_CHECKOUT ?? process.cwd()}/test/targets/fuzz`;'
[ "$1" = bundle ] || ARC_CHECKOUT=$root nice node "$bundle" "$@"
