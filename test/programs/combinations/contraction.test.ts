/**
 * With -ffp-contract=off, or where a source says so, products and sums round one by one in kernels, as in the serial
 * program: over types, forms of
 * the expression, where it stands, and what becomes of its value. Each sum nearly cancels its product, so that one
 * rounding instead of two gives another result. A kernel has all rows of a type.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { arcProgram } from "../../cli/rig.ts";
import { start } from "../process.ts";
import { allRows, pairwise, type Row } from "./covering.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-apart-"));
afterAll(() => rmSync(folder, { recursive: true }));

const axes = {
  type: ["float", "double"],
  form: ["sum", "difference", "square", "accumulated", "fused by name"],
  place: ["expression", "function", "function of another file", "branch", "steps"],
  use: ["stored", "added", "converted", "compared"],
} as const;

type Case = Row<typeof axes>;

/** `c` and `d` are the negatives of the rounded products of `a` and `b`, and of `a` and `a`. */
const expressions: Readonly<Record<Case["form"], string>> = {
  sum: "a * b + c",
  difference: "-c - a * b",
  square: "a * a + d",
  accumulated: "a * b",
  "fused by name": "FMA(a, b, c)",
};

const uses: Readonly<Record<Case["use"], string>> = {
  stored: "v",
  added: "out[at] + v",
  converted: "(int)(v * LARGE)",
  compared: "v == 0 ? 1 : v < 0 ? 2 : 3",
};

function expressionOf({ type, form }: Case): string {
  return expressions[form].replace("FMA", type === "float" ? "fmaf" : "fma");
}

function routineOf(row: Case, name: string): string {
  const { type } = row;
  return `${type} of_${name}(${type} a, ${type} b, ${type} c, ${type} d) { return ${expressionOf(row)}; }`;
}

/**
 * Statements of a loop over `i`. Each row has operands of its own: gcc makes one operation of a product and a sum only
 * where nothing else uses the product.
 */
function blockOf(row: Case, k: number, name: string): string {
  const { type, form, place, use } = row;
  const value = place.startsWith("function") ? `of_${name}(a, b, c, d)` : expressionOf(row);
  const placed =
    place === "branch"
      ? `if (i % 3) v += ${value}; else v -= ${value};`
      : place === "steps"
        ? `${type} t = a * b; ${form === "sum" ? "t += c;" : `t = ${value};`} v += t;`
        : `v += ${value};`;
  return `    { int at = ${k} * N + i; ${type} a = x[at], b = y[at], c = z[at], d = w[at], v = ${form === "accumulated" ? "c" : "0"}; ${placed} out[at] = ${uses[use].replace("LARGE", type === "float" ? "0x1p20f" : "0x1p50")}; }\n`;
}

const rows = pairwise<typeof axes>(allRows(axes, () => true));
const nameOf = (row: Case): string => `r${rows.indexOf(row)}`;
const ofPlace = (place: Case["place"]): readonly Case[] => rows.filter((row) => row.place === place);

function functionOf(type: Case["type"]): string {
  const own = rows.filter((row) => row.type === type);
  return `#undef ROWS
#define ROWS (${own.length} * N)
static void check_${type}(void) {
  static ${type} x[ROWS], y[ROWS], z[ROWS], w[ROWS], out[ROWS];
  for (int i = 0; i < ROWS; i++) {
    x[i] = (${type})(i + 1) / 7;
    y[i] = (${type})(3 * i + 2) / 11;
    volatile ${type} product = x[i] * y[i], square = x[i] * x[i];
    z[i] = -product;
    w[i] = -square;
  }
#pragma acc parallel loop copyin(x, y, z, w) copy(out)
  for (int i = 0; i < N; i++) {
${own.map((row, k) => blockOf(row, k, nameOf(row))).join("")}  }
${own.map((row, k) => `  print("${nameOf(row)}", &out[${k} * N], sizeof out[0] * N);\n`).join("")}}
`;
}

