/** What the passes do to a source's regions, told from what a build left: no action is run for it, and no kernel is printed. */
import type { Action, ActionInput } from "../../core/build/model/action.ts";
import type { PassStory } from "../../core/compiler/driver/pass-story.ts";
import { findKind } from "../../targets/registry.ts";
import { readTranslation } from "../inputs/source-inputs.ts";
import { translateStep, translationOptions } from "./translate.ts";

/** Of an action that translates a source for a variant; nothing of others, and of kinds that no passes shape kernels for. */
export async function toldPasses(
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
    readInput: async (input) => texts.get(input) as Buffer,
  });
  const { frontEnd } = await import("../../core/compiler/driver/front-end.ts");
  const { regionUnits } = await import("../../core/compiler/driver/region-units.ts");
  const { passStory } = await import("../../core/compiler/driver/pass-story.ts");
  const front = frontEnd(source, others);
  if (front.program.diagnostics.some(({ severity }) => severity === "error")) return [];
  return regionUnits(front, emitter, { ...shaping, device }).stories.map(passStory);
}
