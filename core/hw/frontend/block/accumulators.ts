/**
 * Partial results of a reduction that take turns: an iteration continues the one that was continued longest ago, so
 * that as many iterations overlap in the operator as there are partial results.
 */
import type { Expr, Loc, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import type { Graph } from "../../dfg/graph.ts";
import { BIT, type Value, type Variable } from "../../dfg/value.ts";
import { unsupportedStatement } from "../scope/refusals.ts";
import type { Scope } from "../scope/scope.ts";
import { stripped } from "../scope/syntax.ts";
import type { Path } from "./path.ts";
import { assignRegister, isAt } from "./variables.ts";

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

/** One step: the oldest partial result goes through the body and becomes the newest. */
export function accumulate(
  path: Path,
  node: { readonly register: Expr; readonly depth: number; readonly partial: Symbol; readonly body: Stmt },
  base: Value,
): void {
  const { graph } = path;
  const at: Loc = node.register.span.start;
  const { places, selector } = turnsOf(path.scope, node.register, node.depth);
  const partial = path.scope.register(node.partial, at);
  const steps = path.steps.get(selector) ?? 0;
  const now = path.settled.has(selector)
    ? graph.constant(steps % places.length, selector.shape)
    : path.get(selector);
  const oldest = selected(
    graph,
    places.map((place) => path.get(place)),
    now,
  );
  path.set(partial, oldest);
  path.statement(node.body, base);
  const newest = path.get(partial);
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

/** Selects a value by number: a tree of multiplexers with one level per bit. */
function selected(graph: Graph, values: readonly Value[], number: Value): Value {
  const [only] = values;
  if (values.length === 1 && only) return only;
  const half = 2 ** Math.ceil(Math.log2(values.length) - 1);
  const shift = graph.constant(Math.log2(half), { bits: 32, signed: false });
  const bit = graph.resize(graph.make("shr", number.shape, [number, shift]), BIT);
  return graph.mux(
    bit,
    selected(graph, values.slice(half), number),
    selected(graph, values.slice(0, half), number),
  );
}
