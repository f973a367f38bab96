/**
 * Directives of programs moved into directive files: what is left of the source and the file come to the same IR as the
 * source with all of its directives, and so to the same kernels. Which directives move is random, the same in every run;
 * `ARC_PROPERTIES=10` takes all programs.
 */
import { describe, expect, it } from "vitest";
import { frontEnd } from "../../../../core/compiler/driver/front-end.ts";
import { irTexts } from "../../../../core/compiler/driver/ir-text.ts";
import { withAdded } from "../../../../core/ir/added/added.ts";
import { readDirectiveFile } from "../../../../core/ir/added/directive-file.ts";
import { standsAlone, startsWork } from "../../../../core/ir/added/words.ts";
import { parse, statementsIn } from "../../../../core/lang/index.ts";
import type { FunctionDef, Pragma } from "../../../../core/lang/tree/ast.ts";
import { cases } from "../../../cases.ts";
import { preprocessed, sources } from "../programs.ts";

/** Of the programs every so many. */
const STEP = Math.max(1, Math.floor(sources.length / cases(30).numRuns));
const chosen = sources.filter((_, i) => i % STEP === 0);

interface Moved {
  readonly text: string;
  readonly entries: readonly string[];
}

/** A clause at the end of a directive, behind at least the directive's name. */
const LAST =
  /^(#pragma \w+ \w+.*\S)\s+(?!loop\b|for\b|simd\b|teams\b|parallel\b|distribute\b)([a-z_]+\s*(?:\((?:[^()]|\([^()]*\))*\))?)\s*$/;

/** `pick` says of each directive whether it goes: as a whole, its last clause, or not at all. */
function move(text: string, pick: () => "all" | "clause" | "nothing"): Moved {
  const { unit, source } = parse(text, { file: "a.c" });
  const lines = new Map(source.tokens.flatMap((t) => (t.pragmas ?? []).map((p) => [p.start, p] as const)));
  const holes: { readonly start: number; readonly end: number; readonly put: string }[] = [];
  const entries: string[] = [];
  /** Whether it goes as a whole. */
  const goes = (pragma: Pragma, head: string, clauseHead?: () => string): boolean => {
    const line = lines.get(pragma.span.start);
    const picked = pick();
    const choice = picked === "all" && head === "" ? "clause" : picked;
    const written = line && text.slice(line.offset, line.stop).trimEnd();
    if (!line || !written?.startsWith("#pragma ") || choice === "nothing") return false;
    const [, rest, clause] = choice === "clause" && clauseHead ? (LAST.exec(written) ?? []) : [];
    if (choice === "all") entries.push(`${head}: ${written}`);
    else if (rest !== undefined && clauseHead) entries.push(`${clauseHead()}: ${clause}`);
    else return false;
    holes.push({ start: line.offset, end: line.stop, put: rest ?? "" });
    return choice === "all";
  };
  for (const [i, e] of unit.externals.entries()) {
    if (e.kind !== "function") continue;
    const before = unit.externals[i - 1];
    if (before?.kind === "pragma" && before.tokens.length > 2 && before.tokens[2]?.text !== "(")
      if (before.tokens[1]?.text === "routine") goes(before, e.sym.name);
    bodyOf(e, goes);
  }
  const sorted = holes.sort((a, b) => b.start - a.start);
  const left = sorted.reduce((all, { start, end, put }) => all.slice(0, start) + put + all.slice(end), text);
  return { text: left, entries };
}

function bodyOf(
  { sym, body }: FunctionDef,
  goes: (pragma: Pragma, head: string, clauseHead?: () => string) => boolean,
): void {
  let loops = 0;
  let regions = 0;
  for (const stmt of statementsIn(body)) {
    if (stmt.kind === "for") loops++;
    for (const pragma of stmt.pragmas ?? []) {
      const isRegion = startsWork(pragma);
      const clauseHead = isRegion ? () => `${sym.name} region ${regions + 1}` : undefined;
      const isMovable = stmt.kind === "for" && !standsAlone(pragma);
      const gone = isMovable && goes(pragma, `${sym.name} loop ${loops}`, clauseHead);
      if (!isMovable && isRegion) goes(pragma, "", clauseHead);
      if (isRegion && !gone) regions++;
    }
  }
}

const hasErrors = (text: string): boolean =>
  frontEnd({ file: "a.c", text }).program.diagnostics.some(({ severity }) => severity === "error");

const irOf = (text: string): string => irTexts([{ file: "a.c", text }])[0] as string;

function together({ text, entries }: Moved): string {
  const { additions, diagnostics } = readDirectiveFile(`${entries.join("\n")}\n`, "a.c.directives");
  expect(diagnostics).toEqual([]);
  const result = withAdded(text, "a.c", additions);
  if ("refused" in result)
    throw new Error(JSON.stringify(result.refused.map(({ diagnostic }) => diagnostic)));
  return result.text;
}

/** A linear congruential generator of what to do with directives. */
function choices(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (["all", "clause", "nothing", "all"] as const)[state >>> 30] ?? "nothing";
  };
}

let moved = 0;

describe("a program is the same with directives in a directive file", () => {
  it.each(chosen.map((name, i) => [name, i] as const))("%s", (name, i) => {
    const text = preprocessed(name);
    if (hasErrors(text)) return;
    const expected = irOf(text);
    for (const pick of [() => "all" as const, choices(i + 1)]) {
      const parts = move(text, pick);
      moved += parts.entries.length;
      expect(irOf(together(parts)), parts.entries.join("\n")).toBe(expected);
    }
  });

  it("and most programs have directives that move", () => {
    expect(moved).toBeGreaterThan(2 * chosen.length);
  });
});
