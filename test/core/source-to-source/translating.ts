/** Short ways to translate C in tests: sources without includes, which are their own preprocessed text. */
import { expect } from "vitest";
import { normalise } from "../../../core/ir/normalise/normalise.ts";
import { readDirectives } from "../../../core/ir/read/read.ts";
import { parse } from "../../../core/lang/index.ts";
import type { MappingName } from "../../../core/source-to-source/mapping/profiles.ts";
import type {
  Language,
  OpenMpVersion,
  TranslatedSource,
} from "../../../core/source-to-source/model/source.ts";
import { translateSource } from "../../../core/source-to-source/translate.ts";

export function translated(
  text: string,
  to: Language,
  openmp: OpenMpVersion = "5.0",
  map: MappingName = "default",
): TranslatedSource {
  const parsed = parse(text, { file: "test.c" });
  expect(parsed.diagnostics.map((d) => d.message)).toEqual([]);
  const program = normalise(readDirectives(parsed.unit));
  return translateSource({ file: "test.c", text, parsed, program }, { to, openmp, map });
}

/** A function around statements, with something of every kind to name in clauses. */
export const inFunction = (statements: string): string =>
  [
    "double table[100]; extern int whatever(void);",
    "void f(int n, double *x, double *restrict y, double (*rows)[20], unsigned q)",
    "{ double a[100], b[100], m[10][10]; int i, j, k, s; double t;",
    statements,
    "}",
  ].join("\n");

/** The translation of statements; the code around them must stay. */
export function statement(
  statements: string,
  to: Language,
  openmp: OpenMpVersion = "5.0",
  map: MappingName = "default",
): string {
  const { text, diagnostics } = translated(inFunction(statements), to, openmp, map);
  expect(diagnostics.map(({ loc, message }) => `${loc.line - 3}:${loc.col} ${message}`)).toEqual([]);
  const [before = "", after = ""] = inFunction("\0").split("\0");
  const body = text.indexOf("{ double a[100]");
  expect(text.endsWith(after)).toBe(true);
  return text.slice(body + before.length - before.indexOf("{ double a[100]"), text.length - after.length);
}

/** Place and message of what statements are refused for; lines count from the first statement. */
export const refusals = (statements: string, to: Language): readonly string[] =>
  translated(inFunction(statements), to).diagnostics.map(
    ({ loc, message }) => `${loc.line - 3}:${loc.col} ${message}`,
  );
