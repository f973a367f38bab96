/** Arithmetic on floating-point numbers in one iteration of a pipeline, without what is in loops inside. */
import { liveNodes } from "./live.ts";
import type { Pipeline } from "./pipeline.ts";

/** What moves values or compares them for a condition is no arithmetic. */
const SILENT = /^(wires|cast|\?:|[<>]=?|[!=]=|&&?|\|\|?|\^|!|~)$/;

/** Of numbers of 32 bits, and of 64. */
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
