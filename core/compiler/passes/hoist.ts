/**
 * Branch-variant code motion (J. Lambert, 2.2.2.3). On an FPGA all branches of a conditional become hardware. If they
 * compute the same pattern with different operands, the branches select the operands and the pattern appears once after
 * them:
 *
 *     if (c) y += P(a) * Q(b); else y += P(d) * Q(e);
 * => if (c) { t = P(a); u = Q(b); } else { t = P(d); u = Q(e); }
 *     y += t * u;
 *
 * Loads stay in their branches, so no additional element is accessed. A chain of any length counts as one conditional
 * with several branches; without a final else, there is a branch that computes nothing.
 */
import { usesOf } from "../../ir/analysis/access.ts";
import { hasEffects, isBuiltin } from "../../ir/analysis/routines.ts";
import { spmdOf } from "../../ir/model/region.ts";
import {
  canonical,
  compatibleUnqualified,
  INT,
  isArithmetic,
  mapChildren,
  unqualified,
  walkExpr,
  walkStmt,
} from "../../lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../lang/tree/ast.ts";
import {
  assign,
  binary,
  compound,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  intLit,
  stripImplicit,
} from "../../lang/tree/build.ts";
import { hoistAxis } from "./axes.ts";
import type { Pass, PassInput, PassResult, Remark } from "./rewrite/pass.ts";
import { withBody } from "./rewrite/region.ts";

export const hoist: Pass = {
  name: "hoist",
  description: "patterns that all branches compute stand once",
  axes: [hoistAxis],
  run,
};

function run({ task, choice }: PassInput): PassResult {
  if (choice.hoist !== true) return { task, remarks: [] };
  const remarks: Remark[] = [];
  const { body } = spmdOf(task);
  const hoisted = new Hoisting((applied, message, at) =>
    remarks.push({ pass: "hoist", applied, message, loc: at.span.start }),
  ).stmt(body);
  return { task: withBody(task, hoisted), remarks };
}

type Note = (applied: boolean, message: string, at: Stmt) => void;

/** An operand that differs between branches, with its value in each. */
interface Operand {
  readonly sym: Symbol;
  readonly values: readonly Expr[];
}

/** A statement that all branches have in common except for its operands. */
interface Common {
  readonly stmt: Stmt;
  readonly operands: readonly Operand[];
}

class Hoisting {
  private readonly note: Note;
  private count = 0;

  constructor(note: Note) {
    this.note = note;
  }

  stmt(s: Stmt): Stmt {
    if (s.kind !== "if") return mapChildren(s, (child) => this.stmt(child));
    const tests: Expr[] = [];
    const branches: Stmt[] = [];
    let rest: Stmt | undefined = s;
    while (rest?.kind === "if") {
      tests.push(rest.test);
      branches.push(this.stmt(rest.then));
      rest = rest.else;
    }
    if (!rest) {
      this.note(false, "a branch is missing, so nothing is common to all", s);
      return chain(tests, branches, undefined, s);
    }
    branches.push(this.stmt(rest));
    return this.hoisted(tests, branches, s);
  }

  private hoisted(tests: readonly Expr[], branches: readonly Stmt[], at: Stmt): Stmt {
    const lists = branches.map((b) => [...(b.kind === "compound" ? b.body : [b])]);
    const unchanged = chain(tests, branches.slice(0, -1), branches.at(-1), at);
    const shortest = Math.min(...lists.map((l) => l.length));
    const tail = this.run(lists, shortest, (list, k) => list[list.length - shortest + k] as Stmt);
    const fromEnd = longestSuffix(tail, shortest);
    const refused = (why: string): Stmt => {
      this.note(false, why, at);
      return unchanged;
    };
    if (fromEnd.length > 0 && gain(fromEnd) > 0) {
      if (reads(tests, fromEnd)) return refused("the condition depends on what would move");
      const heads = lists.map((l) => l.slice(0, l.length - fromEnd.length));
      return this.finish(tests, heads, fromEnd, undefined, at, lists);
    }
    // A common pattern before the differing statements: the conditional is split around it.
    const head = this.run(lists, shortest, (list, k) => list[k] as Stmt);
    const fromStart = longestPrefix(head, shortest);
    if (fromStart.length === 0 || gain(fromStart) === 0)
      return refused("the branches compute different patterns");
    if (reads(tests, fromStart)) return refused("the condition depends on what would move");
    const after = lists.map((l) => l.slice(fromStart.length));
    return this.finish(
      tests,
      lists.map(() => []),
      fromStart,
      after,
      at,
      lists,
    );
  }

  /** What statements at corresponding positions have in common; undefined if nothing. */
  private run(
    lists: readonly Stmt[][],
    length: number,
    pick: (list: readonly Stmt[], k: number) => Stmt,
  ): (Common | undefined)[] {
    return Array.from({ length }, (_, k) => this.common(lists.map((l) => pick(l, k))));
  }

