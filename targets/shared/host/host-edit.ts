/**
 * Host code as the user's file with the source ranges of constructs replaced: includes, macros, comments and formatting
 * stay. `#line` preserves the user's line numbers.
 */

import { declaresTarget, isArcsAlone } from "../../../core/ir/model/host-threads.ts";
import type { Site } from "../../../core/ir/model/ir.ts";
import { hostDirective } from "../../../core/ir/omp/selectors/host-words.ts";
import {
  type Extent,
  hasInclude,
  lastingDirectives,
  mapChildren,
  type Parsed,
  printPragma,
  printStmt,
  rawExtents,
  rawSpan,
  registerWords,
  unbalancedConditionals,
  walkStmt,
} from "../../../core/lang/index.ts";
import type {
  Diagnostic,
  FunctionDef,
  Loc,
  Pragma,
  Span,
  Stmt,
  Symbol,
  TranslationUnit,
} from "../../../core/lang/tree/ast.ts";
import { EditedText } from "./edited-text.ts";
import { addressesIn, constructorText, type HostNode, hostText, preludeOf } from "./host-code.ts";
import type { HostNames } from "./host-names.ts";
import { hostLines, linesBefore } from "./host-unit.ts";
import type { OutlinedProgram } from "./task-outline.ts";

/** A construct that cannot be replaced in the text. Thrown and caught in this file. */
class Hidden extends Error {
  readonly loc: Loc;
  constructor(loc: Loc) {
    super();
    this.loc = loc;
  }
}

/**
 * The edited file, or the location of the construct that begins or ends inside a macro or another file. `readsOpenMp`:
 * the C compiler reads OpenMP's directives.
 */
export function editHostFile(
  outlined: OutlinedProgram,
  parsed: Parsed,
  original: string,
  names: HostNames,
  readsOpenMp: boolean,
): { text: string; diagnostics: readonly Diagnostic[] } | { hidden: Loc } {
  const { program } = outlined;
  const editor = new Editor(outlined, parsed, original, names);
  if (program.restated) return { hidden: program.restated };
  try {
    editor.declarations(readsOpenMp);
    for (const e of program.unit.externals) if (e.kind === "function") editor.function(e);
  } catch (problem) {
    if (!(problem instanceof Hidden)) throw problem;
    return { hidden: problem.loc };
  }
  const { diagnostics } = editor;
  const addresses = addressesIn(program);
  const text = [
    ...preludeOf(outlined),
    ...addresses.before,
    `#line 1 ${JSON.stringify(program.unit.file)}`,
    `${editor.text}`,
    ...addresses.behind,
    ...constructorText(program, names, diagnostics),
  ];
  return { text: `${text.join("\n").trimEnd()}\n`, diagnostics };
}

class Editor {
  readonly diagnostics: Diagnostic[] = [];
  readonly text: EditedText;
  private readonly file: string;
  private readonly parsed: Parsed;
  private readonly original: string;
  private readonly names: HostNames;
  private readonly outlined: OutlinedProgram;

  constructor(outlined: OutlinedProgram, parsed: Parsed, original: string, names: HostNames) {
    const { unit } = outlined.program;
    this.outlined = outlined;
    this.file = unit.file;
    this.text = new EditedText(original, unit.file);
    // C compilers take a byte order mark at the start of a file only, and lines come in front of it.
    if (original.startsWith("\ufeff")) this.text.erase(0, 1);
    this.parsed = parsed;
    this.original = original;
    this.names = names;
  }

  /**
   * The runtime implements `declare target`. Its pragmas are removed, since C compilers know only some forms and would
   * pair them wrongly.
   */
  declarations(readsOpenMp: boolean): void {
    const unread = this.outlined.program.unread ?? new Set<Pragma>();
    const isOutside = (pragma: Pragma): boolean => isArcsAlone(pragma) || unread.has(pragma);
    for (const pragma of pragmasOf(this.parsed.unit, isOutside)) {
      const isArcs = isOutside(pragma) || this.makesTasks(pragma);
      if (pragma.added === "directive") {
        if (!isArcs) this.stated(pragma);
        continue;
      }
      if (!isArcs) continue;
      if (pragma.span.start.file !== this.file) {
        // In a header. C compilers reject all but the plain form of `declare target`.
        const isPlain = declaresTarget(pragma) && pragma.tokens[1]?.text !== "begin";
        if (isPlain || !readsOpenMp) continue;
        throw new Hidden(pragma.span.start);
      }
      const textSpan = rawExtents(this.original, this.parsed, pragma).pragma;
      if (!textSpan) continue;
      this.text.erase(textSpan.start, textSpan.end);
      // Continuation lines stay, to preserve later line numbers.
      const lines = this.original.slice(textSpan.start, textSpan.end).split("\n").length - 1;
      if (lines > 0) this.text.insert(textSpan.end, "\n".repeat(lines));
    }
  }

