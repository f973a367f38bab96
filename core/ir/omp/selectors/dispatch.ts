/**
 * `dispatch`: the call in a statement is that of the variant for it (OpenMP 5.2, section 7.6), and arguments that need
 * places on the device are those there.
 *
 *     #pragma omp dispatch               #pragma omp target data use_device_ptr(a)
 *     r = f(a, n);                 =>    r = f_of_device(a, n);
 */
import { evaluateInteger, mapExpr, mapStmt } from "../../../lang/index.ts";
import type { Diagnostic, Expr, Pragma, PragmaToken, Stmt } from "../../../lang/tree/ast.ts";
import { compound, ident, ifStmt, stripImplicit } from "../../../lang/tree/build.ts";
import { DirectiveParser, parsed } from "../../directives/parser.ts";
import type { Context } from "./context.ts";
import type { Variants } from "./variants.ts";

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
  const { directive: said, diagnostics } = parsed((found) => new DispatchParser(pragma, found).parse());
  diagnostics.forEach(complain);
  if (!said) return plain;
  const chosen = called(
    plain,
    variants,
    { ...context, constructs: [...context.constructs, "dispatch"] },
    complain,
  );
  if (!chosen) return plain;
  const moved = context.device ? [] : chosen.onDevice.filter((name) => !said.isDevice.includes(name));
  const adjusted: Stmt =
    moved.length > 0 ? { ...chosen.s, pragmas: [...others, useDevice(pragma, moved)] } : chosen.s;
  const otherwise = said.novariants;
  const known = otherwise && evaluateInteger(otherwise);
  if (!otherwise || known === 0n) return adjusted;
  if (known !== undefined) return plain;
  return { ...ifStmt(otherwise, compound([plain]), compound([adjusted])), span: s.span };
}

interface Said {
  /** Where it holds, the function itself is called. */
  readonly novariants?: Expr;
  readonly isDevice: readonly string[];
}

class DispatchParser extends DirectiveParser {
  /** "dispatch" { "novariants" "(" e ")" | "is_device_ptr" "(" list ")" | "nowait" } */
  parse(): Said {
    this.p.next();
    let novariants: Expr | undefined;
    const isDevice: string[] = [];
    while (!this.p.atEnd()) {
      this.p.accept(",");
      const { loc } = this.p;
      const clause = this.p.next()?.text ?? "";
      if (clause === "nowait") continue;
      if (["nocontext", "depend", "device"].includes(clause))
        this.refuse(
          "unsupported-clause",
          loc,
          `'${clause}' of 'dispatch' is not honoured`,
          "leave it out, or call the variant by name",
        );
      if (!["novariants", "is_device_ptr"].includes(clause))
        this.refuse("unknown-clause", loc, `'${clause}' is not a clause of 'dispatch'`, "leave it out");
      const from = this.p.position;
      if (clause === "novariants") {
        this.p.accept("(");
        novariants = this.expr();
        this.closes(clause);
        continue;
      }
      this.skipArgument();
      const inside = this.tokens.slice(from, this.p.position).filter((t) => t.kind === "ident");
      if (clause === "is_device_ptr") isDevice.push(...inside.map((t) => t.text));
    }
    return { isDevice, ...(novariants && { novariants }) };
  }
}

/** The statement with the variant's call, and the variables that it wants on the device. */
function called(
  s: Stmt,
  variants: Variants,
  context: Context,
  complain: (found: Diagnostic) => void,
): { readonly s: Stmt; readonly onDevice: readonly string[] } | undefined {
  let onDevice: readonly string[] | undefined;
  const made = mapStmt(s, {
    expr: (e) => {
      const callee = e.kind === "call" ? stripImplicit(e.callee) : undefined;
      const found = callee?.kind === "ident" ? variants.meant(callee.sym, context) : undefined;
      if (e.kind !== "call" || callee?.kind !== "ident" || !found || onDevice) return e;
      const params = callee.sym.definition?.params ?? found.variant.definition?.params ?? [];
      onDevice = params.flatMap((param, i) => {
        if (!found.onDevice.includes(param.name)) return [];
        const arg = e.args[i] && stripImplicit(e.args[i] as Expr);
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
      return { ...e, callee: to };
    },
  });
  return onDevice && { s: made, onDevice };
}

function useDevice(pragma: Pragma, names: readonly string[]): Pragma {
  const { loc } = pragma.tokens[1] as PragmaToken;
  const token = (text: string): PragmaToken => ({ kind: /^\w/.test(text) ? "ident" : "punct", text, loc });
  const list = names.flatMap((name, i) => (i > 0 ? [",", name] : [name]));
  const texts = ["omp", "target", "data", "use_device_ptr", "(", ...list, ")"];
  return { ...pragma, tokens: texts.map(token) };
}
