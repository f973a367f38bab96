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
import { itemAt } from "../../checked/access.ts";
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
import { mayRead, type Reachable, reachableIn } from "./rewrite/aliasing.ts";
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
  const note: Note = (applied, message, at) =>
    remarks.push({ pass: "hoist", applied, message, loc: at.span.start });
  const hoisted = new Hoisting(note, reachableIn(task)).stmt(body);
  return { task: withBody(task, hoisted), remarks };
}

type Note = (applied: boolean, message: string, at: Stmt) => void;

/** An operand that differs between branches, with its value in each. */
interface Operand {
  readonly sym: Symbol;
  readonly values: readonly Expr[];
}

/** An assignment that all branches have in common except for its operands. */
interface Common {
  readonly stmt: Stmt;
  readonly target: Expr;
  readonly operands: readonly Operand[];
}

class Hoisting {
  private readonly note: Note;
  private readonly isReachable: Reachable;
  private count = 0;

  constructor(note: Note, isReachable: Reachable) {
    this.note = note;
    this.isReachable = isReachable;
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
    const fromEnd = longestSuffix(this.run(lists.map((l) => l.slice(l.length - shortest))), this.isReachable);
    const refused = (why: string): Stmt => {
      this.note(false, why, at);
      return unchanged;
    };
    if (fromEnd.length > 0 && gain(fromEnd) > 0) {
      if (reads(tests, fromEnd, this.isReachable)) return refused("the condition depends on what would move");
      const heads = lists.map((l) => l.slice(0, l.length - fromEnd.length));
      return this.finish(tests, heads, fromEnd, undefined, at, lists);
    }
    // A common pattern before the differing statements: the conditional is split around it.
    const fromStart = longestPrefix(this.run(lists.map((l) => l.slice(0, shortest))), this.isReachable);
    if (fromStart.length === 0 || gain(fromStart) === 0)
      return refused("the branches compute different patterns");
    if (reads(tests, fromStart, this.isReachable)) return refused("the condition depends on what would move");
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

  /** What statements at corresponding positions of lists as long as each other have in common, if anything. */
  private run(lists: readonly Stmt[][]): (Common | undefined)[] {
    const [first = []] = lists;
    return first.map((stmt, k) =>
      this.common(
        stmt,
        lists.flatMap((list) => list[k] ?? []),
      ),
    );
  }

  private common(first: Stmt, stmts: readonly Stmt[]): Common | undefined {
    const assignments = stmts.flatMap((s) =>
      s.kind === "expr" && s.expr?.kind === "assign" && !s.pragmas?.length ? [s.expr] : [],
    );
    const [e] = assignments;
    if (!e || first.kind !== "expr" || assignments.length < stmts.length) return undefined;
    if (!assignments.every((x) => x.op === e.op && same(x.left, e.left)) || !pure(e.left)) return undefined;
    const operands: Operand[] = [];
    const right = this.unify(
      assignments.map((x) => x.right),
      operands,
    );
    return right && { stmt: { ...first, expr: { ...e, right } }, target: e.left, operands };
  }

  /** One expression for all branches, with new variables where they differ. */
  private unify(es: readonly Expr[], operands: Operand[]): Expr | undefined {
    const [e] = es;
    if (!e || !es.every(pure)) return undefined;
    if (es.every((x) => same(x, e))) return e;
    const mark = operands.length;
    const parts = partsOf(e);
    if (parts && es.every((x) => x !== undefined && alike(x, e))) {
      const all = es.map((x) => partsOf(x)?.get ?? []);
      const unified = parts.get.map((_, k) =>
        this.unify(
          all.flatMap((list) => list[k] ?? []),
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
        ...operands.map((o) => exprStmt(assign(ident(o.sym), itemAt(o.values, k)))),
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
    (rest, test, k) => ifStmt(test, itemAt(branches, k), rest),
    last,
  );
  return { ...(conditional as Stmt), span: at.span };
}

/**
 * The longest run at the end in which no operand needs the result of a statement before it in the run: operands are
 * evaluated in their branch, before the whole run.
 */
function longestSuffix(found: readonly (Common | undefined)[], isReachable: Reachable): readonly Common[] {
  let run: readonly Common[] = [];
  for (const one of found.toReversed()) {
    if (!one || !independent([one, ...run], isReachable)) break;
    run = [one, ...run];
  }
  return run;
}

function longestPrefix(found: readonly (Common | undefined)[], isReachable: Reachable): readonly Common[] {
  const run: Common[] = [];
  for (const one of found) {
    if (!one || !independent([...run, one], isReachable)) break;
    run.push(one);
  }
  return run;
}

function independent(run: readonly Common[], isReachable: Reachable): boolean {
  return run.every((c, k) => {
    const written = run.slice(0, k).map((x) => x.target);
    return c.operands.every((o) => o.values.every((v) => written.every((w) => !mayRead(v, w, isReachable))));
  });
}

function reads(tests: readonly Expr[], run: readonly Common[], isReachable: Reachable): boolean {
  return tests.some((t) => run.some((c) => mayRead(t, c.target, isReachable)));
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
      return { get: [e.left, e.right], set: ([left = e.left, right = e.right]) => ({ ...e, left, right }) };
    case "unary":
      if (e.op === "*" || e.op === "&") return undefined;
      return { get: [e.arg], set: ([arg = e.arg]) => ({ ...e, arg }) };
    case "cast":
      return { get: [e.arg], set: ([arg = e.arg]) => ({ ...e, arg }) };
    case "call":
      return { get: e.args, set: (args) => ({ ...e, args }) };
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
  if (a.kind === "ident" && b.kind === "ident") return a.sym === b.sym;
  if (isLiteral(a) && isLiteral(b))
    return a.kind === b.kind && a.value === b.value && compatibleUnqualified(a.type, b.type);
  if (a.kind === "index" && b.kind === "index") return same(a.base, b.base) && same(a.index, b.index);
  if (a.kind === "member" && b.kind === "member")
    return a.name === b.name && a.arrow === b.arrow && same(a.base, b.base);
  if (a.kind === "unary" && b.kind === "unary") return a.op === b.op && same(a.arg, b.arg);
  const [x, y] = [partsOf(a)?.get, partsOf(b)?.get];
  if (!x || !y || !alike(a, b)) return false;
  return x.every((part, k) => {
    const other = y[k];
    return other !== undefined && same(part, other);
  });
}

type Literal = Extract<Expr, { kind: "int" | "char" | "float" }>;

const isLiteral = (e: Expr): e is Literal => e.kind === "int" || e.kind === "char" || e.kind === "float";
