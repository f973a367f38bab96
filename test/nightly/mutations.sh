#!/bin/sh
# mutations.sh [key|decide|store|passes [FILE]]: changes the code of these rooms in one place at a time and tells which
# changes no test notices. ARC_MUTATIONS_AT_ONCE=16 for a machine with as many processors. Stryker is pinned here and no dependency of arc: its version 10 needs Node 22.
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
for room in ${1:-key decide store passes}; do
  case $room in
    key) files="core/build/key/*.ts" ;;
    decide) files="core/build/state/decide.ts" ;;
    store) files="core/build/store/*.ts" ;;
    passes) files="core/compiler/passes/**/*.ts" ;;
    *) echo "mutations.sh: key, decide, store or passes" >&2; exit 1 ;;
  esac
  ARC_MUTATED=$room nice -n 19 "$tool/node_modules/.bin/stryker" run test/nightly/mutations/stryker.json \
    --concurrency "${ARC_MUTATIONS_AT_ONCE:-1}" --mutate "${2:-$files}"
  mv out/mutations.json "out/mutations-$room.json"
done
