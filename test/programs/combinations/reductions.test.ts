/**
 * Variables of the program that loops reduce, over all pairs of where they are declared, the construct and the level of
 * the loop, the operator, their type, what maps them, and where the region reads them.
 */
import { judged } from "./judged.ts";
import { axes, functionOf, isMeaningful } from "./reductions.ts";

judged("reduced variables", axes, isMeaningful, functionOf, ["opencl", "oclgrind"]);
