/** Finds every directive of a language in a unit, in source order, with its extent in the text. */

import { directives as accDirectives } from "../../ir/acc/grammar.ts";
import { parseDirective as parseAcc } from "../../ir/acc/parse.ts";
import type { Clause, Directive, Extent } from "../../ir/directives/directive.ts";
import { deviceFunctions } from "../../ir/omp/device-functions.ts";
import { parseDirective as parseOmp, ruleOf } from "../../ir/omp/directive/parse.ts";
import { variantsOf } from "../../ir/omp/selectors/variants.ts";
import { mapChildren, rawExtents, rawSpan } from "../../lang/index.ts";
import type { Diagnostic, External, FunctionDef, Pragma, Stmt } from "../../lang/tree/ast.ts";
import type { Language, Source } from "../model/source.ts";
import { marginAt, namesIn } from "../text/scan.ts";
import { writtenOf } from "../text/written.ts";
import { type Lengths, lengthsOf, withLengths } from "./lengths.ts";
import type { Site } from "./site.ts";

interface Sites {
  readonly sites: readonly Site[];
  readonly diagnostics: readonly Diagnostic[];
}

export function sitesOf(source: Source, from: Language): Sites {
  const finder = new Finder(source, from);
  finder.unit();
  return finder;
}

interface Context {
  readonly around: readonly Site[];
  readonly function?: FunctionDef;
  readonly inBlock: boolean;
}

class Finder implements Sites {
  readonly sites: Site[] = [];
  readonly diagnostics: Diagnostic[] = [];
  private readonly source: Source;
  private readonly from: Language;
  private readonly hasTargetTasks: boolean;
  private readonly lengths: Lengths;
  private readonly onDevice: ReadonlySet<FunctionDef>;

  constructor(source: Source, from: Language) {
    this.source = source;
    this.from = from;
    const { unit } = source.parsed;
    this.lengths = from === "openacc" ? lengthsOf(source.program) : new Map();
    this.hasTargetTasks = namesIn(source.text).some(({ text }) => text === "nowait");
    this.onDevice = from === "openmp" ? deviceFunctions(unit, variantsOf(unit.externals, true)) : new Set();
  }

  unit(): void {
    const { externals } = this.source.parsed.unit;
    for (const [i, external] of externals.entries()) {
      if (external.kind === "pragma") {
        const next = externals.slice(i + 1).find((e) => e.kind !== "pragma");
        this.site(external, undefined, { around: [], inBlock: false }, true, next);
        continue;
      }
      if (external.kind !== "function") continue;
      for (const pragma of external.pragmas ?? [])
        this.site(pragma, undefined, { around: [], inBlock: false }, true, external);
      this.stmt(external.body, { around: [], function: external, inBlock: false });
    }
  }

  private stmt(s: Stmt, context: Context): void {
    let { around } = context;
    for (const [i, pragma] of (s.pragmas ?? []).entries()) {
      const site = this.site(pragma, s, { ...context, around }, i === 0);
      if (site && site.extent !== "standalone" && site.extent !== "declarative") around = [...around, site];
    }
    const inBlock = s.kind === "compound";
    mapChildren(s, (child) => {
      this.stmt(child, { ...context, around, inBlock });
      return child;
    });
  }

