/**
 * Trip counts of a kernel's loops in a launch, from the sizes known at the launch. Outer loops must be queried first.
 */
import type { Pipeline } from "../../ir/pipeline/pipeline.ts";
import { tripsBetween } from "../../ir/pipeline/trips.ts";
import type { Symbol } from "../../lang/tree/ast.ts";
import { type Known, numberOf, type Value } from "./numbers.ts";

/** Assumed trip count of a loop about which nothing is known. */
const UNKNOWN_TRIPS = 1024;

/** Variables of outer loops have their average. `unknown` is called with each assumption. */
export function tripCounter(
  sizes: ReadonlyMap<Symbol, number>,
  unknown: (what: string) => void,
): (pipeline: Pipeline) => number {
  const values = new Map<Symbol, Value>(sizes);

  const knownIn = (p: Pipeline): Known => {
    const known: Known = {
      value(sym) {
        const value = values.get(sym);
        const definition = value === undefined ? p.definitions.get(sym) : undefined;
        return definition ? numberOf(definition, known) : value;
      },
    };
    return known;
  };

  return (p) => {
    if (p.headers.length === 0 && !p.uncounted) return 1;
    const line = `line ${p.loc.line}`;
    if (p.uncounted) {
      unknown(`the loop at ${line} is taken to run ${UNKNOWN_TRIPS} times`);
      return UNKNOWN_TRIPS;
    }
    let product = 1;
    for (const h of p.headers) {
      const [lower, bound, step] = [h.lower, h.bound, h.step].map((e) => numberOf(e, knownIn(p)));
      if (lower === undefined || bound === undefined || step === undefined) {
        unknown(`the loop at ${line} is taken to run ${UNKNOWN_TRIPS} times`);
        product *= UNKNOWN_TRIPS;
        continue;
      }
      const trips = tripsBetween(lower, bound, step, h.relation);
      values.set(h.var, lower + (step * Math.max(0, trips - 1)) / 2);
      product *= trips;
    }
    return product;
  };
}
