/**
 * How far apart neighbouring iterations of a loop access memory where subscripts are not affine: what does not depend on
 * the loop's variable counts as constant, even if it is loaded (`x[col[k] * d + c]` steps by one element along `c`).
 */
import { isArray, usesOf } from "../../../core/ir/analysis/access.ts";
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

/** How a body follows one loop's variable. */
export interface Following {
  readonly along: Symbol;
  /** Variables whose values depend on `along`, and `along` itself. */
  readonly depending: ReadonlySet<Symbol>;
  /** What variables that keep their first values are: `int left = (i + n - 1) % n;`. */
  readonly values: ReadonlyMap<Symbol, Expr>;
}

export function following(body: Stmt, along: Symbol): Following {
  const values = new Map<Symbol, Expr>();
  const { of } = usesOf(body);
  walkStmt(body, {
    stmt(s) {
      for (const { sym, init } of s.kind === "decl" ? s.decls : []) {
        const use = of.get(sym);
        const keeps = !use?.written && !use?.addressTaken;
        if (init?.kind === "expr" && keeps && !mentions(init.expr, new Set([sym])))
          values.set(sym, init.expr);
      }
    },
  });
  return { along, depending: dependents(body, along), values };
}

interface Distance {
  /** Elements; infinite: whole rows, or a number that variables determine. */
  readonly by: number;
  /** Elements of an array of records, of which a field is used. */
  readonly records: boolean;
}

const FAR: Distance = { by: Number.POSITIVE_INFINITY, records: false };

/** The distance of an access in neighbouring iterations; undefined: unknown. */
export function distanceOf(access: Expr, of: Following): Distance | undefined {
  const e = stripImplicit(access);
  const { depending } = of;
  if (!mentions(e, depending)) return { by: 0, records: false };
  if (e.kind === "member" && !e.arrow) {
    const record = distanceOf(e.base, of);
    return record && { ...record, records: record.by > 0 };
  }
  const pointer = e.kind === "unary" && e.op === "*" ? e.arg : undefined;
  const subscript = e.kind === "index" ? e.index : pointer;
  if (!subscript) return undefined;
  const base = e.kind === "index" ? stripImplicit(e.base) : undefined;
  const around = base && isArray(base) ? distanceOf(base, of) : undefined;
  if (base && isArray(base) && (!around || around.by > 0)) return around && FAR;
  if (base && !isArray(base) && mentions(base, depending)) return undefined;
  const by = slope(subscript, of);
  return by === undefined ? undefined : { by: Math.abs(by), records: false };
}

/** How much a value grows from one iteration to most of the next ones: where it wraps around, or jumps, counts as few. */
function slope(value: Expr, of: Following): number | undefined {
  const e = stripImplicit(value);
  if (!mentions(e, of.depending)) return 0;
  switch (e.kind) {
    case "ident": {
      const known = of.values.get(e.sym);
      return e.sym === of.along ? 1 : known && slope(known, of);
    }
    case "cast":
      return slope(e.arg, of);
    case "cond": {
      const arms = [e.then ?? e.test, e.else].map((arm) => slope(arm, of));
      return arms.reduce((a, b) => (a === undefined || b === undefined ? undefined : steeper(a, b)));
    }
    case "binary":
      return slopeOf(e, slope(e.left, of), slope(e.right, of));
    default:
      return undefined;
  }
}

/** Of `i > 0 ? i - 1 : n - 1`, that of the arm which most iterations take. */
const steeper = (a: number, b: number): number => (Math.abs(a) >= Math.abs(b) ? a : b);

function slopeOf(
  { op, left, right }: Expr & { readonly kind: "binary" },
  a: number | undefined,
  b: number | undefined,
): number | undefined {
  if (a === undefined || b === undefined) return undefined;
  if (op === "+") return a + b;
  if (op === "-") return a - b;
  if (op === "*") {
    if (a !== 0 && b !== 0) return undefined;
    return a === 0 ? multiplied(b, left) : multiplied(a, right);
  }
  if (b !== 0) return undefined;
  if (op === "%") return a;
  const known = evaluateInteger(right);
  if (known === undefined) return undefined;
  const number = Number(known);
  if (op === "<<") return a * 2 ** number;
  if (op === ">>") return a / 2 ** number;
  return op === "/" && number !== 0 ? a / number : undefined;
}

function multiplied(grows: number, factor: Expr): number {
  const times = evaluateInteger(factor);
  if (times === 0n) return 0;
  return times === undefined ? Number.POSITIVE_INFINITY : Number(times) * grows;
}
