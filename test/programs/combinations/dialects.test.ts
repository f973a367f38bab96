/**
 * With -fwrapv signed integers wrap in kernels as in host code, and with -funsigned-char `char` has no sign there: over
 * types, operations, the object that is changed, and what becomes of the value. A compiler that takes it that nothing
 * overflows decides the comparisons otherwise.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { arcProgram } from "../../cli/rig.ts";
import { start } from "../process.ts";
import { allRows, pairwise, type Row } from "./covering.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-dialects-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Family {
  readonly flag: string;
  /** Each a loop body over `i` that sets `v`, of values that depend on `i`. */
  readonly bodies: readonly string[];
  readonly routines?: readonly string[];
}

// ---------------------------------------------------------------- -fwrapv

const wrapAxes = {
  type: ["int", "long", "long long", "enum whole"],
  operation: [
    "a + b",
    "a - b",
    "a * b",
    "-a",
    "a++",
    "++a",
    "a--",
    "--a",
    "a += b",
    "a -= b",
    "a *= b",
    "a <<= 1",
  ],
  object: ["variable", "element", "element by effect", "member", "pointer"],
  use: ["compared", "sign", "stored", "in function"],
} as const;

type WrapCase = Row<typeof wrapAxes>;

const objects: Readonly<Record<WrapCase["object"], readonly [declared: string, name: string]>> = {
  variable: ["T o = A;", "o"],
  element: ["T o[2] = {0, A};", "o[1]"],
  "element by effect": ["T o[3] = {0, A, 0}; int k = 0;", "o[++k]"],
  member: ["struct { char c; T m; } o = {0, A};", "o.m"],
  pointer: ["T o = A, *p = &o;", "*p"],
};

/** `a` is near the end of its type, `b` small: the operation overflows for some `i`. */
function wrapBody({ type, operation, object, use }: WrapCase, k: number): string {
  const unsigned = type === "int" ? "int" : type === "enum whole" ? "int" : "long";
  const most = unsigned === "int" ? "0x7fffffff" : "0x7fffffffffffffffL";
  const least = operation.includes("-") ? `-${most} - 1 + (i % 4)` : `${most} - (i % 4)`;
  const value = operation.includes("*")
    ? `${most} / 2 - i % 5 + i % 3`
    : operation === "-a"
      ? `-${most} - i % 2`
      : least;
  const [declared, name] = objects[object];
  const done = operation.replace(/\ba\b/, name);
  const made = `(long)(${done})`;
  const uses: Readonly<Record<WrapCase["use"], string>> = {
    compared: `v = (${done}) > a0 ? 1 : (${operation.startsWith("a +") || operation.includes("++") ? 2 : 3});`,
    sign: `v = (${done}) < 0;`,
    stored: `v = ${made};`,
    "in function": `v = f${k}(a0, b);`,
  };
  const text = `T a0 = ${value}; T b = 1 + i % 3; ${declared} ${uses[use]}`;
  return text
    .replaceAll("A;", "a0;")
    .replaceAll("A}", "a0}")
    .replaceAll("A,", "a0,")
    .replaceAll(/\bT\b/g, type);
}

const wrapRows = pairwise<typeof wrapAxes>(
  allRows(wrapAxes, ({ object, operation }) => object !== "element by effect" || /=|\+\+|--/.test(operation)),
);

const wrapRoutine = ({ type, operation }: WrapCase, k: number): string =>
  `static long f${k}(${type} a, ${type} b) { ${type} before = a; return (long)(${operation}) + ((${operation}) > before); }`;

// ---------------------------------------------------------------- -funsigned-char

const charAxes = {
  operation: [
    "c + 0",
    "c > b",
    "t[c]",
    "c / 2",
    "c >> 1",
    "c % 7",
    "c++",
    "c--",
    "c /= 3",
    "c %= 5",
    "c >>= 2",
    "c *= 0.5",
    "'\\xf0' + c",
    "(char)(c + 90) < 100",
    "c == '\\xf0'",
    "-c",
    "~c",
  ],
  object: ["variable", "element", "member"],
  use: ["stored", "as double", "as condition", "as case"],
} as const;

type CharCase = Row<typeof charAxes>;

function charBody({ operation, object, use }: CharCase): string {
  const [declared, name] = objects[object];
  const done = operation.replaceAll(/\bc\b/g, name);
  const uses: Readonly<Record<CharCase["use"], string>> = {
    stored: `v = ${done};`,
    "as double": `double d = ${done}; v = (long)(d * 2);`,
    "as condition": `v = (${done}) > 90 ? 4 : 9;`,
    "as case": `switch ((char)(${done})) { case 0 ... 60: v = 1; break; case 61 ... 127: v = 2; break; default: v = ((char)(${done}) > 200) + 5; }`,
  };
  const text = `char a0 = i * 5, b = 100; int t[256]; for (int j = 0; j < 256; j++) t[j] = j * 3; ${declared} ${uses[use]} v += b;`;
  return text.replaceAll("A;", "a0;").replaceAll("A}", "a0}").replaceAll(/\bT\b/g, "char");
}

