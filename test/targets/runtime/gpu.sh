#!/bin/sh
# The runtime's test programs on a real NVIDIA GPU, through CUDA and through NVIDIA's OpenCL, with no more than
# gcc and nvcc: sh test/targets/runtime/gpu.sh [sm_90]. Prints a line per program; fails if one fails.
cd "$(dirname "$0")/../../.." || exit 2
architecture=${1:-sm_90}
tests=test/targets/runtime runtime=targets/runtime
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
flags="-std=c11 -O2 -g -Wall -Wextra -Werror -I$runtime/include -I$runtime/src"

for source in $(find "$runtime/src" -name "*.c"); do
  gcc $flags -Wpedantic -c "$source" -o "$out/$(basename "$source" .c).o" || exit 1
done
ar rcs "$out/libarcrt.a" "$out"/*.o

region() { # NAME ARGS GRID GROUP
  printf 'region %s\nargs %s\nkernel %s\ngroup %s ; 1 ; 1\ngrid %s ; 1 ; 1\n' "$1" "$2" "$1" "$4" "$3"
  i=0
  while [ $i -lt "$2" ]; do printf 'param a%d\n' $i; i=$((i + 1)); done
}
image() { # BACKEND PAYLOAD-KIND FILE
  mkdir -p "$out/images/$1"
  {
    printf 'arc-image 1\nbackend %s\ntarget gpu\nvariant default\noptions \n' "$1"
    region add 3 't0 64 ceildiv' 64
    region scale 2 t0 1
    [ "$1" = cuda ] && region fault 1 t0 1
    printf 'payload %s %d %s\nend\n' "$2" "$(stat -c %s "$3")" "$architecture"
    cat "$3"
  } > "$out/images/$1/program.arci"
}
nvcc -cubin -arch="$architecture" -o "$out/cuda.cubin" "$tests/kernels/cuda.cu" || exit 1
nvcc -ptx -arch="compute_${architecture#sm_}" -o "$out/cuda.ptx" "$tests/kernels/cuda.cu" || exit 1
image opencl source "$tests/kernels/opencl.cl"

failed=0
run() { # TITLE PROGRAM ARGUMENTS...
  title=$1
  shift
  if "$@" > "$out/said" 2>&1; then echo "ok      $title"; else failed=1; echo "FAILED  $title"; fi
  sed 's/^/        /' "$out/said"
}
for program in deep async threads api defer under_way overhead bad; do
  gcc $flags "$tests/c/$program.c" "$out/libarcrt.a" -o "$out/$program" -ldl -lpthread -lm || exit 1
done
for payload in cubin ptx; do
  image cuda $payload "$out/cuda.$payload"
  for program in deep async threads api defer under_way; do
    run "cuda $payload $program" env ARC_IMAGES="$out/images/cuda" "$out/$program"
    run "cuda $payload $program traced" env ARC_TRACE="$out/trace.json" ARC_IMAGES="$out/images/cuda" "$out/$program"
  done
done
run "cuda overhead" env ARC_IMAGES="$out/images/cuda" "$out/overhead"
for program in deep async threads api defer overhead; do
  run "opencl $program" env ARC_IMAGES="$out/images/opencl" ARC_OPENCL_PLATFORM=NVIDIA "$out/$program"
done
env ARC_IMAGES="$out/images/cuda" "$out/bad" fault > "$out/said" 2>&1 && failed=1
cat "$out/said"
env ARC_IMAGES="$out/images/cuda" "$out/bad" huge > "$out/said" 2>&1 && failed=1
cat "$out/said"
exit $failed
