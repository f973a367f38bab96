#!/bin/sh
# power-loss.sh [STATES] [SEED]: lays out so many states that a loss of power may leave of recorded builds, and builds
# again; see test/core/build/crash/recorded-loss.test.ts. Needs strace.
set -e
cd "$(dirname "$0")/../.."
ARC_POWER_LOSS="${1:-10000}:${2:-$(date +%s)}" exec nice npx vitest run test/core/build/crash/recorded-loss.test.ts
