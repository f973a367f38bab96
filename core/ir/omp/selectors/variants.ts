/** `declare variant`: functions that replace others in a matching context (OpenMP 5.2, section 7.5). */

import { mapExpr, mapOwnExpressions, mapStmt } from "../../../lang/index.ts";
import type { Diagnostic, Expr, External, Loc, Pragma, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import { cond, ident, stripImplicit } from "../../../lang/tree/build.ts";
import { usesOf } from "../../analysis/access.ts";
import { parsed } from "../../directives/parser.ts";
import { type Context, ContextParser, inRegion, onHost, ranked, type Selected } from "./context.ts";

interface Declared {
  readonly variant: Symbol;
  readonly pragma: Pragma;
}

/** The replacement of a call. */
export interface Variant {
  readonly variant: Symbol;
  /** Parameters that receive device addresses: `adjust_args(need_device_ptr: ...)`. */
  readonly onDevice: readonly string[];
  /** Additional arguments, `append_args(interop(...))`: for each, whether work will be queued on it. */
  readonly interops: readonly boolean[];
}

interface Candidate extends Variant {
  readonly selected: Selected;
}

export class Variants {
  private readonly of = new Map<Symbol, Declared[]>();
  private readonly diagnostics: Diagnostic[] = [];
  private readonly honoured: boolean;
  /** Whether traits of a device choose any variant for calls of the host. */
  private chosenByTarget = false;
  /** Calls that stay for the images, or devices, for which no variant is selected. */
  private readonly settled = new WeakSet<Expr>();

  /** `honoured`: calls on the host are left to the C compiler, which reads the directives. */
  constructor(honoured: boolean) {
    this.honoured = honoured;
  }

  /** Adds a directive before `base`. */
  add(pragma: Pragma, base: Symbol | undefined): void {
    const { loc } = pragma.tokens[1] ?? { loc: pragma.span.start };
    const { directive: found, diagnostics } = parsed((list) => new VariantParser(pragma, list).parse(onHost));
    this.diagnostics.push(...diagnostics);
    if (!found) return;
    if (base?.kind !== "function") {
      this.complain(
        "variant-without-function",
        loc,
        "'declare variant' is not followed by a function",
        "write it directly before the function that the variant stands for",
      );
      return;
    }
    this.chosenByTarget ||= isByTarget(pragma);
    if (found.selected.holds && !found.selected.condition && !this.honoured)
      this.complain(
        "unsupported-directive",
        loc,
        `'declare variant' selects '${found.variant.name}' in code of the host, where arc leaves calls as they are`,
        `give -fopenmp, call '${found.variant.name}' there, or select by device={kind(nohost)} or construct={target}`,
      );
    this.of.set(base, [...(this.of.get(base) ?? []), { variant: found.variant, pragma }]);
  }

  /** Functions that may replace a function in regions. */
  onDevice(base: Symbol): readonly Symbol[] {
    const everywhere = { device: true, constructs: ["target", "teams", "parallel", "for", "simd"] };
    const found = this.ranked(base, everywhere);
    return (found.length > 0 ? found : this.ranked(base, inRegion)).map(({ variant }) => variant);
  }

  /** Replaces calls in a region's code by those selected there. */
  inCode(body: Stmt, context: Context): Stmt {
    if (this.of.size === 0) return body;
    return mapStmt(body, { expr: (e) => this.called(e, (base) => this.ranked(base, context)) });
  }

  /**
   * Replaces calls of host code, outside of the statements in a statement, by those that the device selects which the
   * program has then; undefined if there are none.
   */
  onHost(s: Stmt): Stmt | undefined {
    if (!this.chosenByTarget) return undefined;
    const found = mapOwnExpressions(s, (e) =>
      this.called(e, (base) => this.ranked(base, onHost).filter(({ selected }) => selected.condition)),
    );
    return found === s ? undefined : found;
  }

  private called(e: Expr, select: (base: Symbol) => readonly Candidate[]): Expr {
    const callee = e.kind === "call" ? stripImplicit(e.callee) : undefined;
    if (e.kind !== "call" || callee?.kind !== "ident" || this.settled.has(e)) return e;
    const of = (variant: Symbol): Expr => {
      const named = mapExpr(e.callee, {
        expr: (part) => (part.kind === "ident" && part.sym === callee.sym ? ident(variant, part.span) : part),
      });
      return { ...e, callee: named };
    };
    const found = select(callee.sym);
    // A node of its own: the same call may also stand under other directives.
    const plain = { ...e };
    this.settled.add(plain);
    // Each image has the call that its own traits select.
    return found.reduceRight<Expr>(
      (otherwise, { variant, selected: { condition } }) =>
        condition ? cond(condition.expr, of(variant), otherwise, e.span) : of(variant),
      found.length > 0 ? plain : e,
    );
  }

  /** The same code also runs on the host, so calls in functions that regions call cannot be replaced. */
  inFunction(body: Stmt): void {
    if (this.of.size === 0) return;
    for (const [base, at] of usesOf(body).calls)
      if (this.ranked(base, inRegion).length > 0)
        this.complain(
          "unsupported-directive",
          at.span.start,
          `a variant of '${base.name}' is selected in a function that regions call, which arc does not honour`,
          "call the variant itself, or write the call in the region",
        );
  }

  /** The variant for a call, whatever the image. */
  meant(base: Symbol, context: Context): Variant | undefined {
    return this.ranked(base, context).find(({ selected }) => !selected.condition);
  }

  /** Whether the variant for a call depends on the image. */
  differs(base: Symbol, context: Context): boolean {
    return this.ranked(base, context).some(({ selected }) => selected.condition !== undefined);
  }

  private ranked(base: Symbol, context: Context): readonly Candidate[] {
    const candidates = (this.of.get(base) ?? []).flatMap(({ pragma, variant }) => {
      const { directive, diagnostics } = parsed((list) => new VariantParser(pragma, list).parse(context));
      for (const d of diagnostics)
        if (!this.diagnostics.some((known) => known.loc === d.loc && known.code === d.code))
          this.diagnostics.push(d);
      return directive ? [{ ...directive, variant }] : [];
    });
    return ranked(candidates);
  }

  /** Diagnostics since the last call. */
  complaints(): readonly Diagnostic[] {
    return this.diagnostics.splice(0);
  }

  private complain(code: string, loc: Loc, message: string, remedy: string): void {
    this.diagnostics.push({ severity: "error", code, loc, message, remedy });
  }
}

/** A call of the host is chosen by traits that the C compiler is not asked for. */
export const isByTarget = ({ tokens }: Pragma): boolean =>
  tokens.some(({ text }) => text === "target_device");

export const isVariant = ({ tokens }: Pragma): boolean =>
  tokens[0]?.text === "omp" && tokens[1]?.text === "declare" && tokens[2]?.text === "variant";

export function variantsOf(externals: readonly External[], honoured: boolean): Variants {
  const variants = new Variants(honoured);
  for (const e of externals) {
    if (e.kind === "pragma" && isVariant(e)) variants.add(e, functionAfter(e, externals));
    const own = e.kind === "function" ? (e.pragmas ?? []).filter(isVariant) : [];
    for (const pragma of own) if (e.kind === "function") variants.add(pragma, e.sym);
  }
  return variants;
}

/** The function that a directive at file scope precedes. */
function functionAfter(pragma: Pragma, externals: readonly External[]): Symbol | undefined {
  const next = externals.slice(externals.indexOf(pragma) + 1).find((e) => e.kind !== "pragma");
  if (next?.kind === "function") return next.sym;
  return next?.kind === "decl" ? next.decls[0]?.sym : undefined;
}

class VariantParser extends ContextParser {
  /** "declare" "variant" "(" function ")" "match" "(" selector ")" */
  parse(context: Context): Candidate {
    this.p.next();
    this.p.next();
    this.punctuation("(");
    const { loc } = this.p;
    const name = this.word();
    this.closes("declare variant");
    const variant = this.pragma.scope.lookup(name);
    if (variant?.kind !== "function")
      this.refuse(
        "not-a-function",
        loc,
        `'${name}' is no function that is declared here`,
        "declare it before",
      );
    const clause = this.p.loc;
    const word = this.word();
    if (word !== "match")
      this.refuse("unsupported-clause", clause, `'${word}' is not honoured`, "write match(...) alone");
    this.punctuation("(");
    const selected = this.selector(context);
    this.closes("match");
    const onDevice: string[] = [];
    const interops: boolean[] = [];
    while (!this.p.atEnd()) {
      this.p.accept(",");
      const which = this.word(["adjust_args", "append_args"]);
      if (which === "adjust_args") onDevice.push(...this.adjusted());
      else interops.push(...this.appended());
    }
    return { variant, selected, onDevice, interops };
  }

  /** "(" "interop" "(" type { "," type } ")" { "," "interop" "(" ... ")" } ")" */
  private appended(): readonly boolean[] {
    this.punctuation("(");
    const found: boolean[] = [];
    do {
      this.word(["interop"]);
      const from = this.p.position;
      this.skipArgument();
      found.push(this.tokens.slice(from, this.p.position).some(({ text }) => text === "targetsync"));
    } while (this.p.accept(","));
    this.punctuation(")");
    return found;
  }

  /** "(" "need_device_ptr" | "nothing" ":" name { "," name } ")" */
  private adjusted(): readonly string[] {
    this.punctuation("(");
    const how = this.word(["need_device_ptr", "nothing"]);
    this.punctuation(":");
    const names: string[] = [];
    do names.push(this.word());
    while (this.p.accept(","));
    this.punctuation(")");
    return how === "nothing" ? [] : names;
  }
}
