/**
 * Code that all threads of a team run: `parallel` other than a parallel loop, and the constructs that only it can
 * contain.
 *
 *     parallel private(x) reduction(+: s)      threads { T x; U s_own = 0;
 *     {                                             BODY with x, s_own
 *       BODY                              =>        atomic s += s_own; }
 *     }
 *
 * Loops inside it are divided among the existing threads; a barrier follows each, as after `single`.
 */
import { entryOf } from "../../../checked/access.ts";
import { evaluateInteger, mapChildren, mapStmt } from "../../../lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import {
  binary,
  call,
  compound,
  declare,
  freshSymbol,
  ident,
  ifStmt,
  intLit,
  stripImplicit,
} from "../../../lang/tree/build.ts";
import { ownCopies } from "../../analysis/own-copies.ts";
import { begun, copyTo } from "../../directives/copied.ts";
import { clause, type Directive, exprOf, site } from "../../directives/directive.ts";
import { withoutCondition } from "../../directives/nowait.ts";
import type { Around, Reading } from "../../directives/read-state.ts";
import type { Reductions } from "../../directives/reductions.ts";
import { threadNumber } from "../../model/device-routines.ts";
import { identity } from "../../model/identity.ts";
import {
  type Atomic,
  asNode,
  extStmt,
  type Loop,
  type Reduction,
  type Sync,
  type Threads,
} from "../../model/ir.ts";
import { node } from "../../model/node-shapes.ts";
import { meetingIn } from "../../model/nodes.ts";
import { ofOneThread as ofOneThreadShuffle } from "../../model/shuffle-alone.ts";
import { ruleOf } from "../directive/parse.ts";
import { combinedLoop } from "../own/combined-loops.ts";
import { withCombined } from "../own/reductions.ts";
import { ofSize } from "../sizes/team-size.ts";
import { withSizeOfLoops } from "../sizes/thread-numbers.ts";
import { refusedInLoop } from "./close-nesting.ts";

interface Read {
  readonly reading: Reading;
  readonly reductions: Reductions;
  readonly around: Around;
  /** One thread at a time. */
  readonly together: (combine: Stmt) => Stmt | undefined;
}

/** The statement of a `parallel` construct that is not a loop; parallel loops are distributed separately. */
export function threads(read: Read, d: Directive, body: Stmt, source: Stmt): Stmt | undefined {
  const { reading, around } = read;
  const list = body.kind === "compound" ? body.body : [body];
  const other = list.find((s) => !asNode(s, "loop") && !(s.kind === "expr" && !s.expr));
  const [named] = d.clauses.filter((c) =>
    ["private", "firstprivate", "reduction", "declared reduction"].includes(c.name),
  );
  if (!other && !named) {
    const ofLoops = ruleOf(d).leaves.includes("target") ? undefined : exprOf(clause(d, "num_threads"));
    return ofLoops ? withSizeOfLoops(body, ofLoops) : body;
  }
  const start = other?.span.start ?? d.loc;
  const refuse = (why: string, remedy: string, loc = start): undefined => {
    reading.report("parallel-block", loc, why, remedy);
    return undefined;
  };
  if (around.omp?.routine)
    return refuse(
      "every thread of a 'parallel' construct would execute this statement, in a function that regions call",
      "write the construct into the region",
    );
  const team = reading.ofTeam.splice(0).map((sym) => declare(sym));
  const one = () => compound([...team, withPrivates(read, d, ofOneThreadAlone(body), source)], body.span);
  // OpenMP 5.2, section 10.1: without nested parallelism the team of a nested construct has one thread.
  const condition = ifOf(d);
  const holds = condition && evaluateInteger(condition);
  if (around.omp?.threads || holds === 0n) return one();
  const size = clause(d, "num_threads");
  const ext = node<Threads>({
    kind: "threads",
    ...(size && { size: size.exprs[0] as Expr }),
    site: site(d, source),
    body: withPrivates(read, d, shared(body), source),
  });
  const block = size ? ofSize(ext, size.exprs[0] as Expr, body.span) : extStmt(ext, body.span);
  if (!block)
    return refuse(
      "the number of threads is not a constant, and they meet at a barrier or share a loop",
      "write a constant, and let the threads beyond the number that is needed do nothing",
      (size ?? d).loc,
    );
  const all = team.length > 0 ? compound([...team, block], body.span) : block;
  return condition && holds === undefined ? ifStmt(condition, all, one()) : all;
}

/**
 * The condition of the construct: in a combined construct the one that names `parallel`, or none if it may belong to
 * `target`.
 */
function ifOf(d: Directive): Expr | undefined {
  const combined = ruleOf(d).leaves.length > 1;
  const own = d.clauses.find(
    (c) => c.name === "if" && (c.names[0] === "parallel" || (!combined && c.names.length === 0)),
  );
  return exprOf(own);
}

