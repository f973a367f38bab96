/**
 * Reductions into the program's variables, over all pairs of place of declaration, construct, level of the loop,
 * operator, type, data clause, and where the region reads the variable.
 */
import { judged } from "./judged.ts";
import { axes, functionOf, isMeaningful } from "./reductions.ts";

judged("reduced variables", axes, isMeaningful, functionOf, ["oclgrind"]);