  private common(stmts: readonly Stmt[]): Common | undefined {
    const [first] = stmts;
    if (!first || stmts.some((s) => s.kind !== "expr" || !s.expr || s.pragmas?.length)) return undefined;
    const es = stmts.map((s) => (s as Stmt & { kind: "expr" }).expr as Expr);
    const [e] = es;
    if (e?.kind !== "assign") return undefined;
    if (!es.every((x) => x.kind === "assign" && x.op === e.op && same(x.left, e.left)) || !pure(e.left))
      return undefined;
    const rights = es.map((x) => (x as Expr & { kind: "assign" }).right);
    const operands: Operand[] = [];
    const right = this.unify(rights, operands);
    if (!right) return undefined;
    return { stmt: { ...first, expr: { ...e, right } } as Stmt, operands };
  }

  /** One expression for all branches, with new variables where they differ. */
  private unify(es: readonly Expr[], operands: Operand[]): Expr | undefined {
    const [e] = es as [Expr];
    if (!es.every(pure)) return undefined;
    if (es.every((x) => same(x, e))) return e;
    const mark = operands.length;
    const parts = partsOf(e);
    if (parts && es.every((x) => x !== undefined && alike(x, e))) {
      const all = es.map((x) => partsOf(x)?.get ?? []);
      const unified = parts.get.map((_, k) =>
        this.unify(
          all.map((list) => list[k] as Expr),
          operands,
        ),
      );
      if (unified.every((m): m is Expr => m !== undefined)) return parts.set(unified);
    }
    operands.length = mark;
    if (
      !es.every(
        (x) => isArithmetic(x.type) && compatibleUnqualified(unqualified(x.type), unqualified(e.type)),
      )
    )
      return undefined;
    const sym = freshSymbol(`arc_operand${this.count++}`, unqualified(e.type));
    operands.push({ sym, values: es });
    return ident(sym);
  }

  private finish(
    tests: readonly Expr[],
    before: readonly (readonly Stmt[])[],
    common: readonly Common[],
    after: readonly (readonly Stmt[])[] | undefined,
    at: Stmt,
    lists: readonly (readonly Stmt[])[],
  ): Stmt {
    const operands = common.flatMap((c) => c.operands);
    const branch = freshSymbol(`arc_branch${this.count}`, INT);
    const chosen = before.map((list, k) =>
      compound([
        ...list,
        ...operands.map((o) => exprStmt(assign(ident(o.sym), o.values[k] as Expr))),
        ...(after ? [exprStmt(assign(ident(branch), intLit(k)))] : []),
      ]),
    );
    const choosing = chain(tests, chosen.slice(0, -1), chosen.at(-1), at);
    const again =
      after &&
      chain(
        after.slice(0, -1).map((_, k) => binary("==", ident(branch), intLit(k))),
        after.slice(0, -1).map((list) => compound(list)),
        compound(after.at(-1) ?? []),
        at,
      );
    const from = lists.flat().reduce((n, s) => n + operators(s), 0);
    const result = compound(
      [
        ...operands.map((o) => declare(o.sym)),
        ...(after ? [declare(branch)] : []),
        choosing,
        ...common.map((c) => c.stmt),
        ...(again ? [again] : []),
      ],
      at.span,
    );
    const to =
      [...before.flat(), ...common.map((c) => c.stmt), ...(after ?? []).flat()].reduce(
        (n, s) => n + operators(s),
        0,
      ) + operands.reduce((n, o) => n + o.values.reduce((m, v) => m + operators(exprStmt(v)), 0), 0);
    this.note(
      true,
      `${lists.length} branches share ${common.length === 1 ? "a pattern" : `${common.length} patterns`}: ${to} operators instead of ${from}${after ? ", the conditional is split around it" : ""}`,
      at,
    );
    return result;
  }
}

function chain(tests: readonly Expr[], branches: readonly Stmt[], last: Stmt | undefined, at: Stmt): Stmt {
  const conditional = tests.reduceRight<Stmt | undefined>(
    (rest, test, k) => ifStmt(test, branches[k] as Stmt, rest),
    last,
  );
  return { ...(conditional as Stmt), span: at.span };
}

/**
 * The longest run at the end in which no operand needs the result of a statement before it in the run: operands are
 * evaluated in their branch, before the whole run.
 */
function longestSuffix(found: readonly (Common | undefined)[], length: number): Common[] {
  let start = length;
  while (start > 0 && found[start - 1] && independent(found.slice(start - 1) as Common[])) start--;
  return found.slice(start) as Common[];
}

function longestPrefix(found: readonly (Common | undefined)[], length: number): Common[] {
  let end = 0;
  while (end < length && found[end] && independent(found.slice(0, end + 1) as Common[])) end++;
  return found.slice(0, end) as Common[];
}