const types = ["float", "double"] as const;
const includes = "#include <math.h>\n#include <stdio.h>\n#define N 200\n";
const far = ofPlace("function of another file").map((row) => routineOf(row, nameOf(row)));
const sources = {
  "a.c": `${includes}
static void print(const char *name, const void *from, unsigned long size) {
  unsigned h = 0;
  for (unsigned long k = 0; k < size; k++) h = h * 31 + ((const unsigned char *)from)[k];
  printf("%s %u\\n", name, h);
}
${ofPlace("function")
  .map((row) => `#pragma acc routine seq\nstatic ${routineOf(row, nameOf(row))}\n`)
  .join("")}${far.map((routine) => `#pragma acc routine seq\n${routine.replace(/ \{.*/, ";")}\n`).join("")}
${types.map(functionOf).join("")}
int main(void) {
${types.map((type) => `  check_${type}();\n`).join("")}  return 0;
}
`,
  "b.c": `${includes}${far.map((routine) => `#pragma acc routine seq\n${routine}\n`).join("")}`,
};

/** How sources forbid one operation; by which text in front of which of them, or of each block. */
const said: Readonly<Record<string, (file: string, text: string) => string>> = {
  "by C's pragma": (_, text) => `#pragma STDC FP_CONTRACT OFF\n${text}`,
  "by C's pragma in a block": (_, text) => text.replace(/ \{/g, ' { _Pragma("STDC FP_CONTRACT OFF")'),
  "by gcc's pragma": (_, text) => `#pragma GCC optimize("fp-contract=off")\n${text}`,
  // Kernels that call the file's functions are all that the program has.
  "in the file of a function": (file, text) =>
    file === "b.c" ? `#pragma STDC FP_CONTRACT OFF\n${text}` : text,
};

/** What the program prints, sorted: a line for each row. */
async function printed(
  compiler: readonly string[],
  say: (file: string, text: string) => string = (_, text) => text,
): Promise<readonly string[]> {
  const files = Object.entries(sources).map(([name, text]) => {
    const file = path.join(folder, name);
    writeFileSync(file, say(name, text));
    return file;
  });
  const made = path.join(folder, "made");
  const [tool = "", ...words] = compiler;
  const env = { ARC_STORE: process.env.ARC_TEST_STORE ?? path.join(folder, "store") };
  const args = [...words, "-O2", "-w", ...files, "-o", made, "-lm"];
  const built = await start(tool, args, { env, seconds: 240 });
  expect(built.status, built.err).toBe(0);
  const { out } = await start(made, [], { env });
  return out.trim().split("\n").sort();
}

/** The rows of which a program prints something else than the serial one. */
async function wrongOf(found: readonly string[]): Promise<string> {
  const serial = await printed(["gcc", "-ffp-contract=off"]);
  const rowOf = (line: string): Case | undefined => rows[Number(line.split(" ")[0]?.slice(1))];
  const wrong = serial.flatMap((line, k) =>
    line === found[k] ? [] : [`${line} is ${found[k]}: ${Object.values(rowOf(line) ?? {}).join(", ")}`],
  );
  return wrong.join("\n");
}

const targets = ["host", "opencl"];
if (process.env.ARC_SLOW_TESTS) targets.push("host -march=native", "opencl:form=spirv");

describe("with -ffp-contract=off, products and sums", { timeout: 300_000 }, () => {
  it.runIf(process.arch === "x64")("would round otherwise if they were one operation", async () => {
    const apart = await printed(["gcc", "-ffp-contract=off"]);
    const fused = await printed(["gcc", "-ffp-contract=fast", "-mfma"]).catch(() => []);
    expect(apart).toHaveLength(rows.length);
    // A processor without such an operation stops.
    if (fused.length === rows.length)
      expect(apart.filter((line, k) => line !== fused[k]).length).toBeGreaterThan(rows.length / 2);
  });

  it.each(targets)("round one by one on %s", async (target) => {
    const words = [arcProgram, "cc", "-acc", "-target", ...target.split(" "), "-ffp-contract=off"];
    expect(await wrongOf(await printed(words))).toBe("");
  });
});

describe("where the source forbids one operation, products and sums", { timeout: 300_000 }, () => {
  const cases = Object.keys(said).flatMap((how) => targets.map((target) => ({ how, target })));

  it.each(cases)("round one by one $how on $target", async ({ how, target }) => {
    const words = [arcProgram, "cc", "-acc", "-target", ...target.split(" "), "-ffp-contract=fast"];
    expect(await wrongOf(await printed(words, said[how]))).toBe("");
  });
});
