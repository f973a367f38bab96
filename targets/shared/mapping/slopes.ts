/**
 * How far apart neighbouring iterations of a loop access memory where subscripts are not affine: what does not depend on
 * the loop's variable counts as constant, even if it is loaded (`x[col[k] * d + c]` steps by one element along `c`).
 */
import { isArray } from "../../../core/ir/analysis/access.ts";
import { asNode } from "../../../core/ir/model/ir.ts";
import { evaluateInteger, walkExpr, walkStmt } from "../../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { stripImplicit } from "../../../core/lang/tree/build.ts";

/** Variables whose values in `body` depend on `along`, and `along` itself. Values that pass through memory do not count. */
export function dependents(body: Stmt, along: Symbol): ReadonlySet<Symbol> {
  const sources: [Symbol, readonly Expr[]][] = [];
  walkStmt(body, {
    stmt(s) {
      for (const { sym, init } of s.kind === "decl" ? s.decls : [])
        if (init?.kind === "expr") sources.push([sym, [init.expr]]);
      for (const header of asNode(s, "loop")?.headers ?? []) sources.push([header.var, [header.lower]]);
    },
    expr(e) {
      if (e.kind !== "assign") return;
      const target = stripImplicit(e.left);
      if (target.kind === "ident") sources.push([target.sym, [e.right]]);
    },
  });
  const found = new Set([along]);
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const [sym, values] of sources) if (values.some((value) => mentions(value, found))) found.add(sym);
  }
  return found;
}

/** Whether an expression names one of the variables. */
export function mentions(e: Expr, symbols: ReadonlySet<Symbol>): boolean {
  let found = false;
  walkExpr(e, {
    expr(sub) {
      found ||= sub.kind === "ident" && symbols.has(sub.sym);
    },
  });
  return found;
}

interface Distance {
  /** Elements; infinite: whole rows, or a number that variables determine. */
  readonly by: number;
  /** Elements of an array of records, of which a field is used. */
  readonly records: boolean;
}

const FAR: Distance = { by: Number.POSITIVE_INFINITY, records: false };

/** The distance of an access along `along`; undefined: unknown. `depending`: see `dependents`. */
export function distanceOf(
  access: Expr,
  along: Symbol,
  depending: ReadonlySet<Symbol>,
): Distance | undefined {
  const e = stripImplicit(access);
  if (!mentions(e, depending)) return { by: 0, records: false };
  if (e.kind === "member" && !e.arrow) {
    const record = distanceOf(e.base, along, depending);
    return record && { ...record, records: record.by > 0 };
  }
  const pointer = e.kind === "unary" && e.op === "*" ? e.arg : undefined;
  const subscript = e.kind === "index" ? e.index : pointer;
  if (!subscript) return undefined;
  const base = e.kind === "index" ? stripImplicit(e.base) : undefined;
  const around = base && isArray(base) ? distanceOf(base, along, depending) : undefined;
  if (base && isArray(base) && (!around || around.by > 0)) return around && FAR;
  if (base && !isArray(base) && mentions(base, depending)) return undefined;
  const by = slope(subscript, along, depending);
  return by === undefined ? undefined : { by: Math.abs(by), records: false };
}

/** How much a value grows from one iteration to the next. */
function slope(value: Expr, along: Symbol, depending: ReadonlySet<Symbol>): number | undefined {
  const e = stripImplicit(value);
  if (!mentions(e, depending)) return 0;
  if (e.kind === "ident") return e.sym === along ? 1 : undefined;
  if (e.kind === "cast") return slope(e.arg, along, depending);
  if (e.kind !== "binary" || !["+", "-", "*"].includes(e.op)) return undefined;
  const [a, b] = [slope(e.left, along, depending), slope(e.right, along, depending)];
  if (a === undefined || b === undefined) return undefined;
  if (e.op === "+") return a + b;
  if (e.op === "-") return a - b;
  const [factor, grows] = a === 0 ? [e.left, b] : [e.right, a];
  if (a !== 0 && b !== 0) return undefined;
  const times = evaluateInteger(factor);
  if (times === 0n) return 0;
  return times === undefined ? Number.POSITIVE_INFINITY : Number(times) * grows;
}
