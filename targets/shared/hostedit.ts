/**
 * Host code as the user's own file with the source ranges of constructs replaced: includes, macros,
 * comments and formatting stay. `#line` keeps the user's line numbers.
 */

import type { IrNode } from "../../core/ir/ir.ts";
import type { Program } from "../../core/ir/program.ts";
import type { Diagnostic, Loc, Stmt } from "../../core/lang/ast.ts";
import {
  hasInclude,
  lastingDirectives,
  mapChildren,
  type Parsed,
  printStmt,
  rawExtents,
  unbalancedConditionals,
} from "../../core/lang/index.ts";
import { constructorText, hostPrelude, hostText } from "./hostcode.ts";
import type { HostNames } from "./hostnames.ts";
import { hostLines } from "./hostunit.ts";

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Thrown and caught here: a construct that the text cannot be edited around. */
class Hidden extends Error {
  readonly loc: Loc;
  constructor(loc: Loc) {
    super();
    this.loc = loc;
  }
}

/** The edited file, or the place of the construct that begins or ends inside a macro or another file. */
export function editHostFile(
  program: Program,
  parsed: Parsed,
  original: string,
  names: HostNames,
): { text: string; diagnostics: readonly Diagnostic[] } | { hidden: Loc } {
  const file = program.unit.file;
  const diagnostics: Diagnostic[] = [];
  const edits: Edit[] = [];
  const lines = lineStarts(original);
  const lineAt = (offset: number) => {
    let line = 1;
    while (line < lines.length && (lines[line] as number) <= offset) line++;
    return line;
  };
  /** Text for [start, end) that takes up lines of its own, with the numbering restored behind it. */
  const replace = (start: number, end: number, text: readonly string[]) => {
    const rest = original.slice(end, lines[lineAt(end)] ?? original.length);
    const line = lineAt(end);
    const blank = rest.trim() === "";
    const back = blank
      ? `\n#line ${line + 1} ${JSON.stringify(file)}`
      : `\n#line ${line} ${JSON.stringify(file)}\n`;
    edits.push({ start, end, text: text.length ? `${text.join("\n")}${back}` : "" });
  };

  const visit = (s: Stmt): Stmt => {
    if (s.kind !== "ext") return mapChildren(s, visit);
    const n = s.ext as IrNode;
    if (n.kind === "spmd") return s;
    const { pragma, stmt, loc } = n.site;
    // Loops and atomics of routines are C that the host runs as it stands.
    if (n.kind === "loop" || n.kind === "atomic" || n.kind === "cache") return mapChildren(s, visit);
    if (!pragma || loc.file !== file) throw new Hidden(loc);
    const raw = rawExtents(original, parsed, pragma, stmt);
    if (!raw.clean || !raw.pragma) throw new Hidden(loc);
    const { start } = raw.pragma;
    const end = raw.stmt?.end ?? raw.pragma.end;
    let gone = end;
    const asWritten = () => {
      if (!raw.stmt) return "";
      const written = original.slice(raw.stmt.start, end);
      // Standing in another place it would open or close a group of the file once more.
      if (unbalancedConditionals(written).length > 0) throw new Hidden(loc);
      gone = raw.stmt.start;
      return written;
    };
    /**
     * With the lines of the preprocessor that the rest of the file goes by. A directive may stand within #if and its
     * loop behind #endif; a macro that is defined in a region may be used behind it.
     */
    const instead = (text: readonly string[]) => {
      if (hasInclude(original.slice(start, end))) throw new Hidden(loc);
      const lasting = lastingDirectives(original.slice(start, gone));
      replace(start, end, gone < end ? [...lasting, ...text] : [...text, ...lasting]);
    };
    if (n.kind === "data" && n.kernels) {
      const text = hostLines(
        n,
        (body) =>
          printStmt(body, {
            stmt: (c, print) =>
              c.kind === "ext" ? hostLines(c.ext as IrNode, print, names, diagnostics) : undefined,
          }).split("\n"),
        names,
        diagnostics,
      );
      instead(text);
      return s;
    }
    const around = hostText(n, asWritten, names, diagnostics);
    if (around.replaces) instead(around.before);
    else replace(start, raw.pragma.end, around.before);
    if (around.replaces) return s;
    const inside = edits.length;
    mapChildren(s, visit);
    // Behind a construct that was replaced the numbering of lines is being restored.
    if (edits.slice(inside).some((e) => e.end === end)) replace(end, end, ["", ...around.after]);
    else if (around.after.length)
      edits.push({ start: end, end, text: ` ${around.after.map((l) => l.trim()).join(" ")}` });
    return s;
  };

  try {
    for (const e of program.unit.externals) if (e.kind === "function") visit(e.body);
  } catch (problem) {
    if (!(problem instanceof Hidden)) throw problem;
    return { hidden: problem.loc };
  }
  const body = apply(original, edits);
  const text = [
    ...hostPrelude,
    `#line 1 ${JSON.stringify(file)}`,
    body,
    ...constructorText(program, names, diagnostics),
  ];
  return { text: `${text.join("\n").trimEnd()}\n`, diagnostics };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Edits do not overlap; those at one place apply inner constructs first. */
function apply(text: string, edits: readonly Edit[]): string {
  const order = edits
    .map((e, i) => ({ ...e, i }))
    .sort((a, b) => a.start - b.start || a.end - b.end || a.i - b.i);
  let out = "";
  let at = 0;
  for (const e of order) {
    // Two constructs of one pragma: the outer one's text ends with a line that restores the numbering.
    const again = e.start < at && !out.endsWith("\n") ? "\n" : "";
    out += text.slice(at, e.start) + again + e.text;
    at = Math.max(at, e.end);
  }
  return out + text.slice(at);
}
