#!/bin/sh
# Run by npm after installing: bundles arc, and makes `npx arc` here mean this checkout.
set -e
cd "$(dirname "$0")/.."
node build.mjs
mkdir -p node_modules/.bin
ln -sf ../../bin/arc node_modules/.bin/arc
