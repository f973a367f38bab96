/** The text before the code: the API's header, declarations that the translation needs, and tests of `_OPENACC`. */
import type { Diagnostic, Loc } from "../../lang/tree/ast.ts";
import type { Decision, Language, Source } from "../model/source.ts";
import type { Edit } from "./edits.ts";
import { namesIn } from "./scan.ts";

interface HeadNeeds {
  /** All text that the translation inserts. */
  readonly inserted: string;
  readonly declaration: string | undefined;
  /** The other API is called. */
  readonly used: boolean;
}

interface Header {
  readonly edits: readonly Edit[];
  readonly decisions: readonly Decision[];
  readonly diagnostics: readonly Diagnostic[];
}

const headers: Readonly<Record<Language, string>> = { openacc: "openacc.h", openmp: "omp.h" };
const macros: Readonly<Record<Language, string>> = { openacc: "_OPENACC", openmp: "_OPENMP" };
const prefixes: Readonly<Record<Language, RegExp>> = { openacc: /\bacc_\w+/, openmp: /\bomp_\w+/ };

export function headEdits(source: Source, to: Language, needs: HeadNeeds): Header {
  const { text } = source;
  const from: Language = to === "openmp" ? "openacc" : "openmp";
  const edits: Edit[] = [];
  const decisions: Decision[] = [];
  const tests = macroTests(source, from, to);
  edits.push(...tests.edits);
  const headersNeeded = new Set<string>();
  if (needs.used || prefixes[to].test(needs.inserted)) headersNeeded.add(headers[to]);
  if (/\bassert\(/.test(needs.inserted)) headersNeeded.add("assert.h");
  const includes = includesOf(text);
  for (const { name } of includes) if (name !== headers[from]) headersNeeded.delete(name);
  for (const include of includes) {
    if (include.name !== headers[from]) continue;
    // Host code may need omp.h itself.
    const stays = from === "openmp" && hostUses(text);
    if (stays) continue;
    const replaced = headersNeeded.delete(headers[to]) || includes.every(({ name }) => name !== headers[to]);
    const now = `#include <${headers[to]}>`;
    edits.push(
      replaced
        ? { start: include.start, end: include.end, text: now }
        : lineRemoval(text, include.start, include.end),
    );
    decisions.push({
      loc: locationOf(source, include.start),
      was: text.slice(include.start, include.end),
      now: replaced ? [now] : [],
      because: [],
    });
  }
  const lines = [...[...headersNeeded].sort().map((name) => `#include <${name}>`)];
  if (needs.declaration) lines.push("", needs.declaration);
  if (lines.length > 0) {
    const last = includes.findLast(({ depth }) => depth === 0);
    const at = last?.end ?? leading(text);
    edits.push({ start: at, end: at, text: last ? `\n${lines.join("\n")}` : `${lines.join("\n")}\n` });
    decisions.push({
      loc: locationOf(source, at),
      was: "",
      now: lines.filter((line) => line !== ""),
      because: ["what the directives and calls below need"],
    });
  }
  return { edits, decisions, diagnostics: tests.diagnostics };
}

interface Include {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** Number of enclosing conditionals. */
  readonly depth: number;
}

function includesOf(text: string): readonly Include[] {
  const found: Include[] = [];
  let depth = 0;
  const pattern = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\[\s\S]|[^"\\\n])*"|^[ \t]*#[ \t]*(\w+)([^\n]*)/gm;
  for (const { 0: all, 1: word, 2: rest = "", index } of text.matchAll(pattern)) {
    if (word?.startsWith("if")) depth++;
    if (word === "endif") depth--;
    const name = word === "include" ? /["<]([^">]+)[">]/.exec(rest)?.[1] : undefined;
    if (name === undefined) continue;
    const start = index + all.indexOf("#");
    found.push({ name, start, end: start + all.trim().replace(/\s*(\/\/|\/\*).*$/, "").length, depth });
  }
  return found;
}

/** Position after the comments at the beginning. */
const leading = (text: string): number =>
  /^(?:\s*(?:\/\*[\s\S]*?\*\/|\/\/[^\n]*))*\s*/.exec(text)?.[0].length ?? 0;

/** Whether code uses OpenMP's runtime for the host's threads. */
const hostUses = (text: string): boolean =>
  namesIn(text).some(
    ({ text: name }) =>
      /^omp_/.test(name) &&
      !/^omp_(target_|(get|set)_default_device|get_num_devices|get_initial_device|is_initial_device)/.test(
        name,
      ),
  );

/** `#ifdef _OPENACC` becomes a test of the other language's macro. Uses of its value are not translated. */
function macroTests(source: Source, from: Language, to: Language): Omit<Header, "decisions"> {
  const { text } = source;
  const edits: Edit[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { text: name, start, end } of namesIn(text)) {
    if (name !== macros[from]) continue;
    const line = text.slice(text.lastIndexOf("\n", start) + 1, start);
    if (/#[ \t]*(ifdef|ifndef|elifdef|elifndef)[ \t]+$|\bdefined[ \t]*\(?[ \t]*$/.test(line)) {
      // Tests of the other macro also concern host threads.
      if (from === "openacc" || !/_OPENACC/.test(line)) edits.push({ start, end, text: macros[to] });
      continue;
    }
    diagnostics.push({
      severity: "error",
      code: "not-translatable",
      loc: locationOf(source, start),
      message: `what '${name}' is worth has no meaning in the other language`,
      remedy: `ask whether it is defined: #ifdef ${name}`,
    });
  }
  return { edits, diagnostics };
}

function lineRemoval(text: string, start: number, end: number): Edit {
  const rest = /^[ \t]*\r?\n/.exec(text.slice(end))?.[0] ?? "";
  return { start, end: end + rest.length, text: "" };
}

export function locationOf({ text, file }: Pick<Source, "text" | "file">, offset: number): Loc {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return { file, line, col: offset - before.lastIndexOf("\n") };
}
