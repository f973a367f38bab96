/**
 * Loop nests with every --map value, in both directions: gcc compiles the translation, and it computes what plain C does.
 * Over where directives, private and reduction clauses stand, whether a mapping collapses the loops that have them or not.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { frontEnd } from "../../../core/compiler/driver/front-end.ts";
import { type MappingName, mappings } from "../../../core/source-to-source/mapping/profiles.ts";
import type { Language } from "../../../core/source-to-source/model/source.ts";
import { translateSource } from "../../../core/source-to-source/translate.ts";
import { type Axes, allRows, pairwise, type Row } from "../../programs/combinations/covering.ts";
import { start } from "../../programs/process.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-mapped-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Directives of the nest's loops: of the construct, and of the second and the third loop. */
const nests: Readonly<Record<Language, readonly string[]>> = {
  openacc: [
    "parallel loop | loop |",
    "parallel loop | loop vector |",
    "parallel loop gang | loop worker | loop vector",
    "parallel loop | | loop",
    "parallel loop collapse(2) | | loop",
    "parallel loop collapse(3) | |",
    "kernels | loop |",
    "kernels | loop independent | loop independent",
    "kernels loop | loop | loop",
    "kernels loop independent collapse(2) | | loop vector",
  ],
  openmp: [
    "target teams distribute | parallel for |",
    "target teams distribute | parallel for collapse(2) |",
    "target teams distribute parallel for | simd |",
    "target teams distribute parallel for | | simd",
    "target teams distribute parallel for collapse(2) | | simd",
    "target teams distribute parallel for collapse(3) | |",
    "target teams distribute parallel for simd | |",
    "target parallel for | simd |",
  ],
};

const axes = {
  nest: [...nests.openacc, ...nests.openmp],
  privates: ["declared inside", "outer", "inner", "both", "unsaid", "an array", "two of them"],
  sum: ["none", "of all", "of a row", "max of all"],
  counters: ["declared", "outside"],
  trips: ["3 5 4", "70 6 40", "2 90 3"],
  code: ["tight", "between"],
} as const satisfies Axes;

type Case = Row<typeof axes>;

const languageOf = ({ nest }: Case): Language =>
  nests.openmp.some((one) => one === nest) ? "openmp" : "openacc";

/** Directive of each loop; an empty one: none. */
const directivesOf = ({ nest }: Case): readonly string[] => nest.split("|").map((one) => one.trim());

/**
 * Which loop an array is private to: the innermost one with a directive. Private to a loop around it, the lanes that
 * share the inner loop would share the array, and race in the program already.
 */
const placeOfArray = (row: Case): number => directivesOf(row).findLastIndex((words) => words !== "");

const collapsed = ({ nest }: Case): number => {
  const found = /collapse\((\d)\)/.exec(nest);
  return found
    ? Number(found[1]) + directivesOf({ nest } as Case).findIndex((d) => d.includes("collapse"))
    : 1;
};

/** What the words of the directives make right. */
function isMeaningful(row: Case): boolean {
  const { privates, sum, code, counters, nest } = row;
  const [, second = "", third = ""] = directivesOf(row);
  if (code === "between" && collapsed(row) > 1) return false;
  if (sum === "of a row" && (code === "tight" || (second === "" && third !== ""))) return false;
  const isInner = privates === "inner" || privates === "both";
  if (isInner && second === "" && third === "") return false;
  if (code === "between" && privates === "inner" && third !== "" && second === "") return false;
  // OpenMP's threads share what no clause names; `kernels` has no private clause of its own.
  if (languageOf(row) === "openmp" && (privates === "unsaid" || (privates === "inner" && !third && !second)))
    return false;
  if (languageOf(row) === "openmp" && counters === "outside" && nest.startsWith("target teams distribute |"))
    return false;
  const saysOuter = privates === "outer" || privates === "both";
  return !(directivesOf(row)[0] === "kernels" && (saysOuter || sum !== "none"));
}

