#!/bin/sh
# kills.sh [TRIALS] [SEED] [FIRST]: kills one of two arcs that build at once, or both, so many times, and builds again; see
# test/core/build/crash/two-arcs.test.ts. A failure names its trial: `kills.sh 1 SEED TRIAL` tries that one again.
set -e
cd "$(dirname "$0")/../.."
ARC_KILLS="${1:-500}:${2:-$(date +%s)}:${3:-0}" exec nice npx vitest run test/core/build/crash/two-arcs.test.ts
