/** Floating-point operations in one iteration of a pipeline, without those in nested loops. */
import { liveNodes } from "./live.ts";
import type { Pipeline } from "./pipeline.ts";

/** Moves, and comparisons for a condition, do not count as arithmetic. */
const SILENT = /^(wires|cast|\?:|[<>]=?|[!=]=|&&?|\|\|?|\^|!|~)$/;

/** Of 32-bit numbers, and of 64-bit ones. */
export function floatOperationsIn(p: Pipeline): { readonly single: number; readonly wide: number } {
  let [single, wide] = [0, 0];
  for (const id of liveNodes(p)) {
    const { kind, op, type } = p.graph.at(id);
    if (kind !== "operator" || type === "int" || SILENT.test(op)) continue;
    if (type === "double") wide++;
    else single++;
  }
  return { single, wide };
}
