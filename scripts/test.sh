#!/bin/sh
# npm test: everything that must hold, after setting up what that needs. Ends with `N passed, N failed`.
set -e
cd "$(dirname "$0")/.."
sh scripts/packages.sh
[ -d node_modules/vitest ] || npm ci --no-audit --no-fund
passed=0
failed=0
check() { # name, command
  name=$1
  shift
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "failed: $name" >&2; fi
}
check lint node_modules/.bin/biome check --error-on-warnings .
check types node_modules/.bin/tsc -p .
report=$(mktemp)
node_modules/.bin/vitest run --reporter=default --reporter=json --outputFile.json="$report" "$@" || true
counts=$(node -e '
  const { numPassedTests: passed = 0, numFailedTests: failed = 0, numFailedTestSuites: suites = 0, success } =
    JSON.parse(require("fs").readFileSync(process.argv[1], "utf8") || "{}");
  // A file that cannot be loaded has no tests that could fail.
  console.log(passed, Math.max(failed, success === true ? 0 : 1));
' "$report" || echo 0 1)
rm -f "$report"
passed=$((passed + ${counts% *}))
failed=$((failed + ${counts#* }))
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
