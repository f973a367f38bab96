#!/bin/sh
# coverage.sh [ROOM]: runs all tests and tells, for each room, the share of lines and branches that they reach; with ROOM
# (core/build/store) the lines and branches of its files that they do not. Takes twice as long as the tests. Code that
# only runs in a process of its own (the commands as users start them) is not counted.
set -e
cd "$(dirname "$0")/../.."
report=out/coverage
if [ -z "$ARC_COVERAGE_REPORT" ]; then
  node_modules/.bin/vitest run --coverage.enabled --coverage.provider=v8 --coverage.reportsDirectory="$report" \
    --coverage.include='{core,rules,targets}/**/*.ts' --coverage.reporter=json --coverage.reportOnFailure ||
    echo "coverage.sh: some tests failed" >&2
fi
node test/nightly/coverage.mjs "${ARC_COVERAGE_REPORT:-$report/coverage-final.json}" "$@"
