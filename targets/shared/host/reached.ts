/**
 * What the clauses of a target task read from memory, read when the program reaches the construct: the program may
 * have changed it when the task runs.
 *
 *     update from(s->a[0:s->n]) nowait  =>  { __typeof__(s->a) arc_reached = s->a; __typeof__(s->n) ... = s->n;
 *     swap(&s->a, &s->b);                     #pragma omp task firstprivate(arc_reached, ...)
 *                                             update from(arc_reached[0:...]) }
 */
import { isArray } from "../../../core/ir/analysis/access.ts";
import type { DataItem, DataMove, Task } from "../../../core/ir/model/ir.ts";
import { canonical, printExpr, walkExpr } from "../../../core/lang/index.ts";
import type { Expr, Symbol } from "../../../core/lang/tree/ast.ts";
import { freshSymbol, ident, stripImplicit } from "../../../core/lang/tree/build.ts";
import type { HostNames } from "./host-names.ts";

/** What becomes of the parts that lead to an object, like `s`, `i` and `t` of `(*s).rows[i].length` and `t.length`. */
interface PathMapper {
  /** A pointer, or an array, whose target the object is a part of. */
  pointer(e: Expr): Expr;
  subscript(e: Expr): Expr;
  /** What the object is a part of, reached without a pointer. */
  root(e: Expr): Expr;
}

export function mapPath(object: Expr, mapper: PathMapper): Expr {
  const e = stripImplicit(object);
  if (e.kind === "cast") return { ...e, arg: mapPath(e.arg, mapper) };
  if (e.kind === "member") return { ...e, base: e.arrow ? mapper.pointer(e.base) : mapPath(e.base, mapper) };
  if (e.kind === "index") return { ...e, base: mapper.pointer(e.base), index: mapper.subscript(e.index) };
  return e.kind === "unary" && e.op === "*" ? { ...e, arg: mapper.pointer(e.arg) } : mapper.root(e);
}

/** An item whose object is a copy of a pointer. */
export interface ReachedItem extends DataItem {
  /** The pointer itself, which may have a copy on the device. */
  readonly original?: Expr;
}

interface Reached<N> {
  readonly node: N;
  /** Declarations in front of the task. */
  readonly before: readonly string[];
  readonly variables: readonly Symbol[];
}

export function reached<N extends Task | DataMove>(n: N, names: HostNames): Reached<N> {
  const reading = new Reading(n.condition, names);
  const items = n.items.map((item) => reading.item(item));
  if (reading.variables.length === 0) return { node: n, before: [], variables: [] };
  const { before, variables, condition } = reading;
  return { node: { ...n, items, ...(condition && { condition }) }, before, variables };
}

class Reading {
  readonly before: string[] = [];
  readonly variables: Symbol[] = [];
  /** What the clause `if` says at that moment. Where it does not hold, pointers may lead nowhere. */
  private known: Expr | undefined;
  private readonly asked: Expr | undefined;
  private readonly names: HostNames;

  constructor(condition: Expr | undefined, names: HostNames) {
    this.asked = condition;
    this.names = names;
  }

  get condition(): Expr | undefined {
    return this.known;
  }

  item(item: DataItem): ReachedItem {
    const section = item.section.map((dim) => ({
      ...dim,
      ...(dim.start && { start: this.value(dim.start) }),
      ...(dim.length && { length: this.value(dim.length) }),
    }));
    if (stripImplicit(item.object).kind === "ident") return { ...item, section };
    const original = this.place(item.object);
    const isPointer = canonical(item.object.type).kind === "pointer" && section.length > 0;
    return isPointer
      ? { ...item, section, object: this.value(item.object), original }
      : { ...item, section, object: original };
  }

  /** The same object, whose place no longer depends on pointers in memory. */
  private place(object: Expr): Expr {
    return mapPath(object, {
      pointer: (e) => this.pointer(e),
      subscript: (e) => this.value(e),
      root: (e) => e,
    });
  }

  private pointer(e: Expr): Expr {
    const plain = stripImplicit(e);
    return isArray(plain) ? this.place(plain) : this.value(plain);
  }

  /** A variable with the value, if it is one that memory holds. */
  private value(e: Expr): Expr {
    if (!readsMemory(e)) return e;
    const condition = this.holds();
    const sym = freshSymbol(this.names(`reached${this.variables.length}`), e.type);
    const text = printExpr(e);
    this.declare(sym, `__typeof__(${text})`, condition ? `${printExpr(condition)} ? ${text} : 0` : text);
    return ident(sym);
  }

  private holds(): Expr | undefined {
    if (this.asked === undefined || this.known) return this.known;
    const sym = freshSymbol(this.names("holds"), { kind: "int", name: "int" });
    this.declare(sym, "const int", `(${printExpr(this.asked)}) != 0`);
    this.known = ident(sym);
    return this.known;
  }

  private declare(sym: Symbol, type: string, value: string): void {
    this.variables.push(sym);
    this.before.push(`${type} ${sym.name} = ${value};`);
  }
}

function readsMemory(e: Expr): boolean {
  let found = false;
  walkExpr(e, {
    expr: (part) => {
      if (part.kind === "sizeof" || part.kind === "alignof") return false;
      found ||= part.kind === "member" || part.kind === "index" || (part.kind === "unary" && part.op === "*");
      return !found;
    },
  });
  return found;
}
