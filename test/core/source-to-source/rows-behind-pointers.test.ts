/**
 * Rows behind arrays of pointers, by where the pointers are and by the directive that moves them: OpenACC and its
 * translation to OpenMP both leave what the serial program leaves, with a device whose memory is its own.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { arcProgram } from "../../cli/rig.ts";
import { allRows, type Row } from "../../programs/combinations/covering.ts";
import { translated } from "./translating.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-rows-"));
afterAll(() => rmSync(folder, { recursive: true }));

const axes = {
  pointers: ["array", "pointer", "member array", "member pointer"],
  rows: ["one row", "two rows", "two rows of one clause"],
  part: ["from the start", "from the fourth"],
  moved: ["by the region", "by data", "by enter and exit"],
} as const;
type Combination = Row<typeof axes>;

/** `n`: the length of a row; `s->p` and `q` are pointers to three rows. */
function functionOf({ pointers, rows, part, moved }: Combination, name: string): string {
  const table = { array: "z", pointer: "q", "member array": "s->f", "member pointer": "s->p" }[pointers];
  const section = part === "from the start" ? "[0:n]" : "[3:n - 3]";
  const first = part === "from the start" ? 0 : 3;
  const used = rows === "one row" ? [1] : [0, 2];
  const named = used.map((k) => `${table}[${k}]${section}`);
  const copied = rows === "two rows of one clause" ? [named.join(", ")] : named;
  const clause = (word: string) => copied.map((list) => `${word}(${list})`).join(" ");
  const statement = used.map((k) => `${table}[${k}][i] = ${table}[${k}][i] * 2 + i;`).join(" ");
  const loop = `for (int i = ${first}; i < n; i++) { ${statement} }`;
  const struct = pointers.startsWith("member");
  const whole = pointers === "member pointer" ? "s->p[0:3]" : "";
  const outer = struct ? ["s[0:1]", whole].filter((text) => text !== "").join(", ") : `${table}[0:3]`;
  const present = `present(${outer}, ${named.join(", ")})`;
  const region = (clauses: string) => [`#pragma acc parallel loop ${clauses}`, loop];
  const inside = {
    "by the region": region(`present(${outer}) ${clause("copy")}`),
    "by data": [`#pragma acc data ${clause("copy")}`, "{", ...region(present), "}"],
    "by enter and exit": [
      `#pragma acc enter data ${clause("copyin")}`,
      ...region(present),
      `#pragma acc exit data ${clause("copyout")}`,
    ],
  }[moved];
  return [
    `static void ${name}(int n) {`,
    "double *z[3], **q = z; struct grid grid, *s = &grid; s->p = z;",
    "for (int k = 0; k < 3; k++) { s->f[k] = z[k] = malloc(n * sizeof(double));",
    "for (int i = 0; i < n; i++) z[k][i] = k + i; }",
    ...outer.split(", ").map((text) => `#pragma acc enter data copyin(${text})`),
    ...inside,
    ...outer
      .split(", ")
      .reverse()
      .map((text) => `#pragma acc exit data delete(${text})`),
    "double sum = 0;",
    "for (int k = 0; k < 3; k++) for (int i = 0; i < n; i++) sum = sum * 0.5 + z[k][i];",
    `printf("${name} %.17g\\n", sum);`,
    "}",
  ].join("\n");
}

const programOf = (rows: readonly Combination[]): string =>
  [
    "int printf(const char *, ...); void *malloc(unsigned long);",
    "struct grid { int n; double *f[3], **p; };",
    ...rows.map((row, k) => functionOf(row, `f${k}`)),
    "int main(void) {",
    ...rows.map((_, k) => `f${k}(40);`),
    "}",
    "",
  ].join("\n");

function printed(name: string, source: string, compiler: readonly string[]): readonly string[] {
  const file = path.join(folder, `${name}.c`);
  writeFileSync(file, source);
  const exe = path.join(folder, name);
  const [command = "", ...args] = [...compiler, "-w", "-O1", file, "-o", exe];
  const env = { ...process.env, ARC_STORE: process.env.ARC_TEST_STORE ?? path.join(folder, "store") };
  execFileSync(command, args, { env, encoding: "utf8" });
  return execFileSync(exe, { env: { ...env, ARC_HOST_MEMORY: "separate" }, encoding: "utf8" }).split("\n");
}

const all = allRows(axes, () => true);
const isMember = ({ pointers }: Combination): boolean => pointers.startsWith("member");

/** The combinations of which a program prints something else than the serial one. */
function differing(rows: readonly Combination[], serial: readonly string[], lines: readonly string[]) {
  return rows.filter((_, k) => lines[k] !== serial[k]).map((row) => Object.values(row).join(", "));
}
const arc = (model: string) => [arcProgram, "cc", model, "-target", "host"];

it("rows are moved, found and used, whatever leads to them", { timeout: 120_000 }, () => {
  const text = programOf(all);
  const serial = printed("serial", text, ["gcc"]);
  expect(differing(all, serial, printed("openacc", text, arc("-acc")))).toEqual([]);
});

it("in OpenMP, too, where compilers take them", { timeout: 120_000 }, () => {
  const members = all.filter(isMember);
  const text = programOf(members);
  const made = translated(text, "openmp");
  expect(made.diagnostics).toEqual([]);
  const serial = printed("members", text, ["gcc"]);
  expect(differing(members, serial, printed("openmp", made.text, arc("-omp")))).toEqual([]);
});

it("as gcc takes them, too", () => {
  // gcc 12 itself fails at sections through a pointer in a struct (in `omplower`).
  const taken = all.filter(({ pointers }) => pointers === "member array");
  const text = programOf(taken);
  const serial = printed("taken", text, ["gcc"]);
  const gcc = ["gcc", "-fopenmp", "-foffload=disable"];
  expect(differing(taken, serial, printed("gcc", translated(text, "openmp").text, gcc))).toEqual([]);
});

it("rows of a variable are refused beside the variable or another row, which gcc and clang do not take", () => {
  for (const row of all.filter((row) => !isMember(row)))
    expect(
      translated(programOf([row]), "openmp").diagnostics[0]?.message,
      Object.values(row).join(", "),
    ).toMatch(/^'[qz]' stands in two data clauses/);
});
