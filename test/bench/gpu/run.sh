#!/bin/sh
# run.sh [-a DIR] [-c DIR] [-g DIR]: compile and run the bench on this machine; README.md says how.
# -a: folder with arc's executables; -c: with those of nvcc; -g: with those of a gcc that can offload, - for none.
set -u
arc= cuda= gcc=
while getopts a:c:g: option; do
  case $option in
  a) arc=$(cd "$OPTARG" && pwd) || exit 2 ;;
  c) cuda=$(cd "$OPTARG" && pwd) || exit 2 ;;
  g) [ "$OPTARG" = - ] && gcc=- || gcc=$(cd "$OPTARG" && pwd) || exit 2 ;;
  *) exit 2 ;;
  esac
done
cd "$(dirname "$0")" || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

# Runs "$@" and files its times under the name of the tool that built it.
measure() {
  tool=$1
  shift
  if "$@" >"$work/out" 2>"$work/err"; then
    sed -n "s/^time \([a-z]*\) [a-z]*\(-[a-z]*\)* \([0-9.]*\)$/\1 $tool\2 \3/p" "$work/out" >>"$work/times"
  else
    echo "$tool: $* failed:" >&2
    cat "$work/out" "$work/err" >&2
    failed=1
  fi
}

: >"$work/times"
for source in */*.c; do
  file=${source%.c}
  name=${file#*/}
  if [ -n "$cuda" ]; then
    measure cuda "$cuda/$name"
  elif nvcc -O3 -arch=native -o "$work/$name.cuda" "$file.cu" >"$work/log" 2>&1; then
    measure cuda "$work/$name.cuda"
  else
    echo "nvcc does not compile $file.cu:" >&2
    cat "$work/log" >&2
    failed=1
  fi
  if [ "$gcc" = - ]; then
    :
  elif [ -n "$gcc" ]; then
    measure gcc env ACC_DEVICE_TYPE=nvidia "$gcc/$name"
  elif gcc -O2 -fopenacc -foffload=nvptx-none -foffload-options=nvptx-none=-misa=sm_80 -o "$work/$name.gcc" "$file.c" -lm \
    >"$work/log" 2>&1; then
    measure gcc env ACC_DEVICE_TYPE=nvidia "$work/$name.gcc"
  else
    echo "gcc cannot offload here: $(tail -n 1 "$work/log")" >&2
  fi
  [ -n "$arc" ] && measure arc "$arc/$name"
done

# One row per program, one column per tool, then arc's time as a multiple of each other tool's.
awk '
  { time[$1, $2] = $3; if (!seen[$2]++) tools[++count] = $2; if (!known[$1]++) programs[++rows] = $1 }
  END {
    printf "%-12s", "ms"; for (t = 1; t <= count; t++) printf "%12s", tools[t]; print ""
    for (p = 1; p <= rows; p++) {
      printf "%-12s", programs[p]
      for (t = 1; t <= count; t++) printf "%12s", time[programs[p], tools[t]] == "" ? "-" : time[programs[p], tools[t]]
      print ""
    }
    if (!seen["arc"]) exit
    for (p = 1; p <= rows; p++) {
      own = time[programs[p], "arc"]
      best = ""
      for (t = 1; t <= count; t++) {
        other = time[programs[p], tools[t]]
        if (tools[t] ~ /^cuda/ && other != "" && (best == "" || other < best)) best = other
      }
      if (own == "" || best == "") continue
      ratio[programs[p]] = own / best
      logs += log(own / best)
      if (own / best > worst) { worst = own / best; at = programs[p] }
      compared++
    }
    printf "\n%-12s", "arc /"; for (t = 1; t <= count; t++) if (tools[t] != "arc") printf "%12s", tools[t]; printf "%12s\n", "best"
    for (p = 1; p <= rows; p++) {
      printf "%-12s", programs[p]
      for (t = 1; t <= count; t++) if (tools[t] != "arc") {
        other = time[programs[p], tools[t]]; own = time[programs[p], "arc"]
        if (other == "" || own == "") printf "%12s", "-"; else printf "%12.2f", own / other
      }
      printf "%12s", programs[p] in ratio ? sprintf("%.2f", ratio[programs[p]]) : "-"
      print ""
    }
    if (compared) printf "\n%d rows beside the best by hand: geometric mean %.2f, worst %.2f (%s)\n", compared, exp(logs / compared), worst, at
  }' "$work/times"
exit $failed
