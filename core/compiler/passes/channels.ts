/**
 * Channels (J. Lambert, 2.2.4.3): two regions that pass an array on, named by `pipe`, `pipeout` and `pipein`, can run
 * at the same time and stream its elements if iteration x of one writes exactly what iteration x of the other reads.
 * The published design trusts the user for that; here it is proved, or refused.
 *
 *     t[i] = v;       =>   channel-write t_channel(v)
 *     ... = t[i];     =>   channel-read t_channel(e); ... = e;
 */

import { tripCount } from "../../../targets/shared/loops/trips.ts";
import { firstOf, itemAt } from "../../checked/access.ts";
import { usesOf } from "../../ir/analysis/access.ts";
import { isRefusal, type Neighbourhood, neighbourhood } from "../../ir/analysis/loops/neighbourhood.ts";
import { type ChannelRead, type ChannelWrite, idiom } from "../../ir/model/idioms.ts";
import { asNode, type Loop, type Task } from "../../ir/model/ir.ts";
import { spmdOf } from "../../ir/model/region.ts";
import { elementType, evaluateInteger, INT, mapStmt, printExpr, unqualified } from "../../lang/index.ts";
import type { CType, Diagnostic, Expr, Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { compound, freshSymbol, ident, stripImplicit } from "../../lang/tree/build.ts";
import { differentIterations } from "./rewrite/iterations.ts";
import { Illegal } from "./rewrite/pass.ts";
import { isSingle, loopStmt, mapOuterLoops, withBody } from "./rewrite/region.ts";

export interface Channel {
  readonly array: Symbol;
  readonly name: string;
  readonly type: CType;
  /** Indexes into the given tasks. */
  readonly producer: number;
  readonly consumer: number;
}

/**
 * The channels that the regions of one function may use, in source order, or why a requested one is impossible. Runs
 * after the choice of model and before everything that rewrites loops.
 */
export function findChannels(tasks: readonly Task[]): {
  channels: readonly Channel[];
  diagnostics: readonly Diagnostic[];
} {
  const channels: Channel[] = [];
  const diagnostics: Diagnostic[] = [];
  const piped = new Map<Symbol, Loc>();
  for (const task of tasks)
    for (const item of task.items)
      if (item.mapping.pipe === "in" || item.mapping.pipe === "out")
        piped.set(item.sym, piped.get(item.sym) ?? item.loc);
  for (const [array, loc] of piped) {
    try {
      channels.push(connect(tasks, array, loc));
    } catch (problem) {
      if (!(problem instanceof Illegal)) throw problem;
      diagnostics.push(problem.diagnostic);
    }
  }
  return { channels, diagnostics };
}

function connect(tasks: readonly Task[], array: Symbol, loc: Loc): Channel {
  const refuse = (message: string, at: Loc = loc, remedy?: string): never => {
    throw new Illegal({
      code: "pipe",
      loc: at,
      message: `'${array.name}' cannot be a channel: ${message}`,
      why: "a channel hands each element on once, in the order in which it was written",
      remedy: remedy ?? "use create and present instead of pipe, pipeout and pipein",
    });
  };
  const ends = (end: "in" | "out") =>
    tasks.flatMap((t, k) => (t.items.some((i) => i.sym === array && i.mapping.pipe === end) ? [k] : []));
  const [producers, consumers] = [ends("out"), ends("in")];
  const [producer, consumer] = [firstOf(producers), firstOf(consumers)];
  if (producers.length !== 1 || consumers.length !== 1)
    refuse(`${producers.length} regions write it and ${consumers.length} read it, and it needs one of each`);
  if (consumer <= producer) refuse("it is read before it is written");
  const [from, to] = [itemAt(tasks, producer), itemAt(tasks, consumer)];
  for (const task of [from, to])
    if (!isSingle(task))
      refuse(
        "only a single work-item has an order in which elements pass",
        task.site.loc,
        "add num_gangs(1) num_workers(1) vector_length(1) to both directives",
      );
  const [out, into] = [onlyLoop(from), onlyLoop(to)];
  if (!out) return refuse("the region that writes it is more than one loop", from.site.loc);
  if (!into) return refuse("the region that reads it is more than one loop", to.site.loc);
  const other = differentIterations(out, into);
  if (other) refuse(other.why, other.loc);
  const [writes, reads] = [neighbourhood(out, array), neighbourhood(into, array)];
  if (isRefusal(writes)) return refuse(writes.reason, writes.loc);
  if (isRefusal(reads)) return refuse(reads.reason, reads.loc);
  const [write] = writes.accesses;
  if (!write || writes.accesses.length !== 1 || write.read || write.range.min !== write.range.max)
    return refuse("an iteration must write one element of it and read none", write?.expr.span.start);
  if (write.conditional)
    refuse(`'${printExpr(write.expr)}' is not written in every iteration`, write.expr.span.start);
  if (!walksOnce(writes, out)) refuse("iterations may write the same element", write.expr.span.start);
  for (const read of reads.accesses) {
    const at = read.expr.span.start;
    if (read.written) refuse(`'${printExpr(read.expr)}' is written where it should be read`, at);
    if (
      read.range.min !== write.range.min ||
      read.range.max !== write.range.max ||
      !sameWalk(writes, out, reads, into)
    )
      refuse(
        `'${printExpr(read.expr)}' is not the element that the same iteration of the writing loop writes`,
        at,
      );
  }
  onlyLink(tasks, producer, consumer, array, refuse);
  const type = unqualified(elementType(array.type) ?? INT);
  return { array, name: `arc_${array.name}_channel`, type, producer, consumer };
}

function onlyLoop(task: Task): Loop | undefined {
  const { body } = spmdOf(task);
  const stmts = body.kind === "compound" ? body.body : [body];
  return stmts.length === 1 && stmts[0] ? asNode(stmts[0], "loop") : undefined;
}

type Refuse = (message: string, at?: Loc, remedy?: string) => never;

function strides(n: Neighbourhood, loop: Loop): readonly bigint[] {
  return loop.headers.map((h) => (n.base.loop.get(h.var) ?? 0n) * (evaluateInteger(h.step) ?? 0n));
}

/** Whether no two iterations touch the same element: each loop steps over everything that the loops inside it touch. */
function walksOnce(n: Neighbourhood, loop: Loop): boolean {
  const steps = strides(n, loop).map((s) => (s < 0n ? -s : s));
  let reach = 0n;
  for (let k = steps.length - 1; k >= 0; k--) {
    const step = itemAt(steps, k);
    if (step <= reach) return false;
    if (k === 0) return true;
    const trips = evaluateInteger(tripCount(itemAt(loop.headers, k)));
    if (trips === undefined) return false;
    reach += step * (trips > 0n ? trips - 1n : 0n);
  }
  return true;
}

function sameWalk(a: Neighbourhood, out: Loop, b: Neighbourhood, into: Loop): boolean {
  const [x, y] = [strides(a, out), strides(b, into)];
  const invariants =
    a.base.invariant.size === b.base.invariant.size &&
    [...a.base.invariant].every(([s, c]) => b.base.invariant.get(s) === c);
  return invariants && x.every((s, k) => s === y[k]);
}

/** Apart from channels, the two must not conflict in any other array, since they run at the same time. */
function onlyLink(
  tasks: readonly Task[],
  producer: number,
  consumer: number,
  array: Symbol,
  refuse: Refuse,
): void {
  const touched = (k: number) => usesOf(spmdOf(itemAt(tasks, k)).body).of;
  for (let k = producer + 1; k < consumer; k++)
    if (touched(k).has(array)) refuse("a region between the two uses it", itemAt(tasks, k).site.loc);
  const [from, to] = [touched(producer), touched(consumer)];
  const isPiped = (sym: Symbol) =>
    [producer, consumer].every((k) => tasks[k]?.items.some((i) => i.sym === sym && i.mapping.pipe));
  for (const [sym, use] of from) {
    if (isPiped(sym)) continue;
    const other = to.get(sym);
    if (
      sym !== array &&
      other &&
      (use.elementsWritten || other.elementsWritten || use.written || other.written)
    )
      refuse(`the regions also share '${sym.name}', which one of them writes`, other.at.span.start);
  }
}

/** The region `index` with its ends of the channels. */
export function withChannels(task: Task, index: number, channels: readonly Channel[]): Task {
  const connected = channels.reduce<Stmt>((body, c) => {
    if (c.producer !== index && c.consumer !== index) return body;
    return mapOuterLoops(body, (loop, at) => {
      const inner = c.producer === index ? sending(loop.body, c) : receiving(loop.body, c);
      return loopStmt({ ...loop, body: inner }, at);
    });
  }, spmdOf(task).body);
  return withBody(task, connected);
}

function isElement(e: Expr, array: Symbol): boolean {
  const root = e.kind === "index" ? stripImplicit(e.base) : undefined;
  return root?.kind === "ident" && root.sym === array;
}

function sending(body: Stmt, { array, name }: Channel): Stmt {
  return mapStmt(body, {
    stmt: (s) => {
      const e = s.kind === "expr" && s.expr ? stripImplicit(s.expr) : undefined;
      if (e?.kind !== "assign" || e.op !== "=" || !isElement(stripImplicit(e.left), array)) return s;
      return idiom<ChannelWrite>({ kind: "channel-write", channel: name, value: e.right }, s);
    },
  });
}

function receiving(body: Stmt, { array, name, type }: Channel): Stmt {
  const element = freshSymbol(`arc_${array.name}_element`, type);
  const uses = mapStmt(body, { expr: (e) => (isElement(e, array) ? ident(element) : e) });
  const read = idiom<ChannelRead>({ kind: "channel-read", channel: name, into: element }, body);
  return compound([read, ...(uses.kind === "compound" ? uses.body : [uses])], body.span);
}
