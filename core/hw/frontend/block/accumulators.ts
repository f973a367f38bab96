/**
 * Partial results of a reduction that take turns: an iteration continues the one that was continued longest ago, so
 * that as many iterations overlap in the operator as there are partial results.
 */
import type { Expr, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import type { Value, Variable } from "../../dfg/value.ts";
import { unsupportedStatement } from "../scope/refusals.ts";
import type { Scope } from "../scope/scope.ts";
import { stripped } from "../scope/syntax.ts";
import type { Path } from "./path.ts";
import { assignRegister, isAt, selected } from "./variables.ts";

interface Turns {
  readonly places: readonly Variable[];
  /** Index of the oldest partial result, which this iteration continues. */
  readonly selector: Variable;
}

/** The registers of an accumulator's partial results. */
export function turnsOf(scope: Scope, register: Expr, depth: number): Turns {
  const at = register.span.start;
  const bare = stripped(register);
  const storage = bare.kind === "ident" ? scope.of(bare.sym, at) : undefined;
  if (bare.kind !== "ident" || storage?.kind !== "registers") throw unsupportedStatement("accumulator", at);
  const bits = Math.max(1, Math.ceil(Math.log2(depth)));
  return {
    places: storage.elements.slice(0, depth),
    selector: scope.hidden(`${bare.sym.name}_turn`, { bits, signed: false }),
  };
}

interface Step {
  readonly register: Expr;
  readonly depth: number;
  readonly partial: Symbol;
  readonly body: Stmt;
}

/** One step: the oldest partial result goes through the body and becomes the newest. */
export function accumulate(path: Path, node: Step, base: Value): void {
  const oldest = takeTurn(path, node);
  path.statement(node.body, base);
  endTurn(path, node, base, oldest);
}

/** Before the body: gives it the oldest partial result. */
export function takeTurn(path: Path, node: Step): Value {
  const { places, selector } = turnsOf(path.scope, node.register, node.depth);
  const values = places.map((place) => path.get(place));
  const oldest = selected(path.graph, values, turnNow(path, selector, places.length));
  path.set(path.scope.register(node.partial, node.register.span.start), oldest);
  return oldest;
}

/** After the body: its result is the newest one. `oldest`: what the body was given, if this graph did. */
export function endTurn(path: Path, node: Step, base: Value, oldest?: Value): void {
  const { graph } = path;
  const { places, selector } = turnsOf(path.scope, node.register, node.depth);
  const now = turnNow(path, selector, places.length);
  const steps = path.steps.get(selector) ?? 0;
  const newest = path.get(path.scope.register(node.partial, node.register.span.start));
  if (newest !== oldest)
    places.forEach((place, k) => {
      assignRegister(path, place, newest, graph.and(base, isAt(path, now, k)));
    });
  const next = graph.make("add", selector.shape, [now, graph.constant(1, selector.shape)]);
  const last = isAt(path, now, places.length - 1);
  assignRegister(path, selector, graph.mux(last, graph.constant(0, selector.shape), next), base);
  path.steps.set(selector, steps + 1);
  const distance = Math.max(1, Math.floor(places.length / (steps + 1)));
  for (const place of places) graph.distances.set(place, distance);
}

function turnNow(path: Path, selector: Variable, places: number): Value {
  return path.settled.has(selector)
    ? path.graph.constant((path.steps.get(selector) ?? 0) % places, selector.shape)
    : path.get(selector);
}
