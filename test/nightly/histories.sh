#!/bin/sh
# histories.sh [COUNT] [SEED]: so many histories of arcs that share stores and a served cache, in batches of 500 with the seeds
# SEED, SEED+1, ...; see test/core/build/histories.property.test.ts. In memory where there is a file system for it: renaming
# and removing files is a quarter of the processor time on a disk.
set -e
cd "$(dirname "$0")/../.."
count="${1:-10000}" seed="${2:-$(date +%s)}"
if [ -d /dev/shm ] && [ -w /dev/shm ]; then export TMPDIR=/dev/shm; fi
last=$((seed + (count + 499) / 500 - 1))
for batch in $(seq "$seed" "$last"); do
  echo "histories.sh: 500 of seed $batch"
  ARC_PROPERTIES="25:$batch" nice npx vitest run test/core/build/histories.property.test.ts
done
