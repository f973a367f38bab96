/**
 * Directive files: a file beside a source that lists additions to its directives, one entry per line.
 *
 *     entry   =  name ["loop" [number] | "region" [number]] ":" what
 *     what    =  "#pragma" directive  |  clauses
 *     comment =  "//" ...  |  "#" blank ...
 *
 *     blur region 1: vector_length(64)
 *     blur loop 2: #pragma acc loop vector
 *     clamp: #pragma acc routine seq
 */
import { DIRECTIVE_NAMESPACES } from "../../lang/index.ts";
import type { Diagnostic, Loc } from "../../lang/tree/ast.ts";
import type { Addition, Anchor } from "./model.ts";

/** The name of a source's directive file. */
export const directiveFileOf = (source: string): string => `${source}.directives`;

export interface DirectiveFile {
  readonly additions: readonly Addition[];
  /** Errors, each at the location of its entry. */
  readonly diagnostics: readonly Diagnostic[];
}

export function readDirectiveFile(text: string, file: string): DirectiveFile {
  const additions: Addition[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [k, line] of text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .entries()) {
    const content = withoutComment(line);
    if (content.trim() === "" || /^\s*#(\s|$)/.test(content)) continue;
    const loc = (at: number): Loc => ({ file, line: k + 1, col: 1 + bytesOf(content.slice(0, at)) });
    const read = entry(content, loc);
    if ("severity" in read) diagnostics.push(read);
    else additions.push(read);
  }
  return { additions, diagnostics };
}

const SHAPE = "write `FUNCTION region 1: CLAUSES`, `FUNCTION loop 2: #pragma ...` or `FUNCTION: #pragma ...`";

function entry(content: string, loc: (at: number) => Loc): Addition | Diagnostic {
  const begin = content.search(/\S/);
  if (/^\s*#/.test(content))
    return malformed(loc(begin), "this entry does not say where its directive belongs", SHAPE);
  const colon = content.indexOf(":");
  const head = colon < 0 ? content : content.slice(0, colon);
  const words = /^\s*([A-Za-z_]\w*)(?:\s+([A-Za-z_]\w*)(?:\s+(\S+))?)?\s*$/.exec(head);
  if (colon < 0 || !words) return malformed(loc(begin), "this is no entry of a directive file", SHAPE);
  const [, name = "", of, number] = words;
  if (of !== undefined && of !== "loop" && of !== "region") {
    const message = `there is no place '${of}' in a function`;
    return malformed(loc(head.search(/\S\s+\S/) + 1 + gap(head, name)), message, "write `loop` or `region`");
  }
  if (number !== undefined && !/^[1-9]\d{0,8}$/.test(number)) {
    const message = `'${number}' is no number of a ${of}`;
    return malformed(loc(head.lastIndexOf(number)), message, "count from 1, in the order of the source");
  }
  const anchor: Anchor = {
    function: name,
    of: of ?? "function",
    ...(number !== undefined && { number: Number(number) }),
  };
  return what(content, colon + 1, anchor, loc);
}

/** Length of the white space after the name. */
const gap = (head: string, name: string): number => {
  const behind = head.slice(head.indexOf(name) + name.length);
  return behind.length - behind.trimStart().length;
};

function what(
  content: string,
  from: number,
  anchor: Anchor,
  loc: (at: number) => Loc,
): Addition | Diagnostic {
  const start = from + content.slice(from).search(/\S|$/);
  const pragma = /^#\s*pragma\b/.exec(content.slice(start));
  const at = start + (pragma?.[0].length ?? 0);
  const text = content.slice(at).trimEnd();
  const wrong = wrongText(text);
  if (wrong) return malformed(loc(at + wrong.at), wrong.message, wrong.remedy);
  if (pragma) {
    const space = /^\s*(\w*)/.exec(text);
    if (!space?.[1] || !DIRECTIVE_NAMESPACES.includes(space[1]))
      return malformed(
        loc(at + text.search(/\S|$/)),
        space?.[1] ? `arc reads no directives of '${space[1]}'` : "this directive has no words",
        `write one of ${DIRECTIVE_NAMESPACES.join(", ")} behind #pragma`,
      );
    return { anchor, is: "directive", text, at: { location: loc(content.search(/\S/)), text: loc(at) } };
  }
  if (anchor.of === "function")
    return malformed(
      loc(start),
      "a function by itself has no directive that takes clauses",
      "name its region or loop, as in `FUNCTION region 1: CLAUSES`, or write a whole directive: `#pragma ...`",
    );
  if (!/^[A-Za-z_]/.test(text))
    return malformed(loc(start), "here clauses are expected, or `#pragma` and a directive", SHAPE);
  return { anchor, is: "clauses", text, at: { location: loc(content.search(/\S/)), text: loc(start) } };
}

interface Wrong {
  readonly at: number;
  readonly message: string;
  readonly remedy: string;
}

/** Text that would affect more than the line that it is inserted into. */
function wrongText(text: string): Wrong | undefined {
  const open: number[] = [];
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    if (piece === "/*")
      return { at: index, message: "this comment does not end in its line", remedy: "write `*/` behind it" };
    if (piece === '"' || piece === "'")
      return {
        at: index,
        message: "this literal does not end in its line",
        remedy: `close it with ${piece}`,
      };
    if (piece === "(") open.push(index);
    if (piece === ")" && open.pop() === undefined)
      return { at: index, message: "this parenthesis closes nothing", remedy: "remove it" };
  }
  const last = open.pop();
  if (last !== undefined)
    return { at: last, message: "this parenthesis is not closed", remedy: "close it with `)`" };
  if (!text.endsWith("\\")) return undefined;
  const message = "an entry does not go on in the next line";
  return { at: text.length - 1, message, remedy: "write it on one line, however long" };
}

const PIECE = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/\*.*?\*\/|\/\/|\/\*|./g;

function withoutComment(line: string): string {
  for (const { 0: piece, index } of line.matchAll(PIECE)) if (piece === "//") return line.slice(0, index);
  return line.replace(/\r$/, "");
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

const malformed = (loc: Loc, message: string, remedy: string): Diagnostic => ({
  severity: "error",
  code: "directive-file",
  message,
  loc,
  remedy,
});
