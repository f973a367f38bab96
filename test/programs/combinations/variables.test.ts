/**
 * Variables of regions, over all pairs of where they are declared, which clause copies them, at which level, their shape
 * and type, the operator that reduces them, and who reads them behind.
 */
import { judged } from "./judged.ts";
import { axes, functionOf, isMeaningful } from "./variables.ts";

judged("variables of regions", axes, isMeaningful, functionOf);
