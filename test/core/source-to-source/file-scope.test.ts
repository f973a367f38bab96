/**
 * Variables at file scope and static ones, by what clauses say of them and what a region does with them: translated and
 * compiled by gcc, the program prints what it prints without directives.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { allRows, type Row } from "../../programs/combinations/covering.ts";
import { translated } from "./translating.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-file-scope-"));
afterAll(() => rmSync(folder, { recursive: true }));

const axes = {
  place: ["file", "static at file scope", "static in the function", "extern"],
  shape: ["int", "double", "array"],
  does: ["read", "read in a function", "set", "own", "reduce"],
  clause: ["nothing", "copied", "in", "out", "private", "firstprivate", "reduction", "declared"],
  construct: ["loop", "serial", "kernels"],
} as const;

type Combination = Row<typeof axes>;

/** Clauses with which the region leaves what the serial program leaves. */
function isMeaningful({ place, shape, does, clause, construct }: Combination): boolean {
  const array = shape === "array";
  if (clause === "declared" && (place === "static in the function" || place === "extern")) return false;
  if (does === "read in a function") return clause === "declared" && place !== "static in the function";
  if (does === "read") return !["private", "reduction", "out"].includes(clause);
  if (does === "own") return ["private", "firstprivate"].includes(clause) && construct === "loop";
  if (does === "reduce") return !array && clause === "reduction" && construct !== "kernels";
  const shared = ["copied", "declared"].includes(clause);
  if (array) return shared || clause === "nothing" || clause === "out";
  // Scalars that no clause names are copied in alone, but for kernels.
  return construct === "serial" && shared;
}

type Language = "openacc" | "openmp";

const words: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  openacc: {
    loop: "acc parallel loop",
    serial: "acc serial",
    kernels: "acc kernels loop",
    copied: "copy",
    in: "copyin",
    out: "copyout",
  },
  openmp: {
    loop: "omp target teams distribute parallel for",
    serial: "omp target",
    kernels: "omp target teams loop",
    copied: "map(tofrom: ",
    in: "map(to: ",
    out: "map(from: ",
  },
};

function clauseOf(c: Combination, v: string, language: Language): string {
  const word = words[language][c.clause];
  if (word) return language === "openacc" ? `${word}(${v})` : `${word}${v})`;
  if (c.clause === "reduction")
    return `reduction(+: ${v})${language === "openmp" ? ` map(tofrom: ${v})` : ""}`;
  return c.clause === "private" || c.clause === "firstprivate" ? `${c.clause}(${v})` : "";
}

function functionOf(c: Combination, name: string, language: Language): string {
  const v = `${name}_v`;
  const array = c.shape === "array";
  const declared = `${c.shape === "double" ? "double" : "int"} ${v}${array ? "[16]" : ""}`;
  const acc = language === "openacc";
  const outside = {
    file: `${declared};`,
    "static at file scope": `static ${declared};`,
    "static in the function": "",
    extern: `extern ${declared};`,
  }[c.place];
  const behind = c.place === "extern" ? `${declared};` : "";
  const create = acc ? `#pragma acc declare create(${v})` : `#pragma omp declare target(${v})`;
  const update = acc ? `#pragma acc update device(${v})` : `#pragma omp target update to(${v})`;
  const back = acc ? `#pragma acc update self(${v})` : `#pragma omp target update from(${v})`;
  const isDeclared = c.clause === "declared";
  const at = array ? `${v}[k]` : v;
  const routine = acc ? "#pragma acc routine seq" : "#pragma omp declare target";
  const next =
    c.does === "read in a function"
      ? `${routine}\nstatic int ${name}_next(int k) { return (int)${at} + k; }${acc ? "" : "\n#pragma omp end declare target"}`
      : "";
  const body = {
    read: `out[k] = (int)${at} + k;`,
    "read in a function": `out[k] = ${name}_next(k);`,
    set: `${at} = k * 3 + 1; out[k] = k;`,
    own: array ? `${v}[1] = k * 2; out[k] = ${v}[1] + 5;` : `${v} = k * 2; out[k] = (int)${v} + 5;`,
    reduce: `${v} += k; out[k] = k;`,
  }[c.does];
  const said = [
    words[language][c.construct],
    acc ? "copyout(out)" : "map(from: out)",
    clauseOf(c, v, language),
  ];
  const shown = c.does === "own" ? "" : `  h = h * 31 + (unsigned long)${array ? `${v}[7]` : v};`;
  return [
    outside,
    ...(isDeclared ? [create] : []),
    next,
    `static void ${name}(void) {`,
    `  int out[16]; unsigned long h = 7;`,
    c.place === "static in the function" ? `  static ${declared};` : "",
    array ? `  for (int k = 0; k < 16; k++) ${v}[k] = 40 + k;` : `  ${v} = 40;`,
    ...(isDeclared ? [update] : []),
    `#pragma ${said.filter((word) => word !== "").join(" ")}`,
    `  for (int k = 0; k < 16; k++) { ${body} }`,
    ...(isDeclared && c.does === "set" ? [back] : []),
    "  for (int k = 0; k < 16; k++) h = h * 31 + (unsigned long)out[k];",
    shown,
    `  printf("${name} %lu\\n", h);`,
    "}",
    behind,
  ].join("\n");
}

