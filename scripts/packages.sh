#!/bin/sh
# Debian packages that the tests use. Installs what is missing when run as root, else names it.
set -e
missing=
need() { # program or file, package
  # Daemons lie where PATH of a user may not lead.
  case $1 in
    /*) [ -e "$1" ] ;;
    *) PATH=$PATH:/usr/sbin command -v "$1" >/dev/null ;;
  esac || missing="$missing $2"
}
need cc gcc
need c++ g++
need /usr/include/stdio.h libc6-dev
need clang-14 clang-14
need /etc/OpenCL/vendors/pocl.icd pocl-opencl-icd
need /usr/lib/x86_64-linux-gnu/libOpenCL.so.1 ocl-icd-libopencl1
need oclgrind oclgrind
need clang-15 clang-15
need llvm-spirv-15 llvm-spirv-15
need spirv-val spirv-tools
need mlir-opt-16 mlir-16-tools
need /usr/include/CL/cl.h opencl-headers
need iverilog iverilog
need verilator verilator
need g++ g++
need make make
need yosys yosys
need nextpnr-ice40 nextpnr-ice40
need icepack fpga-icestorm
need csmith csmith
need /usr/include/csmith/csmith.h libcsmith-dev
need script bsdutils
need slurmctld slurm-wlm
need munged munge
need nginx nginx-light
need ccache ccache
need strace strace
need chromium chromium
need tmux tmux
need bwrap bubblewrap
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -q
  DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing
else
  echo "the tests need these packages: apt-get install$missing" >&2
  exit 2
fi