  /** A directive for task functions was either read or reported. */
  private makesTasks({ tokens }: Pragma): boolean {
    const [space, name] = tokens.map((t) => t.text);
    return (space === "oss" || space === "omp") && (name === "task" || name === "target");
  }

  function({ body, span, sym, pragmas }: FunctionDef): void {
    const before = this.text.count;
    const statics = this.outlined.program.statics?.before.get(sym) ?? [];
    const lines = [
      ...statics.flatMap((s) => printStmt(s).split("\n")),
      ...linesBefore(this.outlined, sym, this.names, this.diagnostics),
    ];
    if (lines.length > 0) {
      const textSpan = span.start.file === this.file && rawSpan(this.original, this.parsed, span);
      // A directive for the C compiler is to stay in front of its function.
      const isApart =
        statics.length > 0 && pragmas?.some((p) => p.tokens[0]?.text === "omp" && !isArcsAlone(p));
      if (!textSpan || isApart) throw new Hidden(span.start);
      this.text.replace(textSpan.start, textSpan.start, lines);
    }
    this.visit(body);
    this.calls(body);
    if (this.text.count > before) this.makeAddressable(span);
  }

  /** Replaces calls of task functions by task creation. */
  private calls(body: Stmt): void {
    if (this.outlined.creators.size === 0) return;
    const calls: { readonly span: Span; readonly callee: Symbol; readonly name: string }[] = [];
    walkStmt(body, {
      stmt: (s) => s.kind !== "ext" || !(replaced.has(s.ext.kind) || isMade(s.ext as HostNode)),
      expr: (e) => {
        if (e.kind !== "call" || e.callee.kind !== "ident") return;
        const name = this.outlined.creators.get(e.callee.sym);
        if (name !== undefined) calls.push({ span: e.span, callee: e.callee.sym, name });
      },
    });
    calls.sort(({ span: { start: a } }, { span: { start: b } }) => a.line - b.line || a.col - b.col);
    let behind = 0;
    for (const { span, callee, name } of calls) {
      const isHere = span.start.file === this.file;
      const textSpan = isHere ? rawSpan(this.original, this.parsed, span, behind) : undefined;
      const end = (textSpan?.start ?? 0) + name.length;
      if (!textSpan || this.original.slice(textSpan.start, end) !== name) throw new Hidden(span.start);
      behind = end;
      this.text.insert(textSpan.start, callee.name);
      this.text.erase(textSpan.start, end);
    }
  }

  /** Regions receive addresses of variables, so `register` is removed. */
  private makeAddressable(span: Span): void {
    const words = registerWords(this.original, this.parsed, span);
    if (!words) throw new Hidden(span.start);
    for (const { start, end } of words) if (!this.text.isEdited(start)) this.text.erase(start, end);
  }

  /** What the C compiler is to read of a directive that the file has not, or has in part. */
  private stated(pragma: Pragma): void {
    if (pragma.tokens[0]?.text !== "omp") return;
    const textSpan = rawExtents(this.original, this.parsed, pragma).pragma;
    if (!textSpan) throw new Hidden(pragma.span.start);
    const text = hostDirective(pragma) ?? printPragma(pragma);
    const line = this.original.slice(this.original.lastIndexOf("\n", textSpan.start - 1) + 1, textSpan.start);
    this.text.replace(textSpan.start, textSpan.end, line.trim() === "" ? [text] : ["", text]);
  }

  /** Replaces a metadirective by the pragma that the C compiler should read. */
  private selected(s: Stmt): void {
    for (const pragma of s.pragmas ?? []) {
      if (pragma.added) {
        this.stated(pragma);
        continue;
      }
      const text = hostDirective(pragma);
      if (text === undefined) continue;
      const textSpan = rawExtents(this.original, this.parsed, pragma).pragma;
      if (!textSpan || pragma.span.start.file !== this.file) throw new Hidden(pragma.span.start);
      const lines = this.original.slice(textSpan.start, textSpan.end).split("\n").length - 1;
      this.text.erase(textSpan.start, textSpan.end);
      this.text.insert(textSpan.end, `${text}${"\n".repeat(lines)}`);
    }
  }