/** The code for a team of one thread: loops run in order, barriers vanish, and the thread number is 0. */
function ofOneThreadAlone(s: Stmt): Stmt {
  return mapStmt(s, {
    stmt(child) {
      if (asNode(child, "sync")?.name === "barrier") return { kind: "expr", span: child.span };
      const shuffle = asNode(child, "shuffle");
      if (shuffle) return ofOneThreadShuffle(shuffle);
      const loop = asNode(child, "loop");
      if (!loop || child.kind !== "ext") return child;
      const ext: Loop = { ...loop, parallel: { levels: [], independence: "seq" } };
      return { ...child, ext };
    },
    expr(e) {
      const callee = e.kind === "call" ? stripImplicit(e.callee) : undefined;
      const name = callee?.kind === "ident" ? callee.sym.name : undefined;
      if (name === "omp_get_thread_num") return intLit(0);
      return name === "omp_get_num_threads" ? intLit(1) : e;
    },
  });
}

// ---------------------------------------------------------------- variables of each thread

function withPrivates({ reductions, together }: Read, d: Directive, written: Stmt, source: Stmt): Stmt {
  const body = withCombined(d, written, together);
  const varsOf = (name: string) =>
    d.clauses.filter((c) => c.name === name).flatMap((c) => c.vars.map((v) => v.sym));
  const reduced = reductions.of(d, body, source);
  const begins = new Map<Symbol, Expr | undefined>([
    ...varsOf("private").map((sym) => [sym, undefined] as const),
    ...varsOf("firstprivate").map((sym) => [sym, undefined] as const),
    ...reduced.reductions.map(({ op, sym }) => [sym, identity(op, sym.type)] as const),
  ]);
  if (begins.size === 0) return reduced.body;
  const { own, body: inner } = ownCopies(begins.keys(), reduced.body);
  const first = new Set(varsOf("firstprivate"));
  const declarations = [...own].flatMap(([sym, copy]) =>
    first.has(sym) ? begun(copy, sym) : [declare(copy, begins.get(sym))],
  );
  const sums = reduced.reductions.map((r) => combined(r, entryOf(own, r.sym), d, source));
  return compound([...declarations, inner, ...sums], body.span);
}

function combined(
  { op, sym, loc }: Reduction,
  own: Symbol,
  d: Pick<Directive, "name" | "pragma">,
  source: Stmt,
): Stmt {
  const atomic = node<Atomic>({
    kind: "atomic",
    what: "update",
    op,
    target: ident(sym),
    value: ident(own),
    reduction: true,
    site: { loc, what: d.name, pragma: d.pragma, stmt: source },
  });
  return extStmt(atomic, source.span);
}

// ---------------------------------------------------------------- loops

/** Divides `for` loops among the threads; loops inside them, and `simd` loops, run in order. */
function shared(s: Stmt, within = false): Stmt {
  const loop = asNode(s, "loop");
  if (!loop || s.kind !== "ext") return mapChildren(s, (child) => shared(child, within));
  const isShared =
    !within && /\b(for|loop|sections)\b/.test(loop.site.what) && loop.parallel.independence !== "seq";
  const body = shared(loop.body, true);
  const { pragma } = loop.site;
  const waits = !pragma || !withoutCondition(pragma.tokens).some((t) => t.text === "nowait");
  if (!isShared) {
    const ext: Loop = { ...loop, parallel: { levels: [], independence: "seq" }, body };
    return { ...s, ext };
  }
  const vector: Loop = { ...loop, parallel: { levels: ["vector"], independence: "independent" }, body };
  return compound(
    [...ofEachThread(vector, s), ...(waits || loop.reductions.length > 0 ? [barrierAt(loop.site, s)] : [])],
    s.span,
  );
}

/** A loop that threads share; each thread adds its partial result itself. */
function ofEachThread(loop: Loop, s: Stmt): readonly Stmt[] {
  const { own, body } = ownCopies(
    loop.reductions.map((r) => r.sym),
    loop.body,
  );
  const ext: Loop = { ...loop, reductions: [], body };
  const { pragma } = loop.site;
  const d = { name: loop.site.what, pragma: pragma as NonNullable<typeof pragma> };
  const source = loop.site.stmt ?? s;
  return [
    ...loop.reductions.map(({ op, sym }) => declare(entryOf(own, sym), identity(op, sym.type))),
    extStmt(ext, s.span),
    ...loop.reductions.map((r) => combined(r, entryOf(own, r.sym), d, source)),
  ];
}

/**
 * A loop with a user-defined reduction that threads share. `block`: the loop creates the threads; otherwise they are
 * those that reach it.
 */
export function combinedByThreads(
  { reading, together }: Pick<Read, "reading" | "together">,
  d: Directive,
  loop: Loop,
  source: Stmt,
  block: boolean,
): Stmt {
  const meet = barrierAt(site(d), source);
  const all = block ? compound(ofEachThread(loop, source)) : extStmt(loop, source.span);
  const combined = combinedLoop(d, all, "threads", { barrier: meet, together });
  const body = compound([...combined.before, combined.body, ...combined.after], source.span);
  if (!block) {
    reading.ofTeam.push(...combined.ofTeam);
    return body;
  }
  const ext = node<Threads>({ kind: "threads", site: site(d, source), body });
  return compound([...combined.ofTeam.map((sym) => declare(sym)), extStmt(ext, source.span)], source.span);
}

