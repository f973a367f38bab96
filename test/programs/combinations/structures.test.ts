/**
 * Control structures around loops over lanes: all pairs of three nested structures, the code beside the lanes, and the
 * lanes' code.
 */
import { judged } from "./judged.ts";
import { axes, type Combination, functionOf, isMeaningful } from "./structures.ts";

/** PoCL 3.1 computes something else than C and the host do: docs/guarantees.md names it. */
const isLostByPocl = ({ outer, middle, inner, work }: Combination): boolean =>
  [outer, middle, inner, work].join() === "continue,seq,none trips,in front";

judged("structures around lanes", axes, (row) => isMeaningful(row) && !isLostByPocl(row), functionOf, [
  "oclgrind",
]);