  private site(
    pragma: Pragma,
    stmt: Stmt | undefined,
    { around, function: def, inBlock }: Context,
    first: boolean,
    next?: External,
  ): Site | undefined {
    const directive = this.directive(pragma, around, def, stmt);
    if (!directive) return undefined;
    const { text, parsed, file, isBeside } = this.source;
    if (directive.loc.file !== file && pragma.added !== "directive" && isBeside?.(directive.loc.file))
      return undefined;
    const refuse = (code: string, why: string, remedy: string): undefined => {
      this.diagnostics.push({ severity: "error", code, loc: directive.loc, message: why, remedy });
      return undefined;
    };
    const isAdded = pragma.added === "directive";
    if (directive.loc.file !== file && !isAdded)
      return refuse(
        "directive-in-header",
        `'${directive.name}' stands in a file that '${file}' includes`,
        "name that file, too, among those to translate, or move the directive, and the code that it is for, into the source",
      );
    const extent = extentOf(this.from, directive);
    const applies = extent !== "standalone" && extent !== "declarative" ? stmt : undefined;
    const raw = rawExtents(text, parsed, pragma, applies);
    const textSpan = raw.pragma;
    if (!textSpan && isAdded)
      return refuse(
        "directive-in-header",
        `what '${directive.name}' is for stands in a macro, or in a file that '${file}' includes`,
        "write the directive where the code stands",
      );
    if (!textSpan)
      return refuse(
        "directive-in-macro",
        `'${directive.name}' comes out of a macro together with other code`,
        "write the directive where the macro is used, or expand the macro",
      );
    const own = text.slice(textSpan.start, textSpan.end);
    const written = writtenOf(own, pragma, directive.name, directive.clauses.length);
    if (!written)
      return refuse(
        "directive-of-macros",
        `what macros stand for in '${directive.name}' cannot be told apart`,
        "write the names of its clauses out",
      );
    const nextSpan = next && "span" in next ? rawSpan(text, parsed, next.span) : undefined;
    const site: Site = {
      ...withLengths(directive, written, this.lengths.get(pragma)),
      extent,
      textSpan,
      operator: !isAdded && !/^(#|%:)/.test(own),
      ...(isAdded && { added: true }),
      indent:
        (isAdded ? marginAt(text, textSpan.start) : /[ \t]*$/.exec(text.slice(0, textSpan.start))?.[0]) ?? "",
      ...(applies && { stmt: applies }),
      ...(raw.stmt && { stmtSpan: raw.stmt }),
      around,
      free: first && inBlock,
      ...(def && { function: def }),
      ...(next && { next }),
      ...(nextSpan && { nextSpan }),
    };
    this.sites.push(site);
    return site;
  }

  /**
   * If regions are tasks of the host, `taskwait` waits for them; other ways of ordering them are refused, and tasks that
   * regions make.
   */
  private task(pragma: Pragma, stmt: Stmt | undefined, inRegion: boolean): Directive | undefined {
    if (inRegion) {
      const { loc, name } = hostTask(pragma, pragma.tokens[1]?.text ?? "");
      this.diagnostics.push({
        severity: "error",
        code: "not-translatable",
        loc,
        message: `'${name}' in code of a region has no counterpart in OpenACC`,
        remedy: "share the work out by loops",
      });
      return undefined;
    }
    if (!this.hasTargetTasks) return undefined;
    const name = pragma.tokens[1]?.text ?? "";
    const directive = hostTask(pragma, name);
    if (name === "taskwait" || isEmptyTask(directive, stmt)) return directive;
    if (name === "taskgroup" || directive.clauses.length > 0)
      this.diagnostics.push({
        severity: "error",
        code: "not-translatable",
        loc: directive.loc,
        message: `'${name}' of the host is ordered with target tasks, which OpenACC has on queues of their own`,
        remedy: "wait for the target tasks with 'taskwait' before it",
      });
    return undefined;
  }

  /** Errors from reading the unit are not repeated. */
  private directive(
    pragma: Pragma,
    around: readonly Site[],
    def: FunctionDef | undefined,
    stmt: Stmt | undefined,
  ): Directive | undefined {
    const space = pragma.tokens[0]?.text;
    if (this.from === "openacc") return space === "acc" ? parseAcc(pragma).directive : undefined;
    if (space !== "omp") return undefined;
    const words = pragma.tokens
      .slice(1, 3)
      .map((t) => t.text)
      .join(" ");
    const inRegion = around.some((site) => ruleOf(site.directive)?.leaves[0] === "target");
    const ofDevice = /^(target|declare target|begin declare|end declare)\b/.test(words);
    if (words.startsWith("task"))
      return this.task(pragma, stmt, inRegion || (def !== undefined && this.onDevice.has(def)));
    if (!ofDevice && !inRegion && !(def && this.onDevice.has(def))) return undefined;
    return parseOmp(pragma).directive;
  }
}

/** A host directive that waits for target tasks, or is ordered with them. */
function hostTask(pragma: Pragma, name: string): Directive {
  const loc = pragma.tokens[1]?.loc ?? pragma.span.start;
  const clauses = pragma.tokens
    .filter((t) => t.text === "depend")
    .map((t): Clause => ({ name: "depend", loc: t.loc, vars: [], modifiers: [], exprs: [], names: [] }));
  return { name, clauses, loc, span: pragma.span, pragma };
}

/** A task that only orders other tasks: `task depend(in: a) depend(inout: b)` with an empty statement. */
function isEmptyTask({ name, clauses, pragma }: Directive, stmt: Stmt | undefined): boolean {
  if (name !== "task" || clauses.length === 0) return false;
  const isEmpty =
    (stmt?.kind === "expr" && !stmt.expr) || (stmt?.kind === "compound" && stmt.body.length === 0);
  let depth = 0;
  const words = pragma.tokens.slice(2).filter(({ text }) => {
    if (text === ")") depth--;
    const isOutside = depth === 0 && text !== "," && text !== ")" && text !== "(";
    if (text === "(") depth++;
    return isOutside;
  });
  return isEmpty && words.every(({ text }) => text === "depend");
}

function extentOf(from: Language, directive: Directive): Extent {
  if (directive.name === "taskwait") return "standalone";
  if (directive.name === "task") return "block";
  if (from === "openmp") return ruleOf(directive).extent;
  return accDirectives[directive.name]?.extent ?? "standalone";
}
