/**
 * `dispatch`: the call in its statement becomes a call of the matching variant (OpenMP 5.2, section 7.6), and arguments
 * that must be device pointers are translated.
 *
 *     #pragma omp dispatch               #pragma omp target data use_device_ptr(a)
 *     r = f(a, n);                 =>    r = f_of_device(a, n);
 */
import { itemAt } from "../../../checked/access.ts";
import { evaluateInteger, mapExpr, mapStmt } from "../../../lang/index.ts";
import type { Diagnostic, Expr, Pragma, PragmaToken, Stmt } from "../../../lang/tree/ast.ts";
import { compound, ident, ifStmt, stripImplicit } from "../../../lang/tree/build.ts";
import { DirectiveParser, parsed } from "../../directives/parser.ts";
import type { Context } from "./context.ts";
import { interopOf } from "./interop.ts";
import type { Variant, Variants } from "./variants.ts";

const isDispatch = ({ tokens }: Pragma): boolean =>
  tokens[0]?.text === "omp" && tokens[1]?.text === "dispatch";

/** The statement without the directive, if it has one. */
export function dispatched(
  s: Stmt,
  variants: Variants,
  context: Context,
  complain: (found: Diagnostic) => void,
): Stmt | undefined {
  const pragma = s.pragmas?.find(isDispatch);
  if (!pragma || s.kind !== "expr" || !s.expr) return undefined;
  const { pragmas = [], ...rest } = s;
  const others = pragmas.filter((p) => p !== pragma);
  const plain: Stmt = others.length > 0 ? { ...rest, pragmas: others } : rest;
  const { directive: clauses, diagnostics } = parsed((found) => new DispatchParser(pragma, found).parse());
  diagnostics.forEach(complain);
  if (!clauses) return plain;
  const within = (constructs: Context["constructs"]): Stmt => {
    const chosen = called(plain, { pragma, clauses, variants }, { ...context, constructs }, complain);
    if (!chosen) return plain;
    const moved = context.device ? [] : chosen.onDevice.filter((name) => !clauses.isDevice.includes(name));
    return moved.length > 0 ? { ...chosen.s, pragmas: [...others, useDevice(pragma, moved)] } : chosen.s;
  };
  const adjusted = within([...context.constructs, "dispatch"]);
  const alone = clauses.nocontext
    ? either(clauses.nocontext, within(context.constructs), adjusted)
    : adjusted;
  return clauses.novariants ? either(clauses.novariants, plain, alone) : alone;
}

/** A condition known at compile time needs no test at run time. */
function either(condition: Expr, then: Stmt, other: Stmt): Stmt {
  const known = evaluateInteger(condition);
  if (known !== undefined) return known === 0n ? other : then;
  return then === other
    ? then
    : { ...ifStmt(condition, compound([then]), compound([other])), span: then.span };
}

interface DispatchClauses {
  /** If it holds, the base function is called. */
  readonly novariants?: Expr;
  /**
   * If it holds, the construct does not add `dispatch` to the context, so that no variant for `construct={dispatch}`
   * matches.
   */
  readonly nocontext?: Expr;
  /** Interop objects to pass instead of those that `append_args` would create. */
  readonly interops: readonly Expr[];
  readonly isDevice: readonly string[];
}

const refusals: Readonly<Record<string, string>> = {
  depend: "write '#pragma omp taskwait depend(...)' before it",
  device: "call omp_set_default_device before it",
};

