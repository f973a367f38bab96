/**
 * How translation and checks grow with a file: `node test/bench/growth.mjs [-n FUNCTIONS] [SHAPE…]`. Of each shape of source
 * a file of so many functions (200) and one of twice as many, through each command: seconds of CPU, and how many times as
 * long the larger file takes. About two is in proportion; what takes more than three times as long is marked.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

const arc = path.resolve(import.meta.dirname, "../../bin/arc");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { functions: { type: "string", short: "n", default: "200" } },
});

const loop = (n, body) => `for (int i = 0; i < ${n}; i++) ${body}`;

/** Function `k` of each shape; calls lead to the one before it, in `statics` by fives: a variable is passed down to its function. */
const shapes = {
  routines: (k) =>
    `#pragma acc routine seq\nstatic int f${k}(int x) { return ${k ? `f${k - 1}(x)` : "x"} + ${k}; }`,
  statics: (k) =>
    `#pragma acc routine seq\nstatic int f${k}(int x) { static int last = ${k}; return last += ${k % 5 ? `f${k - 1}(x)` : "x"}; }`,
  regions: (k) =>
    `void f${k}(int n, float *a, const float *b) {\n#pragma acc parallel loop copy(a[0:n]) copyin(b[0:n])\n${loop("n", "a[i] += b[i];")}\n}`,
  kernels: (k) =>
    `void f${k}(int n, float *a) {\n#pragma acc kernels copy(a[0:n])\n{ ${loop("n", "a[i] += 1;")} ${loop("n", "a[i] *= 2;")} }\n}`,
  data: (k) =>
    `static float d${k}[64];\nvoid f${k}(void) {\n#pragma acc data copy(d${k})\n{\n#pragma acc parallel loop present(d${k}) async(1)\n${loop(64, `d${k}[i] += 1;`)}\n#pragma acc wait\n#pragma acc update self(d${k})\n}\n}`,
  threads: (k) =>
    `int omp_get_thread_num(void);\nvoid f${k}(int n, float *a) {\n#pragma omp target parallel for num_threads(n) map(a[0:n])\n${loop("n", "a[i] += omp_get_thread_num();")}\n}`,
};

const uses = (shape, n) =>
  ["routines", "statics"].includes(shape)
    ? `void use(int r[8]) {\n#pragma acc parallel loop copy(r[0:8])\n${loop(8, `r[i] = f${n - 1}(i);`)}\n}\n`
    : "";

const commands = (shape) => [
  ["check"],
  ["translate", "--to", "host"],
  ["translate", "--to", "opencl"],
  ["translate", "--to", shape === "threads" ? "openacc" : "openmp"],
];

const folder = mkdtempSync(path.join(tmpdir(), "arc-bench-growth-"));

/** Seconds of all processors; bash counts those of children. */
function seconds(command) {
  const { stderr } = spawnSync(
    "bash",
    ["-c", `TIMEFORMAT='%U %S'; time "$@" >/dev/null 2>&1`, "-", arc, ...command],
    {
      env: { ...process.env, ARC_STORE: path.join(folder, "store") },
      encoding: "utf8",
    },
  );
  const [user, system] = stderr.trim().split("\n").at(-1).split(" ").map(Number);
  return user + system;
}

function fileOf(shape, n) {
  const file = path.join(folder, `${shape}-${n}.c`);
  const functions = Array.from({ length: n }, (_, k) => shapes[shape](k));
  writeFileSync(file, `${functions.join("\n")}\n${uses(shape, n)}`);
  return file;
}

const n = Number(values.functions);
for (const shape of positionals.length > 0 ? positionals : Object.keys(shapes))
  for (const command of commands(shape)) {
    const [small, large] = [n, 2 * n].map((count) => seconds([...command, fileOf(shape, count)]));
    const times = large / small;
    const cells = [
      shape.padEnd(9),
      command.join(" ").padEnd(24),
      small.toFixed(2),
      large.toFixed(2),
      times.toFixed(1),
    ];
    console.log(`${cells.join("  ")}${times > 3 ? "  !" : ""}`);
  }
rmSync(folder, { recursive: true });
