#!/bin/sh
# Many small kernels as tasks and through OpenCL's API by hand: krist.sh FOLDER, where `make.sh FOLDER` put the programs.
cd "$1" || exit 2
ARC_OPENCL_PLATFORM=NVIDIA ./krist
ARC_OPENCL_PLATFORM=NVIDIA ARC_TASK_PREFETCH=0 ./krist
gcc -O2 -Wno-deprecated-declarations krist_by_hand.c -o krist_by_hand -l:libOpenCL.so.1 && ./krist_by_hand