class DispatchParser extends DirectiveParser {
  /** "dispatch" { "novariants" "(" e ")" | "nocontext" "(" e ")" | "interop" "(" list ")" | "is_device_ptr" "(" list ")" | "nowait" } */
  parse(): DispatchClauses {
    this.p.next();
    const conditions: { novariants?: Expr; nocontext?: Expr } = {};
    const interops: Expr[] = [];
    const isDevice: string[] = [];
    while (!this.p.atEnd()) {
      this.p.accept(",");
      const { loc } = this.p;
      const clause = this.p.next()?.text ?? "";
      if (clause === "nowait") continue;
      if (clause in refusals)
        this.refuse(
          "unsupported-clause",
          loc,
          `'${clause}' of 'dispatch' is not honoured (OpenMP 5.2, section 7.6)`,
          refusals[clause],
        );
      if (!["novariants", "nocontext", "interop", "is_device_ptr"].includes(clause))
        this.refuse("unknown-clause", loc, `'${clause}' is not a clause of 'dispatch'`, "leave it out");
      const from = this.p.position;
      if (clause === "novariants" || clause === "nocontext") {
        this.p.accept("(");
        conditions[clause] = this.expr();
        this.closes(clause);
        continue;
      }
      if (clause === "interop") {
        this.p.accept("(");
        interops.push(...this.list(() => this.expr()));
        this.closes(clause);
        continue;
      }
      this.skipArgument();
      const inside = this.tokens.slice(from, this.p.position).filter((t) => t.kind === "ident");
      if (clause === "is_device_ptr") isDevice.push(...inside.map((t) => t.text));
    }
    return { isDevice, interops, ...conditions };
  }
}

/** The statement with the variant's call, and the variables whose device addresses it needs. */
function called(
  s: Stmt,
  {
    pragma,
    clauses,
    variants,
  }: { readonly pragma: Pragma; readonly clauses: DispatchClauses; readonly variants: Variants },
  context: Context,
  complain: (found: Diagnostic) => void,
): { readonly s: Stmt; readonly onDevice: readonly string[] } | undefined {
  let onDevice: readonly string[] | undefined;
  const refuse = (message: string, remedy: string): void =>
    complain({
      severity: "error",
      code: "dispatch-interop",
      loc: pragma.tokens[1]?.loc ?? pragma.span.start,
      message,
      remedy,
    });
  const appended = ({ interops }: Variant): readonly Expr[] => {
    if (context.device && interops.length > 0)
      refuse(
        "the variant wants an interop object, which only code of the host has (OpenMP 5.2, section 14.1)",
        "write 'dispatch' outside of the region",
      );
    const objects = interops.map((works, i) => clauses.interops[i] ?? interopOf(pragma, undefined, works));
    if (objects.includes(undefined))
      refuse("'append_args' needs the declarations of <omp.h>", "include <omp.h>");
    return objects.flatMap((one) => one ?? []);
  };
  const dispatched = mapStmt(s, {
    expr: (e) => {
      const callee = e.kind === "call" ? stripImplicit(e.callee) : undefined;
      const found = callee?.kind === "ident" ? variants.meant(callee.sym, context) : undefined;
      if (callee?.kind === "ident" && context.device && variants.differs(callee.sym, context))
        refuse(
          `which variant of '${callee.sym.name}' 'dispatch' means here depends on the image`,
          "leave 'dispatch' out: calls of regions have the variant of their image without it",
        );
      if (e.kind !== "call" || callee?.kind !== "ident" || !found || onDevice) return e;
      const params = callee.sym.definition?.params ?? found.variant.definition?.params ?? [];
      onDevice = params.flatMap((param, i) => {
        if (!found.onDevice.includes(param.name)) return [];
        const given = e.args[i];
        const arg = given && stripImplicit(given);
        if (arg?.kind === "ident") return [arg.sym.name];
        complain({
          severity: "error",
          code: "dispatch-argument",
          loc: e.span.start,
          message: `'${param.name}' is to be a place on the device, and this argument is no variable`,
          remedy: "give the pointer a name in front of 'dispatch'",
        });
        return [];
      });
      const to = mapExpr(e.callee, {
        expr: (part) =>
          part.kind === "ident" && part.sym === callee.sym ? ident(found.variant, part.span) : part,
      });
      return { ...e, callee: to, args: [...e.args, ...appended(found)] };
    },
  });
  return onDevice && { s: dispatched, onDevice };
}

function useDevice(pragma: Pragma, names: readonly string[]): Pragma {
  const { loc } = itemAt(pragma.tokens, 1);
  const token = (text: string): PragmaToken => ({ kind: /^\w/.test(text) ? "ident" : "punct", text, loc });
  const list = names.flatMap((name, i) => (i > 0 ? [",", name] : [name]));
  const texts = ["omp", "target", "data", "use_device_ptr", "(", ...list, ")"];
  return { ...pragma, tokens: texts.map(token) };
}
