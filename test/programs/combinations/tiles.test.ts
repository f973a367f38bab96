/**
 * Tiles and `cache` sections on GPUs, over levels, sizes of tiles and loops, other clauses, and the sections of
 * `cache`: compared with plain C under Oclgrind, which finds races and out-of-bounds accesses, and with
 * `ARC_SLOW_TESTS=1` on PoCL.
 */
import { describeAsPlainC } from "./as-plain-c.ts";
import { allRows, pairwise, type Row } from "./covering.ts";

const axes = {
  levels: ["", "gang vector", "gang", "vector", "gang worker vector", "kernels"],
  tile: ["3, 5", "16, 4", "8, 32", "64, 64", "*, 7", "1, 9", "*, *"],
  size: ["5 9", "33 70", "64 64"],
  clause: ["", "vector_length(64)", "num_gangs(3)", "reduction", "private"],
  cache: ["none", "array", "section", "moving", "too long", "written"],
  array: ["static", "pointer", "restrict"],
} as const;

type Case = Row<typeof axes>;

const isMeaningful = ({ levels, clause, cache }: Case): boolean =>
  !(cache === "written" && clause === "reduction") && !(levels === "kernels" && clause === "num_gangs(3)");

function functionOf({ levels, tile, size, clause, cache, array }: Case, name: string): string {
  const [n, m] = size.split(" ");
  const lone = levels === "vector";
  const clauses = clause === "reduction" ? "reduction(+:sum)" : clause === "private" ? "private(t)" : "";
  const sizes = clause.includes("(") ? clause : "";
  const construct = levels === "kernels" ? "kernels" : "parallel";
  const inner = levels === "kernels" ? "independent" : levels;
  const section = {
    none: "",
    array: "w",
    section: "w[2:20]",
    moving: "w[i % 60:3]",
    "too long": "w[0:100000]",
    written: "a[0:80]",
  }[cache === "array" && array !== "static" ? "section" : cache];
  const qualifier = array === "restrict" ? "restrict " : "";
  const w = array === "static" ? `w_${name}` : "w";
  const nest = `  for (int i = 0; i < ${n}; i++)
    for (int j = 0; j < ${m}; j++) {
${section ? `#pragma acc cache(${section.replace(/^w/, w)})` : ""}
      t = ${w}[(i + j) % 64] + ${w}[3] + ${w}[i % 30 + 1];
      a[i * 80 + j] ${lone ? "+=" : "="} a[i * 80 + j] % 1000 + t * (i - j);
      ${clause === "reduction" ? "sum += t;" : ""}
    }`;
  const own = clause === "private" ? nest : nest.replace("t =", "int t =");
  const loop = `#pragma acc loop ${inner} tile(${tile}) ${clauses}`;
  const data = `present(a[0:6400], ${w}[0:100])`;
  const text = lone
    ? `#pragma acc parallel ${sizes} ${data} num_gangs(1) ${clause === "reduction" ? "copy(sum)" : ""}
{
${loop}
${own}
}`
    : `#pragma acc ${construct} ${sizes} ${data} ${clause === "reduction" ? "copy(sum)" : ""}
${loop}
${own}`;
  return `int w_${name}[100];
static int run_${name}(int *${qualifier}a, int *${qualifier}w) {
  int sum = 0, t = 0;
${lone ? text.replace("num_gangs(3)", "") : text}
  return sum;
}
static void ${name}(void) {
  static int a[6400];
  for (int i = 0; i < 6400; i++) a[i] = i % 97;
  for (int i = 0; i < 100; i++) w_${name}[i] = i * 7 % 13;
  int sum;
#pragma acc data copy(a) copyin(w_${name})
  sum = run_${name}(a, w_${name});
  long all = 0;
  for (int i = 0; i < 6400; i++) all += (long)a[i] * (i % 11 + 1);
  printf("${name} %ld %d\\n", all, sum);
}
`;
}

describeAsPlainC(
  "tiles and cached sections",
  pairwise<typeof axes>(allRows(axes, isMeaningful)).map((row, k) => functionOf(row, `f${k}`)),
  ["oclgrind"],
);
