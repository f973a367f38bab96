#!/bin/sh
# Many small kernels as tasks and through OpenCL's API by hand: krist.sh FOLDER [PLATFORM], where `make.sh FOLDER` put the
# programs. Needs neither Node nor nvcc.
cd "$1" || exit 2
ARC_OPENCL_PLATFORM=${2:-NVIDIA}
export ARC_OPENCL_PLATFORM
# shellcheck disable=SC2046
gcc -O2 -Wno-deprecated-declarations $(cat krist.options) krist_by_hand.c -o krist_by_hand -l:libOpenCL.so.1 || exit 2
for turn in 1 2; do
  echo "== as tasks"
  ./krist
  echo "== by hand"
  ./krist_by_hand
done
echo "== as tasks, without pinned memory"
ARC_TASK_STAGING=0 ./krist
echo "== as tasks, one after the other"
ARC_TASK_PREFETCH=0 ./krist
