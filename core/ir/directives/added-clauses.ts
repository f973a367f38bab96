/**
 * Clauses that a project adds to directives without touching the source. They are appended to the directive in the
 * preprocessed text, so that every reader treats them as the program's own.
 */
import { parse, walkStmt } from "../../lang/index.ts";
import type { FunctionDef, Pragma } from "../../lang/tree/ast.ts";

export interface AddedClauses {
  /** Who adds them, for messages. */
  readonly by: string;
  readonly function: string;
  /** Index of the compute construct in the function, from 1; absent: the only one. */
  readonly region?: number;
  readonly clauses: string;
}

/** The text with the clauses, or why some do not apply anywhere. */
export function withAddedClauses(
  text: string,
  file: string,
  added: readonly AddedClauses[],
): { readonly text: string } | { readonly problem: string; readonly remedy: string } {
  const { unit } = parse(text, { file });
  const functions = unit.externals.filter((e): e is FunctionDef => e.kind === "function");
  const behind = new Map<Pragma, string>();
  for (const { by, function: name, region, clauses } of added) {
    const def = functions.find((f) => f.sym.name === name);
    if (!def)
      return { problem: `${by}: ${file} defines no function ${name}`, remedy: "name another function" };
    const constructs = computeConstructs(def);
    const chosen =
      region === undefined && constructs.length === 1 ? constructs[0] : constructs[(region ?? 0) - 1];
    if (!chosen) {
      const many =
        constructs.length === 1 ? "1 compute construct" : `${constructs.length} compute constructs`;
      return {
        problem: `${by}: ${name} of ${file} has ${many}${region === undefined ? "" : `, and no number ${region}`}`,
        remedy: "say by 'region' which of them is meant, counted from 1",
      };
    }
    behind.set(chosen, [behind.get(chosen), clauses].filter(Boolean).join(" "));
  }
  const lines = text.split("\n");
  const places = placesOf(lines);
  for (const [{ span }, clauses] of behind) {
    const at = places.get(placeOf(span.start.file, span.start.line));
    if (at === undefined)
      return {
        problem: `${file}:${span.start.line}: clauses cannot be added to a directive that a macro makes`,
        remedy: "write the directive out, or the clauses into the macro",
      };
    lines[at] = `${lines[at]} ${clauses}`;
  }
  return { text: lines.join("\n") };
}

/** Directives of a function that start work on a device, in source order. */
function computeConstructs(def: FunctionDef): readonly Pragma[] {
  const found: Pragma[] = [];
  walkStmt(def.body, {
    stmt(s) {
      found.push(...(s.pragmas ?? []).filter(startsWork));
    },
    expr: () => false,
  });
  return found;
}

function startsWork({ tokens }: Pragma): boolean {
  const [language, first, second] = tokens.map((t) => t.text);
  if (language === "acc") return first === "parallel" || first === "kernels" || first === "serial";
  return (
    language === "omp" && first === "target" && !["data", "enter", "exit", "update"].includes(second ?? "")
  );
}

const placeOf = (file: string, line: number): string => `${line}:${file}`;

/** Lines with directives, by their location according to the line markers. */
function placesOf(lines: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  let [file, line] = ["", 1];
  for (const [k, text] of lines.entries()) {
    const marker = /^#(?: |line )\s*(\d+) "((?:[^"\\]|\\.)*)"/.exec(text);
    if (marker) {
      [file, line] = [(marker[2] ?? "").replaceAll(/\\(.)/g, "$1"), Number(marker[1])];
      continue;
    }
    if (/^\s*#\s*pragma\b/.test(text)) places.set(placeOf(file, line), k);
    line++;
  }
  return places;
}
