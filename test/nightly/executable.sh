#!/bin/sh
# executable.sh [FILE]: makes the single executable of arc (or takes FILE), and builds and runs an example with it where
# there is no Node: PATH has a C compiler's programs and nothing else. Needs the network once, for postject.
set -e
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
arc=${1:-$(node scripts/package/executable.mjs "$work/release")}
mkdir "$work/bin"
for program in sh env gcc cc as ld ar cat ls uname ldd; do ln -s "$(command -v $program)" "$work/bin/"; done
cp -r examples/jacobi "$work/jacobi"
rm -rf "$work/jacobi/out" "$work/jacobi/.arc"
cd "$work/jacobi"
there() { env -i HOME="$work/home" PATH="$work/bin" "$arc" "$@"; }
if env -i PATH="$work/bin" sh -c 'command -v node'; then echo "executable.sh: there is a node on PATH" >&2; exit 1; fi
there --version
there build cpu
there run cpu -- 64 64 10 | grep '^mean'
# Nothing to do, and what was unpacked serves again.
there build cpu 2>&1 | grep 'up to date'
test "$(ls "$work/home/.cache/arc/executable" | wc -l)" = 1
echo "the executable works without Node"