/** The same if teams share the loop and each has one copy. */
export function combinedByTeams(
  { together }: Pick<Read, "together">,
  d: Directive,
  loop: Loop,
  source: Stmt,
): Stmt {
  const meet = barrierAt(site(d), source);
  const combined = combinedLoop(d, extStmt(loop, source.span), "team", { barrier: meet, together });
  return compound([...combined.before, combined.body, ...combined.after], source.span);
}

const barrierNode = (at: Sync["site"]): Sync =>
  node<Sync>({ kind: "sync", name: "barrier", site: { loc: at.loc, what: at.what }, queues: [] });
const barrierAt = (at: Sync["site"], s: Stmt): Stmt => extStmt(barrierNode(at), s.span);

// ---------------------------------------------------------------- inside

/** `barrier`, if the team can have one here. */
export function barrier(reading: Reading, d: Directive): Sync | undefined {
  if (refusedInFunction(reading, d) || refusedInLoop(reading, d)) return undefined;
  return barrierNode(site(d));
}

/** `single`, `master` and `masked`: the first thread runs the statement. */
export function ofOneThread(
  { reading, around }: Read,
  d: Directive,
  body: Stmt,
  source: Stmt,
): Stmt | undefined {
  if (refusedInFunction(reading, d)) return undefined;
  const { omp = {} } = around;
  if (refusedInLoop(reading, d)) return undefined;
  const meeting = meetingIn(body);
  if (meeting) {
    const what = meeting.kind === "shuffle" ? "to it" : "to its barrier";
    reading.report(
      "construct-nesting",
      meeting.site.loc,
      `'${meeting.site.what}' stands inside '${d.name}', and one thread alone would come ${what}`,
      `end '${d.name}' before it`,
    );
    return undefined;
  }
  const varsOf = (name: string) =>
    d.clauses.filter((c) => c.name === name).flatMap((c) => c.vars.map((v) => v.sym));
  const { own, body: copied } = ownCopies([...varsOf("private"), ...varsOf("firstprivate")], body);
  const first = new Set(varsOf("firstprivate"));
  const inner = compound(
    [...[...own].flatMap(([from, to]) => begun(to, first.has(from) ? from : undefined)), copied],
    body.span,
  );
  const chosen = exprOf(clause(d, "filter")) ?? intLit(0);
  // Outside of `parallel`, a team is its first thread.
  const test = omp.threads
    ? binary("==", call(ident(threadNumber), []), chosen)
    : binary("==", intLit(0), chosen);
  const waits = d.name === "single" && omp.threads && !clause(d, "nowait");
  const meet = barrierAt(site(d), source);
  const broadcast = omp.threads
    ? d.clauses.filter((c) => c.name === "copyprivate").flatMap((c) => c.vars)
    : [];
  if (broadcast.length === 0) return compound([ifStmt(test, inner), ...(waits ? [meet] : [])], body.span);
  const team = broadcast.map(({ sym }) => ({ sym, value: freshSymbol(`${sym.name}_of_team`, sym.type) }));
  reading.ofTeam.push(...team.map(({ value }) => value));
  const hand = team.map(({ sym, value }) => copyTo(value, sym));
  const take = team.map(({ sym, value }) => copyTo(sym, value));
  return compound([ifStmt(test, compound([inner, ...hand], body.span)), meet, ...take, meet], body.span);
}

/** `scope`: all threads run it with private variables, and meet at its end. */
export function scope(read: Read, d: Directive, body: Stmt, source: Stmt): Stmt | undefined {
  const { reading, around } = read;
  if (refusedInFunction(reading, d) || refusedInLoop(reading, d)) return undefined;
  const inner = withPrivates(read, d, body, source);
  const waits = around.omp?.threads && !clause(d, "nowait");
  return compound([inner, ...(waits ? [barrierAt(site(d), source)] : [])], body.span);
}

/** A loop that only one of the threads reaching it runs; the others wait, as after any loop. */
export function ofFirstThread(d: Directive, loop: Stmt, source: Stmt): Stmt {
  const test = binary("==", call(ident(threadNumber), []), intLit(0));
  const waits = !clause(d, "nowait");
  return compound([ifStmt(test, loop), ...(waits ? [barrierAt(site(d), source)] : [])], source.span);
}

export function refusedInFunction(reading: Reading, d: Directive): boolean {
  if (!reading.around.omp?.routine) return false;
  reading.report(
    "barrier-in-function",
    d.loc,
    `'${d.name}' stands in a function that regions call`,
    "write it into the region: threads may call functions alone",
  );
  return true;
}