  visit = (s: Stmt): Stmt => {
    this.selected(s);
    if (s.kind !== "ext") return mapChildren(s, this.visit);
    const n = s.ext as HostNode;
    if (n.kind === "spmd") return s;
    // Loops and atomics of routines are C that the host runs unchanged.
    if (n.kind === "loop" || n.kind === "atomic" || n.kind === "cache") return mapChildren(s, this.visit);
    const place = this.placeOf(n.site);
    if ((n.kind === "data" && n.kernels) || isMade(n)) this.instead(place, this.withKernels(n));
    else this.construct(s, n, place);
    return s;
  };

  private placeOf({ pragma, stmt, loc }: Site): Place {
    // A directive that is added stands in front of its statement, whose place is that of the construct.
    if (!pragma || (loc.file !== this.file && pragma.added !== "directive")) throw new Hidden(loc);
    const raw = rawExtents(this.original, this.parsed, pragma, stmt);
    if (!raw.clean || !raw.pragma) throw new Hidden(loc);
    return { pragma: raw.pragma, stmt: raw.stmt, end: raw.stmt?.end ?? raw.pragma.end, loc };
  }

  private construct(s: Stmt, n: HostNode, place: Place): void {
    const { pragma, stmt, end } = place;
    let original: string | undefined;
    const asWritten = () => {
      original ??= this.written(place);
      return original;
    };
    const { before, after, replaces } = hostText(n, asWritten, this.names, this.diagnostics);
    if (replaces) return this.instead(place, before, original === undefined ? end : (stmt?.start ?? end));
    this.text.replace(pragma.start, pragma.end, before);
    const inside = this.text.count;
    mapChildren(s, this.visit);
    // After a replaced construct the line numbering is being restored.
    if (this.text.isEditedUpTo(end, inside)) this.text.replace(end, end, ["", ...after]);
    else if (after.length) this.text.insert(end, ` ${after.map((l) => l.trim()).join(" ")}`);
  }

  /** The statement's source text. */
  private written({ stmt, end, loc }: Place): string {
    if (!stmt) return "";
    const written = this.original.slice(stmt.start, end);
    // At another position it would open or close a conditional group of the file again.
    if (unbalancedConditionals(written).length > 0) throw new Hidden(loc);
    return written;
  }

  /**
   * Adds the preprocessor lines of the removed text, which ends at `gone`, that the rest of the file depends on. A
   * directive may be inside #if and its loop after #endif; a macro defined in a region may be used after it.
   */
  private instead({ pragma: { start }, end, loc }: Place, text: readonly string[], gone = end): void {
    if (hasInclude(this.original.slice(start, end))) throw new Hidden(loc);
    const lasting = lastingDirectives(this.original.slice(start, gone));
    this.text.replace(start, end, gone < end ? [...lasting, ...text] : [...text, ...lasting]);
  }

  /** A `kernels` construct that was split, with its parts in the data region around them; a loop of tasks. */
  private withKernels(n: HostNode): readonly string[] {
    const { names, diagnostics } = this;
    const lines = (body: Stmt) =>
      printStmt(body, {
        stmt: (c, print) =>
          c.kind === "ext" ? hostLines(c.ext as HostNode, print, names, diagnostics) : undefined,
      }).split("\n");
    return hostLines(n, lines, names, diagnostics);
  }
}

/** The pragmas of declarations and functions; of statements, those that are the runtime's or nobody's. */
function pragmasOf(
  { externals }: TranslationUnit,
  isOutside: (pragma: Pragma) => boolean,
): readonly Pragma[] {
  const found: Pragma[] = [];
  for (const e of externals) {
    if (e.kind === "pragma") found.push(e);
    if (e.kind !== "function") continue;
    found.push(...(e.pragmas ?? []));
    walkStmt(e.body, {
      stmt: (s) => void found.push(...(s.pragmas ?? []).filter(isOutside)),
      expr: () => false,
    });
  }
  return found;
}

/** Nodes that are replaced: their statements no longer appear in the file. */
const replaced: ReadonlySet<string> = new Set(["task", "task-creation"]);

const isMade = (n: HostNode): boolean =>
  (n.kind === "task-group" && n.made === true) || (n.kind === "host-data" && n.objects !== undefined);

/** The position of a construct in the file, and of its statement, if it has one. */
interface Place {
  readonly pragma: Extent;
  readonly stmt: Extent | undefined;
  readonly end: number;
  readonly loc: Loc;
}
