#!/bin/sh
# mutations.sh [key|decide|store|passes|passes-compiled [FILE..]]: changes the code of these rooms in one place at a time and
# tells which changes no test notices. passes-compiled tries what survived `passes` on the tests that compile with gcc.
# Goes file by file: out/mutations keeps what is done, and a file whose code is as it was is not done again: remove its
# result after a change of tests. ARC_MUTATIONS_AT_ONCE=2 for two processors; on a machine with many run several of these,
# with a FILE each. Stryker is pinned here and no dependency of arc: its version 10 needs Node 22.
set -e
cd "$(dirname "$0")/../.."
tool=node_modules/.mutations
version=9.6.1
if [ "$(node -p "require('./$tool/node_modules/@stryker-mutator/core/package.json').version" 2>/dev/null)" != "$version" ]; then
  mkdir -p "$tool"
  echo '{"private":true}' >"$tool/package.json"
  # Its runner is to find the project's vitest, not another.
  npm install --prefix "$tool" --legacy-peer-deps --ignore-scripts --no-audit --no-fund \
    "@stryker-mutator/core@$version" "@stryker-mutator/vitest-runner@$version"
fi
results=test/nightly/mutations/results.mjs

# mutate TESTS RESULT PLACES
mutate() {
  ARC_MUTATED=$1 ARC_MUTATIONS_RESULT=$2 nice -n 19 node "$tool/node_modules/@stryker-mutator/core/bin/stryker.js" \
    run test/nightly/mutations/stryker.config.mjs --concurrency "${ARC_MUTATIONS_AT_ONCE:-1}" --mutate "$3" >"$2.log"
}

rooms=$1
[ $# -eq 0 ] || shift
for room in ${rooms:-key decide store passes passes-compiled}; do
  case $room in
    key) files="core/build/key/*.ts" ;;
    decide) files="core/build/state/decide.ts" ;;
    store) files="core/build/store/*.ts" ;;
    passes | passes-compiled) files="core/compiler/passes/*.ts core/compiler/passes/rewrite/*.ts" ;;
    *) echo "mutations.sh: key, decide, store, passes or passes-compiled" >&2; exit 1 ;;
  esac
  for file in ${@:-$files}; do
    name=$(basename "$file" .ts).json
    result=out/mutations/$room/$name
    mkdir -p "$(dirname "$result")"
    places=$file
    if [ "$room" = passes-compiled ]; then
      places=$(node "$results" survivors "out/mutations/passes/$name")
      [ -n "$places" ] || continue
    fi
    if ! node "$results" stands "$result" 2>/dev/null; then
      rm -f "$result"
      mutate "$room" "$result" "$places"
    fi
    node "$results" table "$result"
  done
done
