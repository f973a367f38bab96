/** Conditions for the next iteration of a pipelined loop, computed as early as possible. */
import { countedHeader } from "../../ir/analysis/loops/counted.ts";
import { evaluateInteger, isDiagnostic } from "../../lang/index.ts";
import type { ForStmt, Stmt } from "../../lang/tree/ast.ts";
import { type Counter, NotStraight } from "../dfg/region.ts";
import { BIT, isLiteral, type Value, type Variable } from "../dfg/value.ts";
import type { Block } from "./block/block.ts";
import type { Scope } from "./scope/scope.ts";
import { assigned, invariant, pure } from "./scope/syntax.ts";
import { tripCount } from "./trip-count.ts";

export type LoopStmt = Extract<Stmt, { readonly kind: "for" | "while" | "do" }>;

/** A loop that is being made a pipeline. */
export interface Iterating {
  readonly scope: Scope;
  /** The step before the loop, and an iteration. */
  readonly before: Block;
  readonly block: Block;
  /** Copies of the body in one iteration of the pipeline. */
  readonly copies: number;
}

/**
 * A loop whose trip count is known before it starts counts it down: a short recurrence, whatever its bounds are.
 * Undefined if the count is not known. `settled`: turns of partial results that an iteration leaves unchanged.
 */
export function countedDown(
  { scope, before, block, copies }: Iterating,
  s: ForStmt,
  settled: readonly Variable[],
): { readonly more: Value; readonly counter: Counter } | undefined {
  const header = countedHeader(s);
  if (isDiagnostic(header)) return undefined;
  const step = evaluateInteger(header.step);
  const assignedSymbols = assigned(s.body);
  const size = step === undefined ? 0n : step < 0n ? -step : step;
  if (step === undefined || size === 0n || (size & (size - 1n)) !== 0n) return undefined;
  if (assignedSymbols.has(header.var) || !invariant(header.bound, assignedSymbols, header.var))
    return undefined;
  const variable = scope.register(header.var, s.span.start);
  const bound = before.now(header.bound);
  const lower = before.get(variable);
  const trips = tripCount(before.graph, header.relation, lower, bound, step);
  if (trips === undefined) return undefined;
  const left = scope.variable("left", trips.shape);
  const more = scope.variable("more", BIT);
  const zero = before.graph.constant(0, left.shape);
  before.set(left, trips);
  before.set(more, before.graph.make("lt", BIT, [zero, trips]));
  const { graph } = block;
  const now = graph.read(left);
  const divides = isLiteral(trips) && trips.constant % BigInt(copies) === 0n;
  const beyond = (copy: number) =>
    divides && copy < copies
      ? graph.constant(1, BIT)
      : graph.make("lt", BIT, [graph.constant(copy, left.shape), now]);
  // The loop's own counter may run past its end, so that it advances by the same amount in each iteration.
  const free = copies > 1 && s.init?.kind === "decl" && s.init.decls.some(({ sym }) => sym === header.var);
  block.settle(settled);
  block.iteration(s.body, s.step, copies, beyond, { stepsOn: free });
  block.set(left, graph.make("sub", left.shape, [now, graph.constant(copies, left.shape)]));
  // One copy: any value other than 1 is greater, since an iteration starts only if there is one.
  const nextCopy =
    copies === 1 ? graph.not(graph.make("eq", BIT, [now, graph.constant(1, left.shape)])) : beyond(copies);
  block.set(more, graph.and(nextCopy, graph.not(block.returned)));
  return {
    more: graph.read(more),
    counter: { left, index: variable, trips, lower, bound, up: step > 0n, copies, complete: block.complete },
  };
}

/** The condition is computed at the start of each iteration. */
export function testedFirst(
  { scope, before, block, copies }: Iterating,
  s: Extract<LoopStmt, { kind: "for" | "while" }>,
): Value {
  if (s.test && !pure(s.test))
    throw new NotStraight("its condition reads memory or changes variables", s.span.start);
  const holds = (): Value => (s.test ? block.test(s.test) : block.graph.constant(1, BIT));
  const more = holds();
  block.iteration(s.body, s.kind === "for" ? s.step : undefined, copies, holds);
  if (block.returned.constant === 0n) return more;
  const going = scope.variable("going", BIT);
  before.set(going, before.graph.constant(1, BIT));
  block.set(going, block.graph.not(block.returned));
  return block.graph.and(more, block.graph.read(going));
}

/** `do`: the condition at the end of an iteration lets the next one start. */
export function testedLast(
  { scope, before, block, copies }: Iterating,
  s: Extract<LoopStmt, { kind: "do" }>,
): Value {
  if (!pure(s.test)) throw new NotStraight("its condition reads memory or changes variables", s.span.start);
  const goesOn = scope.variable("again", BIT);
  before.set(goesOn, before.graph.constant(1, BIT));
  const more = block.graph.read(goesOn);
  block.iteration(s.body, undefined, copies, () => block.test(s.test));
  block.set(goesOn, block.graph.and(block.test(s.test), block.graph.not(block.returned)));
  return more;
}
