/** What arc.yaml may say: the kinds of targets, axes of variation and steps that exist. */
import type { Vocabulary } from "../schema/load.ts";
import { kinds } from "../targets/registry.ts";
import { axes } from "./passes/axes.ts";
import { processSteps } from "./processes.ts";

export const vocabulary: Vocabulary = { kinds, axes, steps: processSteps };
