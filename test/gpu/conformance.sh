#!/bin/sh
# conformance.sh FOLDER: builds the conformance programs that `ARC_KEEP_PROGRAMS=FOLDER npx vitest run test/conformance` wrote
# there, and runs each by CUDA and by OpenCL on this machine's GPU. Needs arc and nvcc on PATH. Prints those that are wrong.
set -eu
cd "$1"
export ARC_RESIDENT=1 OMP_NUM_THREADS=3
OCL_ICD_FILENAMES=${OCL_ICD_FILENAMES:-libnvidia-opencl.so.1} && export OCL_ICD_FILENAMES
for language in omp acc; do
  switch=-acc
  [ $language = acc ] || switch=-fopenmp
  for source in "$language"-*.c; do
    printf '%s\n' "$source"
  done | xargs -P "$(nproc)" -I{} arc cc $switch -target opencl -target cuda:arch=sm_90 -O0 -w -c {} -o {}.o
  arc cc $switch -target opencl -target cuda:arch=sm_90 "$language"-*.o -o "$language" -lm
done
one() {
  for language in omp acc; do
    for kind in cuda opencl; do
      sed "s/.*/$language $kind &/" $language.names
    done
  done
}
# shellcheck disable=SC2016
one | xargs -P 8 -L 1 sh -c '
  out=$(ARC_TARGET=$2 timeout 60 "./$1" "$3" 2>&1) && [ "$out" = "$3" ] && echo "right by $2" || echo "WRONG $1 $2 $3: $out"' sh |
  sort | awk '/^right/ { right[$0]++; next } { print } END { for (way in right) print right[way], way }'
