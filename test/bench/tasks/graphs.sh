#!/bin/bash
# Random graphs of tasks against the same programs run one task after the other: on the host's threads under the thread
# sanitizer, and mixed over the host and one to four devices of PoCL, with every policy.
#
#     bash test/bench/tasks/graphs.sh [GRAPHS [SEED]]       10 000 graphs, from seed 1
set -e
graphs=${1:-10000}
seed=${2:-1}
here=$(cd "$(dirname "$0")" && pwd)
runtime=$here/../../../targets/runtime
tests=$here/../../targets/runtime/tasks
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
policies="locality breadth-first priority critical-path versioning"

# program, name of the executable, options
build() {
  mkdir "$work/$2.objects"
  (cd "$work/$2.objects" && find "$runtime/src" -name '*.c' -print0 | xargs -0 -n 8 -P "$(nproc)" \
    gcc -std=c11 -g -O1 $3 -I"$runtime/include" -I"$runtime/src" -c)
  ar rcs "$work/$2.a" "$work/$2.objects"/*.o
  gcc -std=gnu11 -g -O1 $3 -I"$runtime/include" "$tests/$1.c" "$work/$2.a" -ldl -lpthread -lm -o "$work/$2"
}
build random_graphs host -fsanitize=thread
build random_kernels mixed ""

ran=0
try() { # graphs, command...
  local count=$1
  shift
  local out
  out=$("$@" "$seed" "$count" 200 2>&1) || true
  if [ "$out" != right ]; then
    echo "wrong: $(env | grep -E '^(ARC|POCL)_' | tr '\n' ' ')$* $seed $count 200"
    echo "$out"
    exit 1
  fi
  seed=$((seed + count))
  ran=$((ran + count))
}

export ARC_OPENCL_PLATFORM=Portable
each=$(((graphs / 2 + 14) / 15))
for policy in $policies; do
  for threads in 1 2 5; do
    ARC_TASK_POLICY=$policy ARC_NUM_THREADS=$threads try "$each" "$work/host"
  done
done
echo "$ran graphs on the host: right"
hosts=$ran
each=$(((graphs / 2 + 19) / 20))
for policy in $policies; do
  for devices in pthread "pthread pthread" "pthread pthread pthread" "pthread pthread pthread pthread"; do
    ARC_TASK_POLICY=$policy ARC_NUM_THREADS=4 POCL_DEVICES=$devices try "$each" "$work/mixed"
  done
done
echo "$((ran - hosts)) graphs on the host and on 1 to 4 devices: right"
