#!/bin/sh
# make.sh FOLDER: the programs of run.sh, with code for the GPU (default sm_90).
set -e
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$here"
for program in tiles bodies; do
  "${ARC:-$here/../../../../bin/arc}" cc -fopenmp -O2 -target "cuda:arch=${2:-sm_90}" "$program.c" -o "$out/$program" -lm
done
"${ARC:-$here/../../../../bin/arc}" cc -fopenmp -O2 -target opencl krist.c -o "$out/krist" -lm
cp run.sh krist.sh krist.cl krist.h clock.h krist_by_hand.c "$out"
