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
check types-of-pages node_modules/.bin/tsc -p cli/report/page
counts=$(node scripts/run-tests.mjs "$@")
passed=$((passed + ${counts% *}))
failed=$((failed + ${counts#* }))
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
