/** The table of spellings, tested with the installed compilers; and the renames that arc makes. */
import { execFileSync, spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { edited } from "../../../core/lint/fix.ts";
import { spellings } from "../../../core/lint/portable/spellings.ts";
import { lintText } from "./preprocessed.ts";

const findings = (text: string) => lintText(text).filter((f) => f.code === "non-portable");

it.each(spellings.map((s) => [`${s.directive.source} ${s.clause ?? ""}`, s] as const))(
  "%s is told of",
  (_, { program, refusedBy }) => {
    expect(findings(program).map((f) => f.message.startsWith(refusedBy.join(" and ")))).toEqual(
      expect.arrayContaining([true]),
    );
  },
);

const gcc = execFileSync("gcc", ["-dumpversion"], { encoding: "utf8" }).trim().split(".")[0];

/** What a compiler makes of a program. */
function verdict(
  cc: string,
  options: readonly string[],
  program: string,
): "takes" | "leaves out" | "refuses" {
  const args = [...options, "-Wall", "-x", "c", "-fsyntax-only", "-"];
  const { status, stderr } = spawnSync(cc, args, { input: program, encoding: "utf8" });
  if (status !== 0) return "refuses";
  return /ignoring|are ignored|unknown-pragmas/.test(stderr) ? "leaves out" : "takes";
}

it.runIf(gcc === "12")("gcc 12 behaves as in the table", () => {
  for (const { program, refusedBy, ignored, language } of spellings) {
    const expected = !refusedBy.includes("gcc 12") ? "takes" : ignored ? "leaves out" : "refuses";
    expect([program, verdict("gcc", [`-fopen${language === "acc" ? "acc" : "mp"}`], program)]).toEqual([
      program,
      expected,
    ]);
  }
});

const clang = spawnSync("clang-15", ["--version"]).status === 0;

it.runIf(clang)("clang 15 behaves as in the table", () => {
  for (const { program, refusedBy } of spellings.filter((s) => s.language === "omp"))
    expect([program, verdict("clang-15", ["-fopenmp", "-fopenmp-version=52"], program) === "takes"]).toEqual([
      program,
      !refusedBy.includes("clang 15"),
    ]);
});

it.each([
  ["#pragma acc parallel loop copy(a[0:9])\nfor (int i = 0; i != 9; i++) a[i] = 1;", true],
  ["#pragma acc parallel loop copy(a[0:9])\nfor (int i = 0; i < 9; i++) a[i] = 1;", false],
  [
    "#pragma acc parallel loop collapse(2)\nfor (int i = 0; i < 3; i++)\nfor (int j = i; j < 3; j++) a[3 * i + j] = 1;",
    true,
  ],
  [
    "#pragma acc parallel loop collapse(2)\nfor (int i = 0; i < 3; i++)\nfor (int j = 0; j < 3; j++) a[3 * i + j] = 1;",
    false,
  ],
  [
    "#pragma omp parallel for collapse(2)\nfor (int i = 0; i < 3; i++) {\nint t = i;\nfor (int j = 0; j < 3; j++) a[3 * t + j] = 1;\n}",
    true,
  ],
  [
    "#pragma omp parallel for\nfor (int i = 0; i < 3; i++) {\nint t = i;\nfor (int j = 0; j < 3; j++) a[3 * t + j] = 1;\n}",
    false,
  ],
] as const)("loops: %s", (body, refused) => {
  const program = `void f(int *restrict a) {\n${body}\n}\n`;
  expect(findings(program).length > 0).toBe(refused);
  if (gcc === "12") expect(verdict("gcc", ["-fopenacc", "-fopenmp"], program) === "refuses").toBe(refused);
});

it("--fix writes the name that all of them know", () => {
  const bad =
    "int g;\n#pragma omp declare target enter(g)\n#pragma omp begin declare target\nint h;\n#pragma omp end declare target\n";
  expect(
    edited(
      bad,
      findings(bad).flatMap((f) => f.fix ?? []),
    ).text,
  ).toBe(
    "int g;\n#pragma omp declare target to(g)\n#pragma omp declare target\nint h;\n#pragma omp end declare target\n",
  );
});
