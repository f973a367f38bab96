/** The vocabulary of arc.yaml: the existing target kinds, axes and steps. */

import { axes } from "../core/compiler/passes/axes.ts";
import type { Vocabulary } from "../schema/load.ts";
import { kinds } from "../targets/registry.ts";
import { optionAxes } from "./inputs/option-axes.ts";
import { processSteps } from "./tools/processes.ts";

export const vocabulary: Vocabulary = { kinds, axes: [...axes, ...optionAxes], steps: processSteps };