function functionOf(row: Case, name: string): string {
  const { privates, sum, counters, trips, code } = row;
  const language = languageOf(row);
  const [first = "", second = "", third = ""] = directivesOf(row);
  const [n, m, l] = trips.split(" ");
  const reduced = {
    none: "",
    "of all": "reduction(+: s)",
    "of a row": "reduction(+: r)",
    "max of all": "reduction(max: s)",
  }[sum];
  const overAll = sum === "of a row" ? "" : reduced;
  const own = privates === "two of them" ? "t, u" : privates === "an array" ? "w" : "t";
  const isInner = privates === "inner" || privates === "both";
  const named = (place: number, isNamed: boolean) =>
    (privates === "an array" ? place === placeOfArray(row) : isNamed) ? `private(${own})` : "";
  const isOuter = named(0, !["declared inside", "inner", "unsaid"].includes(privates)) !== "";
  const ofSecond = [named(1, isInner), reduced];
  const ofThird = [named(2, isInner), reduced];
  const rows = `b_${name}, c_${name}`;
  const data = language === "openacc" ? `copy(${rows})` : `map(tofrom: ${rows})`;
  const isPlain = first === "kernels";
  const scalar = overAll && language === "openmp" ? "map(tofrom: s)" : "";
  const line = (words: string, clauses: readonly string[]) =>
    words === ""
      ? ""
      : `#pragma ${language === "openacc" ? "acc" : "omp"} ${words} ${clauses.filter(Boolean).join(" ")}\n`;
  const outer = [
    isOuter ? `private(${own}${sum === "of a row" ? ", r" : ""})` : sum === "of a row" ? "private(r)" : "",
    overAll,
    scalar,
  ];
  const loop = (v: string, end: string | undefined) =>
    `for (${counters === "declared" ? "int " : ""}${v} = 0; ${v} < ${end}; ${v}++)`;
  const t = privates === "an array" ? "w[1]" : "t";
  const inside = privates === "declared inside" ? "int t;" : "";
  const add = {
    none: "",
    "of all": `s += ${t} % 5;`,
    "of a row": `r += ${t} % 5;`,
    "max of all": `s = s > ${t} ? s : ${t};`,
  }[sum];
  const more = privates === "two of them" ? `u = ${t} + k; b_${name}[i][j][k] += u % 3;` : "";
  const body = `{ ${inside} ${t} = i * 3 + j * 2 + k; b_${name}[i][j][k] = ${t} + 1; ${more} ${add} }`;
  const nest = `${line(third, ofThird)}      ${loop("k", l)} ${body}`;
  const middle = `${line(second, ofSecond)}    ${loop("j", m)}\n${nest}`;
  const around =
    code === "tight"
      ? middle
      : `{ ${sum === "of a row" ? "r = 0;" : ""} c_${name}[i] = i;\n${middle}\n${sum === "of a row" ? `c_${name}[i] += r;` : ""} }`;
  return `int b_${name}[100][100][40], c_${name}[100];
static void ${name}(void) {
  int s = 0, t = 0, u = 0, r = 0, w[2] = {0, 0}${counters === "outside" ? ", i, j, k" : ""};
${line(first, [data, ...(isPlain ? [] : outer)])}  ${loop("i", n)}
${around}
  long all = s;
  for (int x = 0; x < 100; x++) for (int y = 0; y < 100; y++) for (int z = 0; z < 40; z++)
    all += b_${name}[x][y][z] * (x % 3 + y % 5 + z % 7 + 1);
  for (int x = 0; x < 100; x++) all += c_${name}[x];
  printf("${name} %ld\\n", all);
}
`;
}

const programOf = (functions: readonly string[]): string =>
  [
    "int printf(const char *, ...);",
    ...functions,
    `int main(void) { ${functions.map((_, k) => `f${k}();`).join(" ")} }`,
    "",
  ].join("\n");

function translated(text: string, to: Language, map: MappingName): string {
  const { parsed, program } = frontEnd({ file: "nests.c", text });
  const made = translateSource({ file: "nests.c", text, parsed, program }, { to, openmp: "5.0", map });
  expect(made.diagnostics.map(({ loc, message }) => `${loc.line}: ${message}`)).toEqual([]);
  return made.text;
}

async function outputOf(text: string, name: string, flag: string): Promise<readonly string[]> {
  const file = path.join(folder, `${name}.c`);
  writeFileSync(file, text);
  const exe = path.join(folder, name);
  const built = await start("gcc", ["-O1", "-w", flag, file, "-o", exe], { seconds: 100 });
  expect(built.err.slice(0, 3000)).toBe("");
  const ran = await start(exe, [], { env: { OMP_NUM_THREADS: "3" } });
  expect(ran.status, ran.err).toBe(0);
  return ran.out.split("\n");
}

const rows = pairwise<typeof axes>(allRows(axes, isMeaningful));

describe.each(["openacc", "openmp"] as const)("nests in %s", (language) => {
  const functions = rows
    .filter((row) => languageOf(row) === language)
    .map((row, k) => functionOf(row, `f${k}`));
  const to = language === "openacc" ? "openmp" : "openacc";

  it("are translated to what plain C computes, wherever --map puts their loops", {
    timeout: 300_000,
  }, async () => {
    expect(functions.length).toBeGreaterThan(20);
    const text = programOf(functions);
    const want = await outputOf(text, `${language}-plain`, "-O1");
    const seen = new Set<string>();
    for (const map of mappings) {
      const made = translated(text, to, map);
      if (seen.has(made)) continue;
      seen.add(made);
      const got = await outputOf(made, `${language}-${map}`, to === "openmp" ? "-fopenmp" : "-fopenacc");
      const wrong = want.filter((line) => !got.includes(line));
      expect(wrong.map((line) => `${map}: ${functions[Number(/\d+/.exec(line)?.[0])]}`)).toEqual([]);
    }
    expect(seen.size).toBeGreaterThan(1);
  });
});
