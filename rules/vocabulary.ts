/** What arc.yaml may say: the kinds of targets, axes of variation and steps that exist. */

import { axes } from "../core/compiler/passes/axes.ts";
import type { Vocabulary } from "../schema/load.ts";
import { kinds } from "../targets/registry.ts";
import { processSteps } from "./tools/processes.ts";

export const vocabulary: Vocabulary = { kinds, axes, steps: processSteps };