const programOf = (functions: readonly string[]): string =>
  [
    "int printf(const char *, ...);",
    ...functions,
    "int main(void) {",
    ...functions.map((_, k) => `  f${k}();`),
    "  return 0;\n}\n",
  ].join("\n");

/** What a program prints, by function. */
function printed(text: string, flags: readonly string[]): readonly string[] {
  const source = path.join(folder, "a.c");
  writeFileSync(source, text);
  const made = spawnSync("gcc", ["-w", "-O1", ...flags, source, "-o", path.join(folder, "a")], {
    encoding: "utf8",
  });
  if (made.status !== 0) return [made.stderr];
  const env = { ...process.env, OMP_NUM_THREADS: "3", ACC_DEVICE_TYPE: "host" };
  return execFileSync(path.join(folder, "a"), { encoding: "utf8", env }).split("\n");
}

/** gcc 12 takes scalars that only `declare` names as private to a region of OpenACC. */
const isLostByGcc = ({ shape, does, clause }: Combination, language: Language): boolean =>
  language === "openacc" && shape !== "array" && does === "set" && clause === "declared";

const models = { openacc: ["-fopenacc"], openmp: ["-fopenmp"] } as const;

describe.each([
  ["openacc", "openmp"],
  ["openmp", "openacc"],
] as const)("from %s to %s", (from, to) => {
  const rows = allRows(axes, isMeaningful);
  const kept = rows.filter((row, k) => {
    const text = programOf([functionOf(row, "f0", from)]);
    // What one of the languages lacks is refused.
    return (process.env.ARC_SLOW_TESTS || k % 2 === 1) && translated(text, to).diagnostics.length === 0;
  });

  it("most combinations can be said", () => {
    expect(kept.length).toBeGreaterThan(rows.length / 3);
  });

  it("prints what the program prints without directives", { timeout: 200_000 }, () => {
    const text = programOf(kept.map((row, k) => functionOf(row, `f${k}`, from)));
    const made = translated(text, to);
    expect(made.diagnostics).toEqual([]);
    const serial = printed(text, []);
    const before = printed(text, [...models[from], "-foffload=disable"]);
    const after = printed(made.text, [...models[to], "-foffload=disable"]);
    const wrong = kept.filter(
      (row, k) => (serial[k] !== before[k] && !isLostByGcc(row, from)) || serial[k] !== after[k],
    );
    const about = (row: Combination) => {
      const one = programOf([functionOf(row, "f0", from)]);
      return `${Object.values(row).join(", ")}\n${translated(one, to).text}`;
    };
    expect({ wrong: wrong.map(about).slice(0, 3), many: wrong.length, built: [before[0], after[0]] }).toEqual(
      {
        wrong: [],
        many: 0,
        built: [serial[0], serial[0]],
      },
    );
  });
});
