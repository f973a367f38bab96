/**
 * Sequential loops around parallel ones, which a launch repeats, over directives, loop forms, data passed from
 * one parallel loop to the next, sizes, and queues: compared with plain C on the host, where a team of threads runs the
 * loop, under Oclgrind, which finds races, and with `ARC_SLOW_TESTS=1` on PoCL.
 */
import { describeAsPlainC } from "./as-plain-c.ts";
import { allRows, pairwise, type Row } from "./covering.ts";

const axes = {
  directive: ["parallel", "kernels", "omp"],
  form: ["for", "variable outside", "loop seq", "down by two", "two loops", "in a block"],
  hands: ["nothing", "scalar", "sum", "memory", "constant", "copy", "previous"],
  inner: ["all", "triangle", "row sums"],
  size: ["0 7", "1 1", "4 70", "6 33"],
  queue: ["sync", "async"],
  value: ["parameter", "local"],
} as const;

type Case = Row<typeof axes>;

/** In `kernels` a scalar from outside lives in memory; OpenMP's reductions end with the construct. */
const isMeaningful = ({ directive, hands, form, size }: Case): boolean =>
  !(directive === "omp" && (hands === "sum" || form === "loop seq")) &&
  // What one iteration hands on to the next needs several.
  !((hands === "copy" || hands === "previous") && (size === "0 7" || size === "1 1"));

function functionOf({ directive, form, hands, inner, size, queue, value }: Case, name: string): string {
  const [n, m] = size.split(" ");
  const data = `present(a_${name}, b_${name})`;
  const isAsync = queue === "async";
  const region = {
    parallel: `#pragma acc parallel ${data}${isAsync ? " async(2)" : ""}`,
    kernels: `#pragma acc kernels ${data}${isAsync ? " async(2)" : ""}`,
    omp: `#pragma omp target teams${isAsync ? " nowait" : ""}`,
  }[directive];
  // A region has the value of its beginning, also where it runs later; `kernels` have the variable itself.
  const later = `${directive === "kernels" ? "" : "t = 77;"}
#pragma acc wait
#pragma omp taskwait`;
  const loop = (reduction = "") =>
    ({
      parallel: `#pragma acc loop ${reduction}`,
      kernels: `#pragma acc loop independent ${reduction}`,
      omp: "#pragma omp distribute parallel for",
    })[directive];
  const [a, b] = [`a_${name}`, `b_${name}`];
  const before = {
    nothing: "int d = 1;",
    scalar: `int d = ${a}[k][k];`,
    sum: `int d = 0;\n${loop("reduction(+:d)")}\n for (int j = 0; j < ${m}; j++) d += ${a}[k][j] % 5;`,
    memory: `${b}[k][0] = ${a}[0][k]; int d = ${b}[k][0];`,
    constant: "const int d = 2 * k + t;",
    copy: `t += ${a}[k][0] % 3; int d = t;`,
    previous: `int d = last; last = ${a}[k][1];`,
  }[hands];
  const body = {
    all: `for (int i = 0; i < ${m}; i++) ${b}[k][i] += ${a}[k][i] + d;`,
    triangle: `for (int i = k + 1; i < ${m}; i++) ${a}[i][k] = (${a}[i][k] + d * i) % 1000;`,
    "row sums": `for (int i = 0; i < ${m}; i++) { int s = 0; for (int j = 0; j < ${m}; j++) s += ${a}[i][j]; ${b}[i][k] = (s + d) % 1000; }`,
  }[inner];
  const after = `${loop()}\n for (int i = 0; i < ${m}; i++) ${a}[i][k] = (${a}[i][k] + ${b}[k][i]) % 1000;`;
  const declared = form === "variable outside" ? "" : "int ";
  const head = {
    for: `for (${declared}k = 0; k < ${n}; k++)`,
    "variable outside": `for (${declared}k = 0; k < ${n}; k++)`,
    "loop seq": `#pragma acc loop seq\n for (${declared}k = 0; k < ${n}; k++)`,
    "down by two": `for (${declared}k = ${n} - 1; k >= 0; k -= 2)`,
    "two loops": `for (int o = 0; o < 2; o++) for (${declared}k = o; k < ${n}; k++)`,
    "in a block": `int before = ${a}[0][0]; ${b}[79][79] = before; for (${declared}k = 0; k < ${n}; k++)`,
  }[form];
  return `int a_${name}[80][80], b_${name}[80][80];
void run_${name}(int ${value === "parameter" ? "t" : "given"}) {
  ${value === "parameter" ? "" : "int t = given;"}
  ${form === "variable outside" ? "int k;" : ""}
${region}
  {
  int last = 3;
  ${head}
  { ${before}
${loop()}
  ${body}
${after}
  }
  }
  ${isAsync ? later : ""}
}
static void ${name}(void) {
  for (int i = 0; i < 80; i++)
    for (int j = 0; j < 80; j++) a_${name}[i][j] = i + j % 7, b_${name}[i][j] = i * 3 % 5 + j;
#pragma acc data copy(a_${name}, b_${name})
  { run_${name}(4); }
  long all = 0;
  for (int i = 0; i < 80; i++)
    for (int j = 0; j < 80; j++) all += (long)a_${name}[i][j] * (i % 7 + 1) + b_${name}[i][j] * (j % 5 + 1);
  printf("${name} %ld %d %d\\n", all, a_${name}[1][1], b_${name}[2][3]);
}
`;
}

describeAsPlainC(
  "loops that the launch repeats",
  pairwise<typeof axes>(allRows(axes, isMeaningful)).map((row, k) => functionOf(row, `f${k}`)),
  ["host", "oclgrind", "lanes"],
);
