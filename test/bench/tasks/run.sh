#!/bin/sh
# What a task costs, in nanoseconds: its creation, and until it is complete. arc's runtime beside gcc's.
set -e
here=$(cd "$(dirname "$0")" && pwd)
runtime=$here/../../../targets/runtime
made=$(mktemp -d)
trap 'rm -r "$made"' EXIT
gcc -std=gnu11 -O2 -I"$runtime/include" -I"$runtime/src" "$here/arc.c" $(find "$runtime/src" -name "*.c") "$runtime/serial/openmp_threads.c" -o "$made/arc" -lpthread -ldl -lm
gcc -O2 -fopenmp "$here/libgomp.c" -o "$made/libgomp"
for threads in 1 2 4; do
  echo "arc, $threads threads"
  ARC_NUM_THREADS=$threads "$made/arc"
  echo "libgomp, $threads threads"
  OMP_NUM_THREADS=$threads "$made/libgomp"
done
