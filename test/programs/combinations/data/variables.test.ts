/**
 * Variables of regions, over all pairs of place of declaration, copying clause, level, shape,
 * type, reduction operator, and later reads.
 */
import { judged } from "../judged.ts";
import { axes, functionOf, isMeaningful } from "./variables.ts";

judged("variables of regions", axes, isMeaningful, functionOf);
