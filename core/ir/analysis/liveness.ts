/**
 * Whether a variable is assigned before it is read, and whether it is read later, on the control flow graph of a piece
 * of code. Conservative: anything but an assignment of the whole variable counts as a read, and so does any mention
 * among unsequenced operands.
 */

import { evaluateInteger, walkExpr, walkType } from "../../lang/index.ts";
import type { BinaryOp, Expr, Init, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { binary, stripImplicit } from "../../lang/tree/build.ts";
import type { Atomic, IrNode, Loop } from "../model/ir.ts";

/** On every path through `body`, all of `sym` is assigned before it is read. */
export function definedFirst(body: Stmt, sym: Symbol): boolean {
  return !mayRead(new Graph(sym).stmt(body, end(), outermost()));
}

/** On some path from the end of `at`, a statement inside `body`, the value that `sym` has there is read. */
export function liveAfter(body: Stmt, at: Stmt, sym: Symbol): boolean {
  const graph = new Graph(sym, at);
  graph.stmt(body, end(), outermost());
  return graph.behind === undefined || mayRead(graph.behind);
}

/** A program point: what happens to the variable there, and its successors. */
interface Point {
  does: "nothing" | "read" | "write";
  next: Point[];
}

const point = (does: Point["does"], ...next: Point[]): Point => ({ does, next });
const end = (): Point => point("nothing");

/** Targets of jumps. */
interface Targets {
  readonly breaks?: Point;
  readonly continues?: Point;
  /** Case labels of the innermost switch. */
  readonly cases?: { readonly points: Point[]; hasDefault: boolean };
  /** Labels by name; a jump may precede its label. */
  readonly labels: Map<string, Point>;
  /** Target of `return`. */
  readonly leave: Point;
}

const outermost = (): Targets => ({ labels: new Map(), leave: end() });

function mayRead(from: Point): boolean {
  const seen = new Set<Point>();
  const open = [from];
  for (let at = open.pop(); at; at = open.pop()) {
    if (at.does === "read") return true;
    if (at.does === "write" || seen.has(at)) continue;
    seen.add(at);
    open.push(...at.next);
  }
  return false;
}

/** Builds the graph backwards: each method gets the successor and returns the entry point. */
class Graph {
  /** The point after the statement that the query is about. */
  behind: Point | undefined;
  private readonly sym: Symbol;
  private readonly queried: Stmt | undefined;
  private readonly mentioned = new Map<Expr, boolean>();

  constructor(sym: Symbol, queried?: Stmt) {
    this.sym = sym;
    this.queried = queried;
  }

  // ---------------------------------------------------------------- expressions

  expr(e: Expr | undefined, next: Point): Point {
    if (!e || !this.mentions(e)) return next;
    switch (e.kind) {
      case "ident":
        return point("read", next);
      case "comma":
        return this.expr(e.left, this.expr(e.right, next));
      case "binary":
        if (e.op === "&&" || e.op === "||")
          return this.expr(e.left, point("nothing", this.expr(e.right, next), next));
        return this.unsequenced([e.left, e.right], next);
      case "cond":
        return this.expr(
          e.test,
          point("nothing", e.then ? this.expr(e.then, next) : next, this.expr(e.else, next)),
        );
      case "assign":
        if (this.isSym(e.left))
          return e.op === "=" ? this.expr(e.right, point("write", next)) : point("read", next);
        return this.unsequenced([e.right, e.left], next);
      case "cast":
        return this.expr(e.arg, next);
      case "unary":
      case "incdec":
        return this.expr(e.arg, next);
      case "index":
        return this.unsequenced([e.base, e.index], next);
      case "member":
        return this.expr(e.base, next);
      case "call":
        return this.unsequenced([e.callee, ...e.args], next);
      case "generic":
        return this.expr(e.assocs[e.chosen]?.value, next);
      case "stmt-expr":
        // Control cannot jump out of or into a statement expression.
        return this.stmt(e.body, next, { labels: new Map(), leave: next });
      default:
        return point("read", next);
    }
  }

  /** Operands evaluated in any order: if several involve the variable, a read may come first. */
  private unsequenced(operands: readonly Expr[], next: Point): Point {
    const involved = operands.filter((o) => this.mentions(o));
    const [only] = involved;
    if (only === undefined) return next;
    return involved.length === 1 ? this.expr(only, next) : point("read", next);
  }

  private isSym(e: Expr): boolean {
    const inner = stripImplicit(e);
    return inner.kind === "ident" && inner.sym === this.sym;
  }

  /**
   * Queried for an expression and then for each of its parts; the results are cached, since chains would otherwise take
   * quadratic time.
   */
  private mentions(e: Expr): boolean {
    const known = this.mentioned.get(e);
    if (known !== undefined) return known;
    let found = e.kind === "ident" && e.sym === this.sym;
    walkExpr(e, {
      expr: (inner) => {
        // Not evaluated, except for the sizes of variable-length arrays, which have not changed.
        if (inner === e) return inner.kind !== "sizeof" && inner.kind !== "alignof";
        if (this.mentions(inner)) found = true;
        return false;
      },
    });
    this.mentioned.set(e, found);
    return found;
  }

  private init(init: Init, next: Point): Point {
    if (init.kind === "expr") return this.expr(init.expr, next);
    return init.items.reduceRight((rest, item) => this.init(item.init, rest), next);
  }

  // ---------------------------------------------------------------- statements

  stmt(s: Stmt, next: Point, to: Targets): Point {
    if (s === this.queried) this.behind = next;
    switch (s.kind) {
      case "expr":
        return this.expr(s.expr, next);
      case "decl":
        return s.decls.reduceRight((rest, d) => {
          const fresh = d.sym === this.sym && d.sym.storage !== "static" && d.sym.storage !== "extern";
          const after = fresh ? point("write", rest) : rest;
          const value = d.init ? this.init(d.init, after) : after;
          return this.sizes(d.sym, value);
        }, next);
      case "compound":
        return s.body.reduceRight((rest, child) => this.stmt(child, rest, to), next);
      case "if":
        return this.branch(s.test, this.stmt(s.then, next, to), s.else ? this.stmt(s.else, next, to) : next);
      case "while": {
        const head = point("nothing");
        const body = this.stmt(s.body, head, { ...to, breaks: next, continues: head });
        head.next.push(this.branch(s.test, body, next));
        return head;
      }
      case "do": {
        const again = point("nothing");
        const test = this.branch(s.test, again, next);
        again.next.push(this.stmt(s.body, test, { ...to, breaks: next, continues: test }));
        return again;
      }
      case "for": {
        const head = point("nothing");
        const step = this.expr(s.step, head);
        const body = this.stmt(s.body, step, { ...to, breaks: next, continues: step });
        head.next.push(s.test ? this.branch(s.test, body, next) : body);
        const entered = enters(s) ? body : head;
        if (!s.init) return entered;
        return s.init.kind === "decl" ? this.stmt(s.init, entered, to) : this.expr(s.init, entered);
      }
      case "switch": {
        const cases = { points: [] as Point[], hasDefault: false };
        this.stmt(s.body, next, { ...to, breaks: next, cases });
        return this.expr(s.test, point("nothing", ...cases.points, ...(cases.hasDefault ? [] : [next])));
      }
      case "case": {
        const body = this.stmt(s.body, next, to);
        to.cases?.points.push(body);
        if (to.cases && !s.value) to.cases.hasDefault = true;
        return body;
      }
      case "label": {
        const label = this.label(s.name, to);
        label.next.push(this.stmt(s.body, next, to));
        return label;
      }
      case "goto":
        // A computed jump may lead anywhere, including to a read.
        return s.label === undefined ? point("read") : this.label(s.label, to);
      case "break":
        return to.breaks ?? next;
      case "continue":
        return to.continues ?? next;
      case "return":
        return this.expr(s.value, to.leave);
      case "asm":
        return new RegExp(`\\b${this.sym.name}\\b`).test(s.text) ? point("read", next) : next;
      case "ext":
        return this.node(s.ext as IrNode, next, to);
      default:
        return next;
    }
  }

  private branch(test: Expr, then: Point, otherwise: Point): Point {
    const value = evaluateInteger(test);
    if (value !== undefined) return value !== 0n ? then : otherwise;
    return this.expr(test, point("nothing", then, otherwise));
  }

  private label(name: string, to: Targets): Point {
    const known = to.labels.get(name) ?? point("nothing");
    to.labels.set(name, known);
    return known;
  }

  /** The sizes of a declared variable-length array. */
  private sizes(declared: Symbol, next: Point): Point {
    let result = next;
    walkType(declared.type, {
      expr: (e) => {
        if (this.mentions(e)) result = point("read", next);
        return false;
      },
    });
    return result;
  }

  // ---------------------------------------------------------------- nodes of the IR

  private node(n: IrNode, next: Point, to: Targets): Point {
    if (n.kind === "atomic") return this.atomic(n, next);
    const { exprs, stmts } = n.shape.parts(n);
    const before = (rest: Point) => exprs.reduceRight((after, e) => this.expr(e, after), rest);
    if (n.kind === "loop") return before(this.loop(n, next, to));
    if (n.kind === "spmd") {
      if (n.privates.includes(this.sym)) return before(next);
      if (n.firstprivates.includes(this.sym) || n.reductions.some((r) => r.sym === this.sym))
        return point("read", next);
    }
    if (n.kind === "host-data" && n.variables.includes(this.sym)) return point("read", next);
    return before(stmts.reduceRight((rest, s) => this.stmt(s, rest, to), next));
  }

  /** Inside the loop, its counters and private variables are separate copies. */
  private loop(n: Loop, next: Point, to: Targets): Point {
    if (n.reductions.some((r) => r.sym === this.sym)) return point("read", next);
    if (n.privates.includes(this.sym) || n.headers.some((h) => h.var === this.sym)) return next;
    const head = point("nothing", next);
    const body = this.stmt(n.body, head, { ...to, breaks: next, continues: head });
    head.next.push(body);
    return n.headers.every((h) => runs(h.lower, h.relation, h.bound)) ? body : head;
  }

  private atomic(n: Atomic, next: Point): Point {
    const target = n.what === "write" && this.isSym(n.target) ? point("write", next) : undefined;
    if (n.what === "read" && n.captured && this.isSym(n.captured))
      return this.expr(n.target, point("write", next));
    if (target) return this.expr(n.value, target);
    return this.unsequenced(
      [n.target, n.value, n.expected, n.captured].filter((e) => e !== undefined),
      next,
    );
  }
}

/** The first iteration certainly runs: `for (int k = 0; k < 3; ...)`. */
function enters(loop: Stmt & { readonly kind: "for" }): boolean {
  const init = loop.init;
  const test = loop.test && stripImplicit(loop.test);
  if (!init || test?.kind !== "binary") return false;
  const counter = stripImplicit(test.left);
  if (counter.kind !== "ident") return false;
  if (init.kind === "decl") {
    const set = init.decls.find((d) => d.sym === counter.sym)?.init;
    return set?.kind === "expr" && runs(set.expr, test.op, test.right);
  }
  if (init.kind !== "assign" || init.op !== "=") return false;
  const left = stripImplicit(init.left);
  return left.kind === "ident" && left.sym === counter.sym && runs(init.right, test.op, test.right);
}

function runs(lower: Expr, relation: BinaryOp, bound: Expr): boolean {
  return evaluateInteger(binary(relation, lower, bound)) === 1n;
}
