#!/bin/sh
# make.sh FOLDER [ARCH]: the programs of run.sh and krist.sh, with code for the GPU (default sm_90). KRIST has options for
# krist.c: "-DATOMS=128 -DREFLECTIONS=128" makes kernels that a processor is not busy with for hours.
set -e
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$here"
for program in tiles bodies; do
  "${ARC:-$here/../../../../bin/arc}" cc -fopenmp -O2 -target "cuda:arch=${2:-sm_90}" "$program.c" -o "$out/$program" -lm
done
# shellcheck disable=SC2086
"${ARC:-$here/../../../../bin/arc}" cc -fopenmp -O2 $KRIST -target opencl krist.c -o "$out/krist" -lm
echo "$KRIST" > "$out/krist.options"
cp run.sh krist.sh krist.cl krist.h clock.h krist_by_hand.c "$out"
