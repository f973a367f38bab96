/**
 * Computes what the passes do to a source's regions, from a build's outputs, without running actions or printing
 * kernels.
 */

import type { Action, ActionInput } from "../../core/build/model/action.ts";
import { entryOf } from "../../core/checked/access.ts";
import type { PassStory } from "../../core/compiler/driver/pass-story.ts";
import { findKind } from "../../targets/registry.ts";
import { readTranslation } from "../inputs/source-inputs.ts";
import { translateStep, translationOptions } from "./translate.ts";

/** For an action that translates a source for a variant; empty for other actions and for kinds without passes. */
export async function passStoriesOf(
  action: Action,
  read: (input: ActionInput) => Buffer | undefined,
): Promise<readonly PassStory[]> {
  if (action.step !== translateStep.name) return [];
  const { kind: name, shaping } = translationOptions.read(action);
  const kind = findKind(name);
  const emitter = await kind?.emitter(shaping?.target ?? {});
  const device = shaping && (await kind?.profile?.(shaping.target));
  if (emitter === undefined || shaping === undefined || device === undefined) return [];
  const texts = new Map(action.inputs.map((input) => [input.name, read(input)]));
  if ([...texts.values()].includes(undefined)) return [];
  const { source, others } = await readTranslation({
    action,
    readInput: async (input) => entryOf(texts, input),
  });
  const { frontEnd } = await import("../../core/compiler/driver/front-end.ts");
  const { regionUnits } = await import("../../core/compiler/driver/region-units.ts");
  const { passStory } = await import("../../core/compiler/driver/pass-story.ts");
  const front = frontEnd(source, others);
  if (front.program.diagnostics.some(({ severity }) => severity === "error")) return [];
  return regionUnits(front, emitter, { ...shaping, device }).stories.map(passStory);
}
