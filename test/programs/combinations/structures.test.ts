/**
 * Control structures around loops of lanes: all pairs of three of them, of code beside the lanes, and of the lanes'
 * code.
 */
import { judged } from "./judged.ts";
import { axes, type Combination, functionOf, isMeaningful } from "./structures.ts";

/** PoCL 3.1 computes something else than C and the host do: docs/guarantees.md names it. */
const isLostByPocl = ({ outer, middle, inner, work }: Combination): boolean =>
  [outer, middle, inner, work].join() === "continue,seq,none trips,in front";

judged("structures around lanes", axes, (row) => isMeaningful(row) && !isLostByPocl(row), functionOf, [
  "opencl",
]);
