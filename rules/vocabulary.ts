/** What arc.yaml may say: the kinds of targets, axes of variation and steps that exist. */

import { axes } from "../core/compiler/passes/axes.ts";
import type { Vocabulary } from "../schema/load.ts";
import { kinds } from "../targets/registry.ts";
import { optionAxes } from "./inputs/option-axes.ts";
import { processSteps } from "./tools/processes.ts";

export const vocabulary: Vocabulary = { kinds, axes: [...axes, ...optionAxes], steps: processSteps };