const charRows = pairwise<typeof charAxes>(allRows(charAxes, () => true));

const families: readonly Family[] = [
  { flag: "-fwrapv", bodies: wrapRows.map(wrapBody), routines: wrapRows.map(wrapRoutine) },
  { flag: "-fno-strict-overflow", bodies: wrapRows.map(wrapBody), routines: wrapRows.map(wrapRoutine) },
  { flag: "-funsigned-char", bodies: charRows.map(charBody) },
];

// ---------------------------------------------------------------- programs

const programOf = ({ bodies, routines = [] }: Family): string => `
#include <stdio.h>
enum whole { SMALL = -1, BIG = 0x7fffffff };
${routines.map((routine) => `#pragma acc routine seq\n${routine}\n`).join("")}
static long out[${bodies.length}][64];
int main(void) {
#pragma acc parallel loop copy(out)
  for (int i = 0; i < 64; i++) {
${bodies.map((body, k) => `    { long v = 0; ${body} out[${k}][i] = v; }\n`).join("")}  }
  for (int k = 0; k < ${bodies.length}; k++) {
    unsigned long h = 0;
    for (int i = 0; i < 64; i++) h = h * 31 + (unsigned long)out[k][i];
    printf("%d %lu\\n", k, h);
  }
}
`;

const env = { ARC_STORE: process.env.ARC_TEST_STORE ?? path.join(folder, "store") };

async function printed(family: Family, calls: readonly (readonly string[])[]): Promise<readonly string[]> {
  const [source, object, made] = ["source.c", "source.o", "made"].map((name) => path.join(folder, name));
  writeFileSync(source ?? "", programOf(family));
  for (const call of calls) {
    const [tool = "", ...words] = call.map((word) =>
      word
        .replace("SOURCE", source ?? "")
        .replace("OBJECT", object ?? "")
        .replace("MADE", made ?? ""),
    );
    const built = await start(tool, words, { env, seconds: 240 });
    expect(built.status, built.err).toBe(0);
  }
  const ran = await start(made ?? "", [], { env });
  expect(ran.status, ran.err).toBe(0);
  return ran.out.trim().split("\n");
}

/** The bodies that compute something else than in the serial program. */
async function wrongOf(family: Family, calls: readonly (readonly string[])[]): Promise<string> {
  const serial = await printed(family, [["gcc", "-O2", "-w", family.flag, "SOURCE", "-o", "MADE"]]);
  expect(serial).toHaveLength(family.bodies.length);
  const found = await printed(family, calls);
  return serial.flatMap((line, k) => (line === found[k] ? [] : [`${line}: ${family.bodies[k]}`])).join("\n");
}

const targets = ["host", "opencl"];
if (process.env.ARC_SLOW_TESTS) targets.push("opencl:form=spirv");
const cases = families.flatMap((family) => targets.map((target) => ({ ...family, target })));

describe("options that change what C means", { timeout: 300_000 }, () => {
  it.each(cases)("$flag reaches the kernels of $target", async ({ target, ...family }) => {
    const words = [arcProgram, "cc", "-acc", "-target", target, "-O2", "-w"];
    expect(await wrongOf(family, [[...words, family.flag, "SOURCE", "-o", "MADE"]])).toBe("");
  });

  it.each(cases)("$flag reaches them from compilation alone, on $target", async ({ target, ...family }) => {
    const words = [arcProgram, "cc", "-acc", "-target", target, "-O2", "-w"];
    const calls = [
      [...words, family.flag, "-c", "SOURCE", "-o", "OBJECT"],
      [...words, "OBJECT", "-o", "MADE"],
    ];
    expect(await wrongOf(family, calls)).toBe("");
  });

  it.each(families)("$flag matters: without it the host's kernels compute something else", async (family) => {
    expect(await wrongOf(family, [["gcc", "-O2", "-w", "SOURCE", "-o", "MADE"]])).not.toBe("");
  });
});

// ---------------------------------------------------------------- C90

const ansi = `#include <omp.h>
int main(void) {
  int a[40], i, sum = omp_control_tool(omp_control_tool_end, 0, 0);
#pragma omp target teams distribute parallel for map(from: a) reduction(+: sum)
  for (i = 0; i < 40; i++) {
    a[i] = i;
    sum++;
  }
  return sum - 38 + a[39] - 39;
}
`;

describe("the headers are C90", () => {
  it.each(["-std=c90", "-ansi"])("%s", async (standard) => {
    const [source, exe] = [path.join(folder, "ansi.c"), path.join(folder, `ansi${standard}`)];
    writeFileSync(source, ansi);
    const built = await start(arcProgram, ["cc", "-fopenmp", standard, "-Wall", source, "-o", exe]);
    expect(built.status, built.err).toBe(0);
    expect((await start(exe, [], { env: { ARC_HOST_MEMORY: "separate" } })).status).toBe(0);
  });
});
