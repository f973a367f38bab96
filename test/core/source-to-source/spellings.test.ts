/**
 * Directives as people spell them: with comments and continued lines anywhere, by digraphs, operators and macros for
 * clauses, their arguments and parts of these, in files with other line ends. The translation is the same directive.
 */
import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { normalise } from "../../../core/ir/normalise/normalise.ts";
import { readDirectives } from "../../../core/ir/read/read.ts";
import { parse, spellTokens, walkStmt } from "../../../core/lang/index.ts";
import type { Language } from "../../../core/source-to-source/model/source.ts";
import { translateSource } from "../../../core/source-to-source/translate.ts";

interface Spelled {
  /** Macros, before the function. */
  readonly before?: string;
  readonly text: string;
}

const loop = "for (i = 0; i < 20; i++) a[i] = b[i] + x[i];";

/** Words, and clauses with their parentheses. */
const partsOf = (directive: string): readonly string[] =>
  [...directive.matchAll(/\w+(?:\((?:[^()]|\([^()]*\))*\))?/g)].map(([part]) => part);
const clausesIn = (directive: string): readonly string[] =>
  partsOf(directive).filter((part) => part.includes("("));
const argumentOf = (clause: string): string => clause.slice(clause.indexOf("(") + 1, -1);

/** Macros for parts of a directive, in its place. `name`: what their names begin with. */
function byMacros(directive: string, parts: readonly string[], name: string, around = ["", ""]): Spelled {
  const text = parts.reduce(
    (left, part, k) => left.replace(around[0] + part + around[1], `${around[0]}${name}_${k}${around[1]}`),
    directive,
  );
  const before = parts.map((part, k) => `#define ${name}_${k} ${part}\n`).join("");
  return { before, text: `#pragma ${text}` };
}

const spellings: Readonly<Record<string, (directive: string) => Spelled>> = {
  plain: (d) => ({ text: `#pragma ${d}` }),
  "a comment behind #": (d) => ({ text: `# /* # */ pragma ${d}` }),
  "a comment of two lines behind #": (d) => ({ text: `# /* one\n two */ pragma ${d}` }),
  "a comment before #": (d) => ({ text: `/* # one */ #pragma ${d}` }),
  "a continued line behind #": (d) => ({ text: `#\\\n pragma ${d}` }),
  "a digraph": (d) => ({ text: `%:pragma ${d}` }),
  tabs: (d) => ({ text: `\t#\tpragma\t${d.replaceAll(" ", "\t")}` }),
  "continued lines": (d) => ({ text: `#pragma ${partsOf(d).join(" \\\n    ")}` }),
  comments: (d) => ({ text: `#pragma ${partsOf(d).join(" /* é (b */ ")} // end, copy(b)` }),
  "comments in parentheses": (d) => ({ text: `#pragma ${d.replaceAll(")", " /* ) */)")}` }),
  "commas between clauses": (d) => ({ text: `#pragma ${d.replaceAll(") ", "), ")}` }),
  "an operator": (d) => ({ text: `_Pragma("${d}")` }),
  "an operator beside the loop": (d) => ({ text: `i = 0; _Pragma ( "${d}" )` }),
  "macros for clauses": (d) => byMacros(d, clausesIn(d), "CLAUSE"),
  "macros for arguments": (d) => byMacros(d, clausesIn(d).map(argumentOf), "ARGUMENT", ["(", ")"]),
  "one macro for all clauses": (d) => byMacros(d, [d.slice(d.indexOf(clausesIn(d)[0] ?? ""))], "ALL"),
  "a macro for nothing": (d) => ({ before: "#define NOTHING\n", text: `#pragma ${d} NOTHING` }),
  "a macro with arguments for a clause": (d) => ({
    before: "#define CALLED(name, ...) name(__VA_ARGS__)\n",
    text: `#pragma ${clausesIn(d).reduce((left, c) => left.replace(c, `CALLED(${c.split("(")[0]}, ${argumentOf(c)})`), d)}`,
  }),
  "a macro with the name of a clause": (d) => ({
    before: "#define when if\n",
    text: `#pragma ${d.replace(" if(", " when(")}`,
  }),
};

const directives: Readonly<Record<"openmp" | "openacc", readonly string[]>> = {
  openmp: [
    "acc parallel loop copy(a) copyin(b, x[0:20])",
    "acc parallel loop reduction(+:t) copyin(a, b) if(n > 3) num_gangs(n / 2)",
    "acc parallel loop gang vector vector_length(32) private(t) present(a) copyin(b[0:20])",
    "acc parallel loop copyin(b) async(3) copyout(a[0:20])",
  ],
  openacc: [
    "omp target teams distribute parallel for map(tofrom: a) map(to: b, x[0:20])",
    "omp target teams distribute parallel for reduction(+ : t) map(to: a) if(n > 3) num_teams(n / 2)",
    "omp target teams distribute parallel for simd private(t) map(alloc: a) map(to: b[0:20])",
  ],
};

const preprocessed = (text: string): string =>
  execFileSync("gcc", ["-E", "-dD", "-D_OPENACC=202211", "-D_OPENMP=201811", "-x", "c", "-"], {
    input: `# 1 "test.c"\n${text}`,
    encoding: "utf8",
  });

/** A function for each spelling. */
function source(directive: string, lineEnd: string): string {
  const functions = Object.values(spellings).map((spell, k) => {
    const { before = "", text } = spell(directive);
    const head = `void f${k}(int n, double *restrict x) { double a[100], b[100], t = 0; int i;`;
    return `${before}${head}\n${text}\n${loop}\n}\n`;
  });
  return functions.join("").replaceAll("\n", lineEnd);
}

/** Of each function, its directives with their macros expanded, and no space that means nothing. */
function directivesOf(text: string): readonly string[] {
  const { unit } = parse(preprocessed(text.replace(/#include.*/g, "")), { file: "test.c" });
  return unit.externals.flatMap((e) => {
    if (e.kind !== "function") return [];
    const found: string[] = [];
    walkStmt(e.body, {
      stmt: (s) => void found.push(...(s.pragmas ?? []).map((p) => spellTokens(p.tokens))),
    });
    return [
      found
        .join("; ")
        .replace(/\s+/g, " ")
        .replace(/ ?([(),:]) ?/g, "$1"),
    ];
  });
}

function translatedOf(directive: string, to: Language, lineEnd: string): readonly string[] {
  const text = source(directive, lineEnd);
  const parsed = parse(preprocessed(text), { file: "test.c" });
  expect(parsed.diagnostics.map(({ message }) => message)).toEqual([]);
  const program = normalise(readDirectives(parsed.unit));
  const made = translateSource(
    { file: "test.c", text, parsed, program },
    { to, openmp: "5.0", map: "default" },
  );
  expect(made.diagnostics.map(({ message, loc }) => `${loc.line}: ${message}`)).toEqual([]);
  if (lineEnd !== "\n") expect(made.text.replaceAll(lineEnd, "").includes("\n")).toBe(false);
  return directivesOf(made.text);
}

describe.each(["openmp", "openacc"] as const)("to %s", (to) => {
  test.each(directives[to])("%s", (directive) => {
    const own = to === "openmp" ? "acc" : "omp";
    for (const lineEnd of ["\n", "\r\n"]) {
      const [plain = "", ...others] = translatedOf(directive, to, lineEnd);
      expect(plain.startsWith(own)).toBe(false);
      const names = Object.keys(spellings).slice(1);
      expect(names.map((name, k) => [name, others[k]])).toEqual(names.map((name) => [name, plain]));
    }
  });
});
