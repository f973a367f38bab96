#!/bin/sh
# coverage.sh [ROOM]: runs all tests on a copy of the checkout whose code counts what is reached, in every process that a
# test starts, and tells for each room the share of lines and branches. With ROOM (core/build/store) it tells of the last
# run's counts which lines and branches of the room's files no test reached. Takes some twice as long as the tests.
# The tools are pinned here and no dependencies of arc.
set -e
cd "$(dirname "$0")/../.."
tools=node_modules/.coverage
if [ ! -d "$tools/node_modules/istanbul-lib-instrument" ]; then
  mkdir -p "$tools"
  echo '{"private":true}' >"$tools/package.json"
  npm install --prefix "$tools" --ignore-scripts --no-audit --no-fund \
    istanbul-lib-instrument@6.0.3 istanbul-lib-coverage@3.2.2
fi
out="$PWD/out/coverage"
if [ $# -eq 0 ]; then
  rm -rf "$out"
  mkdir -p "$out/counts"
  chmod 1777 "$out/counts"
  git clone -q . "$out/checkout"
  # Linked, so that the copy can add and remove modules.
  cp -al node_modules "$out/checkout/node_modules"
  rm -rf "$out/checkout/node_modules/.bin/arc" "$out/checkout/node_modules/.vite"
  node test/nightly/coverage/instrument.mjs "$out/checkout" "$out/counts"
  (cd "$out/checkout" && sh scripts/prepare.sh && node_modules/.bin/vitest run \
    --exclude test/architecture.test.ts --exclude test/docs.test.ts --exclude test/guarantees.test.ts \
    --exclude 'test/nightly/**') || echo "coverage.sh: some tests failed" >&2
fi
node test/nightly/coverage/report.mjs "$out/counts" "$@"
