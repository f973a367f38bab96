/**
 * The directive `allocate` with `align` (OpenMP 5.2, section 6.6): an attribute of the variables' declarations.
 *
 *     float a[8];                                       float a[8] __attribute__((aligned(64)));
 *     #pragma omp allocate(a) align(64)           =>
 */
import { evaluateInteger, mapStmt, withBody } from "../../../lang/index.ts";
import type {
  Attribute,
  Declarator,
  Diagnostic,
  Expr,
  External,
  Loc,
  Pragma,
  Symbol,
} from "../../../lang/tree/ast.ts";
import { DirectiveParser, parsed } from "../../directives/parser.ts";

/** The alignments that pragmas ask for, by variable. */
export function alignments(
  pragmas: readonly Pragma[],
  complain: (found: Diagnostic) => void,
): ReadonlyMap<Symbol, bigint> {
  const found = new Map<Symbol, bigint>();
  for (const pragma of pragmas) {
    const [space, name] = pragma.tokens;
    if (space?.text !== "omp" || name?.text !== "allocate") continue;
    const { directive, diagnostics } = parsed((list) => new AllocateParser(pragma, list).parse());
    for (const problem of diagnostics) complain(problem);
    for (const { sym, align, loc } of directive ?? []) {
      if (sym.kind === "param")
        complain({
          severity: "error",
          code: "allocate-parameter",
          loc,
          message: `'${sym.name}' is a parameter, whose place its caller chooses`,
          remedy: "copy it to a variable, and allocate that",
        });
      else found.set(sym, align);
    }
  }
  return found;
}

interface Aligned {
  readonly sym: Symbol;
  readonly align: bigint;
  readonly loc: Loc;
}

class AllocateParser extends DirectiveParser {
  /** "allocate" "(" list ")" { clause "(" expression ")" } */
  parse(): readonly Aligned[] {
    this.p.next();
    if (!this.tokens.some(({ text }) => text === "align")) return [];
    this.p.accept("(");
    const named: { readonly sym: Symbol; readonly loc: Loc }[] = [];
    do {
      const { loc } = this.p;
      const { sym } = this.variable();
      named.push({ sym, loc });
    } while (this.p.accept(","));
    this.p.accept(")");
    let align: bigint | undefined;
    while (!this.p.atEnd()) {
      const { loc } = this.p;
      const clause = this.p.next()?.text;
      if (!this.p.accept("(")) continue;
      const value: Expr = this.expr();
      this.p.accept(")");
      if (clause !== "align") continue;
      align = evaluateInteger(value);
      if (align === undefined || align <= 0n || (align & (align - 1n)) !== 0n)
        return this.refuse(
          "allocate-align",
          loc,
          "the alignment is not a power of two that is known when the program is compiled",
          "write a number: align(64)",
        );
    }
    return align === undefined ? [] : named.map((one) => ({ ...one, align }));
  }
}

/** The declarations with those alignments. */
export function withAlignments(e: External, of: ReadonlyMap<Symbol, bigint>): External {
  const aligned = (d: Declarator): Declarator => {
    const align = of.get(d.sym);
    if (align === undefined) return d;
    const spec = d.declared ?? d.sym;
    const attribute: Attribute = { name: "aligned", args: `${align}`, value: Number(align) };
    const { type, storage, threadLocal, asmLabel } = spec;
    return {
      ...d,
      declared: {
        type,
        storage,
        ...(threadLocal && { threadLocal }),
        ...(asmLabel !== undefined && { asmLabel }),
        attrs: [...(spec.attrs ?? []), attribute],
      },
    };
  };
  if (e.kind === "decl") return { ...e, decls: e.decls.map(aligned) };
  if (e.kind !== "function") return e;
  const body = mapStmt(e.body, {
    stmt: (s) =>
      s.kind === "decl" && s.decls.some((d) => of.has(d.sym)) ? { ...s, decls: s.decls.map(aligned) } : s,
  });
  return withBody(e, body);
}
