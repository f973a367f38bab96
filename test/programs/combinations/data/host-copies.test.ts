/**
 * `firstprivate` of data that is already on the device, over all pairs of the variable's shape and type, how it is mapped,
 * the construct, and whether the program waits for it at once.
 */

import { judged } from "../judged.ts";
import { axes, functionOf, isMeaningful } from "./host-copies.ts";

judged("copies of the host's values", axes, isMeaningful, functionOf, ["host", "oclgrind"]);
