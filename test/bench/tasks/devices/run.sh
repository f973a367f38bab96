#!/bin/sh
# Tasks over one and two GPUs: run.sh FOLDER, where `make.sh FOLDER` put the programs. Needs neither Node nor nvcc.
cd "$1" || exit 2
for program in "tiles 8 2048" "tiles 12 2048" "tiles 8 4096" "bodies 524288 8" "bodies 1048576 16"; do
  for devices in 0 0,1; do
    echo "== $program, devices $devices"
    # shellcheck disable=SC2086
    CUDA_VISIBLE_DEVICES=$devices ./$program
  done
done
