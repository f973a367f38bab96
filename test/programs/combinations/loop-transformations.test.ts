/**
 * `tile` and `unroll` over all pairs of transformation, enclosing construct, and the loops' relation, type, step and
 * count: every iteration runs once, and in loop order where one thread runs all.
 */
import { judged } from "./judged.ts";
import { axes, functionOf, isMeaningful } from "./loop-transformations.ts";

judged("tiled and unrolled loops", axes, isMeaningful, functionOf, ["host", "oclgrind"]);
