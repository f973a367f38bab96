/** Constant trip counts of counted loops. */
import { evaluateInteger } from "../../lang/index.ts";
import type { LoopHeader } from "../model/ir.ts";

export function constantTrips(h: LoopHeader): number | undefined {
  const [lower, bound, step] = [h.lower, h.bound, h.step].map(evaluateInteger);
  if (lower === undefined || bound === undefined || step === undefined) return undefined;
  return tripsBetween(Number(lower), Number(bound), Number(step), h.relation);
}

/** Iterations from `lower` towards `bound`; an average if the bounds are averages. */
export function tripsBetween(
  lower: number,
  bound: number,
  step: number,
  relation: LoopHeader["relation"],
): number {
  if (step === 0) return 0;
  const span = (bound - lower) / step;
  const areIntegers = [lower, bound, step].every(Number.isInteger);
  if (relation === "!=") return Math.max(0, Math.floor(span));
  if (relation.startsWith("<") !== step > 0) return 0;
  if (!areIntegers) return Math.max(0, relation.endsWith("=") ? span + 1 : span);
  return Math.max(0, relation.endsWith("=") ? Math.floor(span) + 1 : Math.ceil(span));
}
