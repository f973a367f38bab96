#!/bin/sh
# coverage.sh runs all tests on a copy of the checkout whose code counts what is reached, in every process that a test
# starts, and tells for each room the share of lines and branches. It takes some twice as long as the tests.
#   coverage.sh --tests TEST...  runs these tests alone, and adds to the counts of earlier runs, but for changed files
#   coverage.sh ROOM             tells which lines and branches of the room (core/build/store) no test has reached
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
run_tests() {
  mkdir -p "$out/counts" "$out/checkout"
  chmod 1777 "$out/counts"
  # Linked, so that the copy can add and remove modules.
  if [ ! -d "$out/checkout/node_modules" ]; then
    cp -al node_modules "$out/checkout/node_modules"
    rm -rf "$out/checkout/node_modules/.bin/arc" "$out/checkout/node_modules/.vite"
    ln -s ../../bin/arc "$out/checkout/node_modules/.bin/arc"
  fi
  node test/nightly/coverage/instrument.mjs "$out/checkout" "$out/counts"
  rm -f "$out/counts/asked"
  (cd "$out/checkout" && node_modules/.bin/vitest run "$@") || echo "coverage.sh: some tests failed" >&2
  if [ ! -e "$out/counts/asked" ]; then
    echo "coverage.sh: no test was asked for its counts: vitest.config.ts and instrument.mjs differ" >&2
    exit 1
  fi
}
case "$1" in
  --tests)
    shift
    run_tests "$@"
    ;;
  "")
    rm -rf "$out"
    run_tests --exclude test/architecture.test.ts --exclude test/docs.test.ts --exclude test/guarantees.test.ts \
      --exclude 'test/nightly/**'
    node test/nightly/coverage/report.mjs "$out/counts"
    ;;
  *) node test/nightly/coverage/report.mjs "$out/counts" "$1" ;;
esac
