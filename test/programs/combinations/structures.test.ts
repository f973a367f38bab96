/** Control structures around loops of lanes, over all pairs of three of them, of what is done beside the lanes, and of what they do. */
import { judged } from "./judged.ts";
import { axes, functionOf, isMeaningful } from "./structures.ts";

judged("structures around lanes", axes, isMeaningful, functionOf, ["opencl"]);
