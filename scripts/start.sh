#!/bin/sh
# npm start: installs what arc needs, builds it, builds, runs and verifies an example for this machine's processor,
# and makes the bitstream of another for an FPGA. Needs Node 20 and a C compiler; no root.
set -e
cd "$(dirname "$0")/.."
node -e 'const [major, minor] = process.versions.node.split("."); process.exit(major > 20 || (major == 20 && minor >= 11) ? 0 : 1)' || {
  echo "arc needs Node 20.11 or later; this is $(node --version)" >&2
  exit 2
}
command -v "${CC:-cc}" >/dev/null || {
  echo "arc needs a C compiler (Debian: apt-get install gcc libc6-dev), or CC naming one" >&2
  exit 2
}
[ -d node_modules/esbuild ] || npm ci --no-audit --no-fund
sh scripts/prepare.sh
cd examples/jacobi
echo '$ arc build cpu' && npx arc build cpu
echo '$ arc run cpu -- 512 512 100' && npx arc run cpu -- 512 512 100
echo '$ arc verify cpu' && npx arc verify cpu
cd ../sobel-rtl
echo '$ arc build fpga#configuration' && npx arc build 'fpga#configuration'
ls out/fpga/default/configuration/*.bin