function independent(run: readonly Common[]): boolean {
  return run.every((c, k) => {
    const written = run.slice(0, k).map((x) => targetOf(x));
    return c.operands.every((o) => o.values.every((v) => written.every((w) => !touches(v, w))));
  });
}

const targetOf = (c: Common): Expr =>
  ((c.stmt as Stmt & { kind: "expr" }).expr as Expr & { kind: "assign" }).left;

/** Whether evaluating `e` may read what an assignment to `target` changes. */
function touches(e: Expr, target: Expr): boolean {
  const uses = usesOf(e);
  const root = stripImplicit(target);
  if (root.kind === "ident")
    return (
      uses.of.has(root.sym) ||
      [...uses.of.values()].some((u) => u.elementsRead && usesOf(target).of.get(root.sym)?.addressTaken)
    );
  // A store through memory: any load might see it.
  return [...uses.of.values()].some((u) => u.elementsRead);
}

function reads(tests: readonly Expr[], run: readonly Common[]): boolean {
  return tests.some((t) => run.some((c) => touches(t, targetOf(c))));
}

/** Number of operators that appear once instead of once per branch. */
function gain(run: readonly Common[]): number {
  return run.reduce((n, c) => n + operators(c.stmt), 0);
}

/** Counts arithmetic that becomes hardware, without address arithmetic. */
function operators(s: Stmt): number {
  let n = 0;
  const count = (e: Expr): boolean | undefined => {
    if (e.kind === "index") return false;
    if (e.kind === "binary" && ["+", "-", "*", "/", "%"].includes(e.op)) n++;
    if (e.kind === "assign" && e.op !== "=") n++;
    if (e.kind === "call") n++;
    return undefined;
  };
  walkStmt(s, { expr: count });
  return n;
}

function pure(e: Expr): boolean {
  let ok = true;
  walkExpr(e, {
    expr(x) {
      if (x.kind === "assign" || x.kind === "incdec" || x.kind === "stmt-expr" || x.kind === "builtin")
        ok = false;
      if (x.kind === "call") {
        const callee = stripImplicit(x.callee);
        if (callee.kind !== "ident" || !isBuiltin(callee.sym) || hasEffects(callee.sym)) ok = false;
      }
      if (x.type.quals?.volatile) ok = false;
    },
  });
  return ok;
}

interface Parts {
  readonly get: readonly Expr[];
  set(parts: readonly Expr[]): Expr;
}

/** Operands of an operator node; undefined for leaves. */
function partsOf(e: Expr): Parts | undefined {
  switch (e.kind) {
    case "binary":
      if (e.op === "&&" || e.op === "||") return undefined;
      return { get: [e.left, e.right], set: ([left, right]) => ({ ...e, left, right }) as Expr };
    case "unary":
      if (e.op === "*" || e.op === "&") return undefined;
      return { get: [e.arg], set: ([arg]) => ({ ...e, arg }) as Expr };
    case "cast":
      return { get: [e.arg], set: ([arg]) => ({ ...e, arg }) as Expr };
    case "call":
      return { get: e.args, set: (args) => ({ ...e, args }) as Expr };
    default:
      return undefined;
  }
}

/** Whether both are the same operator with operands of the same types. */
function alike(a: Expr, b: Expr): boolean {
  if (a.kind !== b.kind || canonical(a.type).kind !== canonical(b.type).kind) return false;
  if (!compatibleUnqualified(unqualified(a.type), unqualified(b.type))) return false;
  if (a.kind === "binary" && b.kind === "binary") return a.op === b.op;
  if (a.kind === "unary" && b.kind === "unary") return a.op === b.op;
  if (a.kind === "call" && b.kind === "call")
    return same(a.callee, b.callee) && a.args.length === b.args.length;
  return a.kind === "cast";
}

/** Whether both are the same expression of the same variables. */
function same(a: Expr, b: Expr): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind) return false;
  switch (a.kind) {
    case "ident":
      return a.sym === (b as typeof a).sym;
    case "int":
    case "char":
    case "float":
      return a.value === (b as typeof a).value && compatibleUnqualified(a.type, b.type);
    case "index": {
      const other = b as typeof a;
      return same(a.base, other.base) && same(a.index, other.index);
    }
    case "member": {
      const other = b as typeof a;
      return a.name === other.name && a.arrow === other.arrow && same(a.base, other.base);
    }
    case "unary": {
      const other = b as typeof a;
      return a.op === other.op && same(a.arg, other.arg);
    }
    default: {
      const [x, y] = [partsOf(a), partsOf(b)];
      return (
        x !== undefined && y !== undefined && alike(a, b) && x.get.every((p, k) => same(p, y.get[k] as Expr))
      );
    }
  }
}
