/**
 * `tile` and `unroll` over all pairs of what they do, the construct around them, and the loops' relation, type, step and
 * count: every iteration once, and in the order of the loop where one thread has all.
 */
import { judged } from "./judged.ts";
import { axes, functionOf, isMeaningful } from "./loop-transformations.ts";

judged("tiled and unrolled loops", axes, isMeaningful, functionOf, ["host", "oclgrind"]);
