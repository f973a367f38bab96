/** What arc.yaml may say: the kinds of targets and the axes of variation that exist. */
import type { Vocabulary } from "../schema/load.ts";
import { kinds } from "../targets/registry.ts";
import { axes } from "./passes/axes.ts";

export const vocabulary: Vocabulary = { kinds, axes };
